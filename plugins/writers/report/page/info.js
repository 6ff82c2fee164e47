/* info.js - the texts of a run: summary, statistics, parameters, versions, messages, the model. */
import { head } from "./blocks.js";
import { setTime } from "./app.js";
import { channels } from "./columns.js";
import { el, number, withUnit } from "./dom.js";
import { modelText, tablesOf } from "./toml.js";

const two = head.runs.length > 1;
const label = (r) => (two ? (r ? "B" : "A") : "");
const levels = ["note", "warning", "error"];

/* Numbers with more digits than one reads; all of them are in the title. */
const shorter = (value) =>
    typeof value === "string" && value.length > 9 && value.trim() && Number.isFinite(Number(value))
        ? number(Number(value), 6)
        : value;

/* Without its folders, which are in the title. */
const fileName = (path) => el("span", { title: path }, String(path).split("/").pop());

function pairs(rows) {
    return el(
        "table.pairs",
        {},
        el(
            "tbody",
            {},
            ...rows.map(([key, value, unit]) =>
                el(
                    "tr",
                    {},
                    el("th", { scope: "row" }, String(key).replaceAll("_", " ")),
                    el(
                        "td",
                        typeof value === "string" && value.length > 9 && Number.isFinite(Number(value)) ? { title: value } : {},
                        shorter(value),
                        unit ? el("span.unit", {}, " " + unit) : null,
                    ),
                ),
            ),
        ),
    );
}

/* What is not all there, and by how much. */
function thinned(run) {
    const notes = [],
        { motion } = run;
    if (motion.count && motion.count < motion.recorded)
        notes.push(
            `The scene has ${motion.count} of ${motion.recorded} frames` +
                (motion.tolerance[0] > 0
                    ? `, straight between them to ${withUnit(motion.tolerance[0], "m", 2)} and ${withUnit(motion.tolerance[1], "rad", 2)}.`
                    : "."),
        );
    if (motion.dropped) notes.push(`${motion.dropped} frames were not finite and are left out.`);
    for (const table of run.tables)
        if (table.kept < table.rows)
            notes.push(
                `The table ${table.name} has ${table.kept} of ${table.rows} rows, thinned to ${head.max_size}: of each ${2 * head.thin} rows the least and the greatest value of every column.`,
            );
    const missing = run.drawings.filter((drawing) => drawing.mesh !== undefined && !drawing.triangles && drawing.as === undefined);
    if (missing.length)
        notes.push(`Boxes stand for meshes that could not be read: ${missing.map((drawing) => drawing.name).join(", ")}.`);
    const standard = run.drawings.filter((drawing) => drawing.standard).length;
    if (standard) notes.push(
            standard === 1
                ? "One body has no shape in the model: it is drawn by its mass."
                : `${standard} bodies have no shape in the model: they are drawn by their masses.`,
        );
    return notes;
}

function summary(run, r) {
    const tables = tablesOf(run.run),
        statistics = tables.find(([name]) => name.endsWith("statistics"));
    const rows = [
        ["status", el("span.status." + run.status, {}, run.status)],
        ["program", run.program],
        ["time", `${number(run.start)} to ${number(run.end)}`, "s"],
        ["bodies", run.tracks.filter((track) => track.body).length],
        ["rows", run.tables.map((table) => table.rows).join(", ") || "none"],
        ["frames", run.motion.recorded],
    ];
    const known = new Set(["program", "status", "files"]);
    for (const [name, list] of tables)
        if (name === "run")
            for (const [key, value, unit] of list)
                if (!known.has(key)) rows.push([key, key === "model" ? fileName(value) : value, unit]);
    const parts = [pairs(rows)],
        notes = thinned(run);
    if (notes.length) parts.push(el("ul.notes", {}, ...notes.map((note) => el("li", {}, note))));
    if (statistics) parts.push(el("h3", {}, "Statistics of the run"), pairs(statistics[1]));
    const parameters = tables.find(([name]) => name.endsWith("parameters"));
    if (parameters) parts.push(el("h3", {}, "Parameters"), pairs(parameters[1]));
    return el("section", {}, two ? el("h2", {}, `Run ${label(r)}: ${run.title}`) : null, ...parts);
}

function versions(run) {
    const plugins = tablesOf(run.run)
        .filter(([name]) => name.endsWith("plugin"))
        .map(([, list]) => Object.fromEntries(list));
    if (!plugins.length) return null;
    return el(
        "section",
        {},
        el("h3", {}, "Plugins"),
        el(
            "table.grid",
            {},
            el("thead", {}, el("tr", {}, ...["name", "version", "licence"].map((name) => el("th", { scope: "col" }, name)))),
            el(
                "tbody",
                {},
                ...plugins.map((plugin) =>
                    el(
                        "tr",
                        { title: plugin.file },
                        el("td", {}, plugin.name),
                        el("td", {}, plugin.version),
                        el("td", {}, plugin.licence),
                    ),
                ),
            ),
        ),
    );
}

