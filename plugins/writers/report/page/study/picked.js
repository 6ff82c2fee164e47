/* picked.js - the case that is picked: its command, to be copied, and its values. */
import { announce, el } from "../dom.js";
import { textOf } from "./axis.js";
import { head, reasonOf, statusName, table } from "./data.js";
import { commandOf, on, pick, state } from "./state.js";

async function copy(command, button) {
    let done = true;
    try {
        await navigator.clipboard.writeText(command.value);
    } catch {
        command.select(); // a page of a file may not write by itself
        done = document.execCommand("copy");
    }
    button.textContent = done ? "copied" : "press Ctrl+C";
    setTimeout(() => (button.textContent = "copy"), 1500);
}

export class Picked {
    constructor(place) {
        this.place = place;
        on("picked", () => this.show());
        this.show();
    }

    show() {
        const row = state.picked;
        if (row === null) {
            this.place.replaceChildren(
                el("span.hint", {}, "A click on a row, point or line picks a case: the command that prints its model stands here."),
            );
            return;
        }
        const command = el("input.command", { readonly: true, "aria-label": "Command", value: commandOf(row) }),
            button = el("button.plain", { type: "button", onclick: () => copy(command, button) }, "copy"),
            status = statusName(table.status[row]),
            reason = reasonOf(row);
        this.place.replaceChildren(
            el("strong.status." + status, {}, `case ${table.number[row]}: ${status}`),
            command,
            button,
            el("span.hint", {}, "--run behind it runs it"),
            el(
                "span.values",
                {},
                ...table.columns.map((column) =>
                    el("span.value", {}, el("span.unit", {}, column.label), " ", textOf(column, column.value[row])),
                ),
                reason ? el("span.reason", {}, reason) : null,
            ),
            el("button.plain", { type: "button", "aria-label": "Pick nothing", onclick: () => pick(null) }, "×"),
        );
        announce(`case ${table.number[row]} of ${head.cases}, ${status}`);
    }
}
