/* state.js - what the views of the page have in common: the case that is picked, and which rows are shown. */
import { emit, on } from "../events.js";
import { head, statusName, table } from "./data.js";

export { emit, on };

export const state = {
    picked: null, // a row
    status: "", // "": all
    search: "",
    brushes: new Map(), // column number: [low, high]
    shown: new Uint8Array(0), // per row: it passes the brushes
};

/* Brushes choose among cases that are ok, as others have no point; without any all are shown. */
export function choose() {
    if (state.shown.length !== table.count) state.shown = new Uint8Array(table.count);
    for (let row = 0; row < table.count; row++) {
        let is = 1;
        for (const [column, [low, high]] of state.brushes) {
            const value = table.columns[column].value[row];
            if (!(value >= low && value <= high) || !table.ok[row]) is = 0;
        }
        state.shown[row] = is;
    }
    emit("shown");
}

export function brush(column, range) {
    if (range) state.brushes.set(column, range);
    else state.brushes.delete(column);
    choose();
}

export function pick(row) {
    state.picked = row;
    emit("picked", row);
}

/* The rows of the table, by its own filters too. */
export function filteredRows() {
    const rows = [];
    for (let row = 0; row < table.count; row++) {
        if (!state.shown[row]) continue;
        const name = statusName(table.status[row]);
        if (state.status && (state.status === "not ok" ? name === "ok" || name === "waiting" : name !== state.status)) continue;
        rows.push(row);
    }
    return rows;
}

export const commandOf = (row) => `${head.command} ${table.number[row]}`;