/* Only what differs of two runs' parameters. */
function differences() {
    if (!two) return null;
    const of = (run) =>
        Object.fromEntries(
            tablesOf(run.run)
                .filter(([name]) => !name.endsWith("plugin"))
                .flatMap(([, list]) => list.map(([key, value]) => [key, value])),
        );
    const [a, b] = head.runs.map(of),
        rows = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
            (key) => a[key] !== b[key] && !/_time$|^files$|peak_memory/.test(key),
        );
    if (!rows.length) return null;
    return el(
        "section",
        {},
        el("h2", {}, "What differs"),
        el(
            "table.grid",
            {},
            el("thead", {}, el("tr", {}, ...["", "A", "B"].map((name) => el("th", { scope: "col" }, name)))),
            el(
                "tbody",
                {},
                ...rows.map((key) =>
                    el(
                        "tr",
                        {},
                        el("th", { scope: "row" }, key.replaceAll("_", " ")),
                        el("td", {}, a[key] ?? "–"),
                        el("td", {}, b[key] ?? "–"),
                    ),
                ),
            ),
        ),
    );
}

export function runPanel(place) {
    place.append(
        ...[
            differences(),
            ...head.runs.flatMap((run, r) => [summary(run, r), versions(run)]),
            el(
                "p.hint",
                {},
                `Made ${head.made}. ${head.exact ? "Values have all their bits." : "Values are exact to 2⁻²⁰ of the range of their column."}`,
            ),
        ].filter(Boolean),
    );
}

export const countMessages = () => head.runs.reduce((sum, run) => sum + run.events.length, 0);

export function messagesPanel(place) {
    const all = head.runs.flatMap((run, r) => run.events.map((event) => ({ ...event, r })));
    if (!all.length) return place.append(el("p.empty", {}, "The run has no messages."));
    place.append(
        el(
            "ol.messages",
            {},
            ...all.map((event) => {
                const level = levels[event.level] ?? "note";
                const inside = [
                    el("span.level." + level, {}, level),
                    two ? el("span.run", {}, label(event.r)) : null,
                    el("span.when", {}, event.time === null ? "before the run" : withUnit(event.time, "s", 7)),
                    event.element ? el("b", {}, event.element) : null,
                    el("span.text", {}, event.text),
                ];
                return el(
                    "li",
                    {},
                    event.time === null
                        ? el("div.message", {}, ...inside)
                        : el(
                              "button.message",
                              { type: "button", title: "Go to this time", onclick: () => setTime(event.time) },
                              ...inside,
                          ),
                );
            }),
        ),
    );
}

export function modelPanel(place) {
    head.runs.forEach((run, r) => {
        if (r && run.model === head.runs[0].model) return place.append(el("p.hint", {}, "The model of B is the same."));
        place.append(...[two ? el("h2", {}, "Model " + label(r)) : null, modelText(run.model)].filter(Boolean));
    });
}

/* Least, greatest, mean, root mean square and last value of all channels; their names plot them. */
export function statisticsPanel(place, plots) {
    const list = channels.filter((channel) => channel.low !== undefined);
    const jump = (value, time) =>
        el(
            "button.link",
            { type: "button", title: `at ${number(time)} s: go there`, onclick: () => setTime(time) },
            number(value, 4),
        );
    place.append(
        el(
            "table.grid.statistics",
            {},
            el(
                "thead",
                {},
                el(
                    "tr",
                    {},
                    ...["channel", "least", "greatest", "mean", "rms", "last"].map((name) => el("th", { scope: "col" }, name)),
                ),
            ),
            el(
                "tbody",
                {},
                ...list.map((channel) =>
                    el(
                        "tr",
                        {},
                        el(
                            "th",
                            { scope: "row" },
                            el(
                                "button.link",
                                {
                                    type: "button",
                                    title: "Plot",
                                    onclick: () => plots.has(channel.name) || plots.toggle(channel.name),
                                },
                                channel.name + (two ? ` (${label(channel.run)})` : ""),
                            ),
                            channel.unit ? el("span.unit", {}, " " + channel.unit) : null,
                        ),
                        el("td", {}, jump(channel.low, channel.low_time)),
                        el("td", {}, jump(channel.high, channel.high_time)),
                        el("td", {}, number(channel.mean, 4)),
                        el("td", {}, number(channel.rms, 4)),
                        el("td", {}, number(channel.last, 4)),
                    ),
                ),
            ),
        ),
    );
}
