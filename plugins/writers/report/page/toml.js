/* toml.js - TOML texts to look at: coloured lines, and tables of keys and values. */
import { el } from "./dom.js";

/* One line as spans: tables, keys, strings, comments. */
function line(text) {
    const header = /^\s*\[.*$/.exec(text);
    if (header) return [el("span.table", {}, text)];
    const parts = [],
        key = /^(\s*[\w.\-"]+\s*)(=)/.exec(text);
    let rest = text;
    if (key) {
        parts.push(el("span.key", {}, key[1]), "=");
        rest = text.slice(key[0].length);
    }
    for (const piece of rest.match(/"(?:\\.|[^"\\])*"|'[^']*'|#.*$|[^"'#]+|./g) ?? []) {
        const kind = /^["']/.test(piece) ? "string" : piece.startsWith("#") ? "comment" : "";
        parts.push(kind ? el("span." + kind, {}, piece) : piece);
    }
    return parts;
}

/* The model's text with a search that goes from one place to the next. */
export function modelText(text, what = "model") {
    const lines = text.replace(/\n$/, "").split("\n");
    const rows = lines.map((one) => el("div.line", {}, ...line(one)));
    const pre = el("pre.toml", { tabindex: 0, "aria-label": "Text of the " + what }, ...rows);
    const count = el("output.count");
    let at = -1,
        found = [];
    const go = (step) => {
        if (!found.length) return;
        rows[found[at]]?.classList.remove("current");
        at = (at + step + found.length) % found.length;
        rows[found[at]].classList.add("current");
        rows[found[at]].scrollIntoView({ block: "center" });
        count.textContent = `${at + 1} of ${found.length}`;
    };
    const search = el("input.filter", {
        type: "search",
        placeholder: "Search the " + what,
        "aria-label": "Search the " + what,
        oninput: () => {
            const wanted = search.value.toLowerCase();
            found = [];
            rows.forEach((row, k) => {
                const hit = wanted && lines[k].toLowerCase().includes(wanted);
                row.classList.remove("current");
                row.classList.toggle("hit", !!hit);
                if (hit) found.push(k);
            });
            at = -1;
            count.textContent = wanted ? (found.length ? "" : "not found") : "";
            go(1);
        },
        onkeydown: (event) => event.key === "Enter" && go(event.shiftKey ? -1 : 1),
    });
    return el("div.model", {}, el("div.row", {}, search, count), pre);
}

const unquote = (text) => {
    try {
        return text.startsWith('"') ? JSON.parse(text) : text;
    } catch {
        return text;
    }
};

/* [[name, [[key, value, comment]]]] of each table; values that are arrays stay as they are. */
export function tablesOf(text) {
    const tables = [["", []]];
    for (const one of text.split("\n")) {
        const header = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(one),
            pair = /^\s*([\w.\-"]+)\s*=\s*("(?:\\.|[^"\\])*"|[^#]*)\s*(?:#\s*(.*))?$/.exec(one);
        if (header) tables.push([header[1], []]);
        else if (pair && !/^\[\s*$/.test(pair[2]))
            tables[tables.length - 1][1].push([pair[1], unquote(pair[2].trim()), pair[3] ?? ""]);
    }
    return tables.filter(([, pairs]) => pairs.length);
}
