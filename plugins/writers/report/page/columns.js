/* columns.js - the channels of all runs: their facts, and their values, which the worker decodes when they are first needed. */
import { head, slicesOf } from "./blocks.js";
import { appended, extendPyramid } from "./pyramid.js";

const worker = new Worker(URL.createObjectURL(new Blob([WORKER_PROGRAM], { type: "text/javascript" })));
const waiting = new Map();
let next = 0;
worker.onmessage = ({ data }) => {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.fault) reject(new Error(data.fault));
    else resolve(data);
};
const ask = (message) =>
    new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ ...message, id });
    });

const decode = (column, count) =>
    ask({
        column,
        count,
        slices: slicesOf(column),
        gaps: column.gaps ? slicesOf(column.gaps) : null,
    });

/* Puts what has come later behind what is there. Times have no levels. */
function extend(data, { value, levels }) {
    const known = data.value.length;
    data.value = appended(data.value, value);
    if (levels) data.levels = extendPyramid(data.value, data.levels, known);
}

/* Pieces of a column, [{column, count}], as {value, levels}. */
async function decodePieces(pieces) {
    const [first, ...others] = await Promise.all(pieces.filter(({ count }) => count).map(({ column, count }) => decode(column, count)));
    const data = first ? { value: first.value, levels: first.levels } : { value: new Float64Array(0), levels: [] };
    others.forEach((piece) => extend(data, piece));
    return data;
}

/* A channel: a column of a run. Names of columns begin with the name of their table, unless it is the first table. */
export const channels = [];
const byName = new Map();

head.runs.forEach((run, r) => {
    run.tables.forEach((table, t) => {
        const [time, ...others] = table.columns;
        table.pieces = [{ column: time, count: table.kept }];
        table.loadTime = () => (table.time ??= decodePieces(table.pieces));
        for (const column of others) {
            const name = t ? `${table.name}:${column.name}` : column.name;
            const channel = { ...column, name, run: r, table, column, data: null, pieces: [{ column, count: table.kept }] };
            channels.push(channel);
            byName.set(`${r}/${name}`, channel);
        }
    });
});

export const channelOf = (name, run = 0) => byName.get(`${run}/${name}`);
export const names = [...new Set(channels.map((channel) => channel.name))];
/* The channel with a name, of the first run that has one. */
export const anyChannel = (name) => channelOf(name, 0) ?? channelOf(name, 1);

/* Resolves to {time, value, levels}, which are kept with the channel, and grow with it. */
export function load(channel) {
    channel.loading ??= Promise.all([channel.table.loadTime(), decodePieces(channel.pieces)]).then(
        ([times, { value, levels }]) =>
            (channel.data = {
                get time() {
                    return times.value.subarray(0, this.value.length);
                },
                value,
                levels,
            }),
    );
    return channel.loading;
}

/* ---- runs that go on ------------------------------------------------------------------------------------------------ */

/* Least, greatest and mean values of two parts of a column, one behind the other, as table.c finds them. */
function joinFacts(a, b, gap) {
    if (b.low === undefined) return;
    if (a.low === undefined) return Object.assign(a, facts(b));
    if (b.low < a.low) [a.low, a.low_time] = [b.low, b.low_time];
    if (b.high > a.high) [a.high, a.high_time] = [b.high, b.high_time];
    const h = gap > 0 && !b.gaps ? gap : 0,
        span = a.span + h + b.span,
        share = (of) => (span > 0 ? of / span : 0);
    const mean = share(a.mean * a.span + (h * (a.last + b.first)) / 2 + b.mean * b.span),
        square = share(
            a.rms ** 2 * a.span + (h * (a.last ** 2 + a.last * b.first + b.first ** 2)) / 3 + b.rms ** 2 * b.span,
        );
    if (span > 0) [a.mean, a.rms, a.span] = [mean, Math.sqrt(square), span];
    a.last = b.last;
}
const facts = ({ low, high, low_time, high_time, first, last, mean, rms, span }) => ({
    ...{ low, high, low_time, high_time, first, last, mean, rms, span },
});

/* Data that are there, or on their way, get a piece that has come. */
async function growData(loading, piece) {
    const data = await loading;
    extend(data, await decode(piece.column, piece.count));
}

/* Rows that have come, of all tables of the first run. */
export async function appendRows(tables) {
    const waits = [];
    tables.forEach((more, t) => {
        const table = head.runs[0].tables[t],
            count = more.kept,
            [time, ...others] = more.columns;
        if (!count) return;
        const gap = time.first - (table.columns[0].last ?? time.first);
        joinFacts(table.columns[0], time, 0);
        const put = (pieces, loading, column) => {
            const piece = { column, count };
            pieces.push(piece);
            if (loading) waits.push(growData(loading, piece));
        };
        put(table.pieces, table.time, time);
        table.rows += more.rows;
        table.kept += count;
        others.forEach((column) => {
            const channel = channelOf(t ? `${table.name}:${column.name}` : column.name);
            joinFacts(channel, column, gap);
            put(channel.pieces, channel.loading, column);
        });
    });
    await Promise.all(waits);
}

/* Likewise, of the difference B - A. */
const differences = new Map();
export function loadDifference(name) {
    if (!differences.has(name)) {
        const [a, b] = [channelOf(name, 0), channelOf(name, 1)];
        differences.set(
            name,
            Promise.all([load(a), load(b)]).then(async ([da, db]) => {
                const { value, levels } = await ask({
                    task: "difference",
                    timeA: da.time,
                    valueA: da.value,
                    timeB: db.time,
                    valueB: db.value,
                });
                return { time: da.time, value, levels };
            }),
        );
    }
    return differences.get(name);
}
