/* keys.js - the keyboard, and the page's help on it. */
import { el } from "./dom.js";

/* Keys do nothing where one writes or chooses. */
const isBusy = (target) =>
    target.matches?.("textarea, select, [contenteditable], input[type=range]:not(.time)") ||
    (target.matches?.("input") && !["checkbox", "range", "button"].includes(target.type));

export class Keys {
    constructor(commands) {
        this.commands = commands; // [[keys, label, actions]]
        this.dialog = el(
            "dialog.help",
            { "aria-label": "Help" },
            el("h2", {}, "Keyboard and pointer"),
            el(
                "table.pairs",
                {},
                el(
                    "tbody",
                    {},
                    ...commands.map(([keys, label]) =>
                        el(
                            "tr",
                            {},
                            el("th", { scope: "row" }, ...keys.map((key) => el("kbd", {}, names[key] ?? key.toUpperCase()))),
                            el("td", {}, label),
                        ),
                    ),
                    ...pointer.map(([what, label]) => el("tr", {}, el("th", { scope: "row" }, what), el("td", {}, label))),
                ),
            ),
            el("p.hint", {}, "The address of the page keeps time, plots, range and choices: send it along with the file."),
            el("form", { method: "dialog" }, el("button.primary", {}, "Close")),
        );
        document.body.append(this.dialog);
        addEventListener("keydown", (event) => this.press(event));
    }

    press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target) || this.dialog.open) return;
        const onButton = event.target.matches?.("button, summary, input[type=checkbox]");
        if (onButton && (event.key === " " || event.key === "Enter")) return;
        const onTabs = event.target.matches?.("[role=tab], [role=separator]") && event.key.startsWith("Arrow");
        if (onTabs) return;
        const key =
            (event.shiftKey && event.key.length > 1 ? "Shift+" : "") +
            (event.key.length === 1 ? event.key.toLowerCase() : event.key);
        for (const [keys, , actions] of this.commands) {
            if (!keys.includes(key)) continue;
            event.preventDefault();
            actions[keys.indexOf(key)]();
        }
    }

    help() {
        this.dialog.showModal();
    }
}

const names = {
    " ": "Space",
    ArrowLeft: "←",
    ArrowRight: "→",
    "Shift+ArrowLeft": "Shift ←",
    "Shift+ArrowRight": "Shift →",
    Escape: "Esc",
    "-": "−",
};
const pointer = [
    ["drag on a plot", "zoom to this range of time"],
    ["double click on a plot", "all of the run"],
    ["click on a plot", "go to this time"],
    ["Ctrl + wheel on a plot", "zoom about the pointer; with Shift: move"],
    ["drag on the scene", "turn; right button: move; wheel: zoom"],
    ["click on a part", "select it"],
];
