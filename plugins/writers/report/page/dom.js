/* dom.js - makes elements of the page, and texts of numbers. */

/* el("button.icon", {onclick, "aria-label": ...}, ...children) */
export function el(kind, properties = {}, ...children) {
    const [tag, ...classes] = kind.split(".");
    const node = document.createElement(tag || "div");
    if (classes.length) node.className = classes.join(" ");
    for (const [key, value] of Object.entries(properties)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
        else if (key === "value" || key === "checked") node[key] = value;
        else node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return node;
}

/* A number with at most `digits` significant digits, without trailing zeros. */
export function number(value, digits = 5) {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-4)
        return value
            .toExponential(digits - 1)
            .replace(/\.?0+e/, "e")
            .replace("e+", "e")
            .replace("-", "−");
    return String(Number(value.toPrecision(digits))).replace("-", "−");
}

export const withUnit = (value, unit, digits) => number(value, digits) + (unit ? "\u202f" + unit : "");

/* Icons of 16 x 16, strokes of the text's colour. */
const paths = {
    play: "M4 2.5v11l9-5.5z",
    pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
    back: "M10.5 3L5 8l5.5 5",
    forward: "M5.5 3L11 8l-5.5 5",
    first: "M12 3L6.5 8l5.5 5M4 3v10",
    last: "M4 3l5.5 5L4 13M12 3v10",
    loop: "M3 8a5 5 0 0 1 8.6-3.5L13 6M13 2.5V6H9.5M13 8a5 5 0 0 1-8.6 3.5L3 10M3 13.5V10h3.5",
    fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
    measure: "M2 11L11 2l3 3-9 9zM5 8l1.5 1.5M7.5 5.5L9 7M10 3l1.5 1.5",
    eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
    help: "M6 6a2 2 0 1 1 2.8 1.8c-.6.3-.8.7-.8 1.4M8 11.5v.5",
    print: "M4.5 6V2.5h7V6M4.5 11.5H3V6.5h10v5h-1.5M4.5 9.5h7v4h-7z",
    theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
    close: "M4 4l8 8M12 4l-8 8",
    plus: "M8 3v10M3 8h10",
    photo: "M2.5 4.5h3l1-1.5h3l1 1.5h3v8h-11zM8 6.3a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4",
    save: "M8 2.5v8M4.5 7L8 10.5 11.5 7M3 13.5h10",
    panel: "M2.5 3.5h11v9h-11zM10 3.5v9",
    target: "M8 2v3M8 11v3M2 8h3M11 8h3M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
};
export function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("class", "icon" + (name === "play" || name === "pause" ? " solid" : ""));
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", paths[name]);
    svg.append(path);
    return svg;
}

export const button = (label, symbol, onclick, more = {}) =>
    el("button.tool", { type: "button", title: label, "aria-label": label.replace(/ \(.*/, ""), onclick, ...more }, icon(symbol));

/* A number that screen readers read aloud. */
export function announce(text) {
    const place = document.getElementById("announcer");
    if (place) place.textContent = text;
}
