/* columns.js - the channels of all runs: their facts, and their values, which the worker decodes when they are first needed. */
import { head, slicesOf } from "./blocks.js";

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

const decode = (column, table) =>
    ask({
        column,
        count: table.kept,
        slices: slicesOf(column),
        gaps: column.gaps ? slicesOf(column.gaps) : null,
    });

/* A channel: a column of a run. Names of columns begin with the name of their table, unless it is the first table. */
export const channels = [];
const byName = new Map();

head.runs.forEach((run, r) => {
    run.tables.forEach((table, t) => {
        const [time, ...others] = table.columns;
        table.loadTime = () =>
            (table.time ??= table.kept ? decode(time, table).then((done) => done.value) : Promise.resolve(new Float64Array(0)));
        for (const column of others) {
            const name = t ? `${table.name}:${column.name}` : column.name;
            const channel = { ...column, name, run: r, table, column, data: null };
            channels.push(channel);
            byName.set(`${r}/${name}`, channel);
        }
    });
});

export const channelOf = (name, run = 0) => byName.get(`${run}/${name}`);
export const names = [...new Set(channels.map((channel) => channel.name))];
/* The channel with a name, of the first run that has one. */
export const anyChannel = (name) => channelOf(name, 0) ?? channelOf(name, 1);

/* Resolves to {time, value, levels}, which are kept with the channel. */
export function load(channel) {
    channel.loading ??= Promise.all([
        channel.table.loadTime(),
        channel.table.kept ? decode(channel.column, channel.table) : { value: new Float64Array(0), levels: [] },
    ]).then(([time, { value, levels }]) => (channel.data = { time, value, levels }));
    return channel.loading;
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
