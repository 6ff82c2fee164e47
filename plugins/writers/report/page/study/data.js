/* data.js - the cases of the page: a row each, with columns of variables, responses and processor time. */
import { head, slicesOf } from "../blocks.js";
import { bits64, inflate, joinSlices } from "../codec.js";

export { head };

async function read(column) {
    return bits64(await inflate(joinSlices(slicesOf(column))), head.rows.count);
}

/* Root mean square of differences, or the last of many samples. */
function labelOf(column) {
    if (!(column.size > 1)) return column.name;
    return column.data ? `${column.name} (root mean square)` : `${column.name} (last of ${column.size})`;
}

export const table = { count: head.rows.count, columns: head.columns };
export const variables = [],
    responses = [];

export async function load() {
    const { number, status, reason } = head.rows;
    [table.number, table.status, table.reason] = await Promise.all([number, status, reason].map(read));
    await Promise.all(
        table.columns.map(async (column, k) => {
            column.at_column = k;
            column.label = labelOf(column);
            column.value = await read(column);
            if (column.kind === "variable") variables.push(column);
            else if (column.kind === "response") responses.push(column);
        }),
    );
    for (const list of [variables, responses]) list.sort((a, b) => a.at_column - b.at_column);
    table.ok = Uint8Array.from(table.status, (code) => (statusName(code) === "ok" ? 1 : 0));
    table.byNumber = new Map(Array.from(table.number, (number, row) => [number, row]));
}

export const statusName = (code) => head.statuses[code]?.name ?? "";
export const reasonOf = (row) => head.rows.texts[table.reason[row]] ?? "";
/* Of the answers of the design; others are values. */
export const isSentence = ({ name, text }) => text !== undefined && (name === "note" || name === "warning");
/* Whether a row keeps all limits. */
export const keepsLimits = (row) =>
    responses.every(
        ({ limited, limit, value }) =>
            !limited || (limited === 1 ? value[row] <= limit : value[row] >= limit),
    );

/* The key of [design] that says what a search is for: [response, 1: least, -1: greatest]. */
export function objective() {
    const found = /^(minimise|maximise) = "((?:[^"\\]|\\.)*)"$/m.exec(head.design);
    if (!found) return null;
    const column = responses.find(({ name }) => JSON.stringify(name) === `"${found[2]}"`);
    return column ? [column, found[1] === "minimise" ? 1 : -1] : null;
}
