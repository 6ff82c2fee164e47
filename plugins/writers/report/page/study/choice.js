/* choice.js - which columns a view shows. */
import { el } from "../dom.js";

/* A group of check boxes; `most` are chosen at the start. */
export function columnChoice(label, columns, most, changed) {
    const boxes = columns.map((column, k) => el("input", { type: "checkbox", checked: k < most, onchange: () => changed() }));
    const node = el(
        "details.choice",
        {},
        el("summary", {}, label),
        el("div.menu", {}, ...columns.map((column, k) => el("label.check", {}, boxes[k], column.label))),
    );
    return { node, chosen: () => columns.filter((_, k) => boxes[k].checked) };
}

/* One of several columns. */
export function columnSelect(label, columns, changed, at = 0) {
    const select = el(
        "select",
        { "aria-label": label, onchange: () => changed() },
        ...columns.map((column, k) => el("option", { value: k }, column.label)),
    );
    select.selectedIndex = at;
    return {
        node: el("label.check", {}, label, select),
        chosen: () => columns[select.selectedIndex],
        set: (k) => (select.selectedIndex = k),
    };
}
