/* plots.js - plots below each other, with one range of time and one cursor. Each draws two points per pixel at most: the least and
 * the greatest value of the rows that fall there, so that no peak is lost; where few rows are in sight, the rows themselves. */
import uPlot from "uplot";
import { head } from "./blocks.js";
import { emit, on, setRange, setTime, showAll, state } from "./app.js";
import { anyChannel, channelOf, load, loadDifference } from "./columns.js";
import { curveColor } from "./colors.js";
import { button, el, number, withUnit } from "./dom.js";
import { lowerBound, rangeOf, upperBound, valueAt } from "./pyramid.js";

const two = head.runs.length > 1;
const labels = ["A", "B"];
const finite = (value) => (Number.isFinite(value) ? value : null);

/* Points of a curve between two times: [times, values]. */
export function pointsOf({ time, value, levels }, from, to, pixels) {
    const first = Math.max(0, lowerBound(time, from) - 1),
        last = Math.min(time.length, upperBound(time, to) + 1),
        x = [],
        y = [];
    if (last - first <= 2 * pixels) {
        for (let k = first; k < last; k++) {
            x.push(time[k]);
            y.push(finite(value[k]));
        }
        return [x, y];
    }
    const step = (to - from) / pixels;
    let start = first;
    for (let k = 0; k < pixels && start < last; k++) {
        const end = k === pixels - 1 ? last : Math.min(last, lowerBound(time, from + (k + 1) * step));
        if (end <= start) continue;
        const [low, high] = rangeOf(value, levels, start, end);
        x.push(time[start], Math.max(time[start], time[end - 1]));
        if (value[start] > value[end - 1])
            y.push(finite(high), finite(low)); // a line that falls has no stairs
        else y.push(finite(low), finite(high));
        start = end;
    }
    return [x, y];
}

/* Ticks with as many digits as tell them apart. */
function tickTexts(ticks) {
    if (ticks.length < 2) return ticks.map((tick) => number(tick, 6));
    const step = Math.abs(ticks[1] - ticks[0]),
        largest = Math.max(...ticks.map(Math.abs));
    const digits = Math.min(10, Math.max(4, Math.ceil(Math.log10(largest / step)) + 1));
    return ticks.map((tick) => number(Math.abs(tick) < 1e-9 * step ? 0 : tick, digits));
}

/* One plot. */
class Pane {
    constructor(plots, names) {
        this.plots = plots;
        this.names = names;
        this.curves = [];
        this.legend = el("div.legend");
        this.area = el("div.plot");
        this.line = el("div.now");
        this.node = el(
            "section.pane",
            { "aria-label": "Plot of " + names.join(", ") },
            el(
                "div.panehead",
                {},
                this.legend,
                two
                    ? el(
                          "label.difference",
                          {},
                          el("input", { type: "checkbox", onchange: (event) => this.differ(event.target.checked) }),
                          "B − A",
                      )
                    : null,
                button("Close this plot", "close", () => plots.remove(this)),
            ),
            this.area,
        );
        this.difference = false;
    }

    async load() {
        const wanted = [];
        this.names.forEach((name, k) => {
            if (this.difference && channelOf(name, 0) && channelOf(name, 1))
                wanted.push(
                    loadDifference(name).then((data) => ({
                        data,
                        name,
                        label: name + " (B − A)",
                        color: k,
                        channel: channelOf(name, 0),
                    })),
                );
            else
                head.runs.forEach((_, run) => {
                    const channel = channelOf(name, run);
                    if (channel && !this.difference)
                        wanted.push(
                            load(channel).then((data) => ({
                                data,
                                name,
                                label: two ? `${name} (${labels[run]})` : name,
                                color: k,
                                channel,
                                run,
                            })),
                        );
                });
        });
        this.curves = await Promise.all(wanted);
        this.build();
    }

    async differ(on) {
        this.difference = on;
        await this.load();
    }

    unit() {
        const units = new Set(this.curves.map((curve) => curve.channel.unit));
        return units.size === 1 ? [...units][0] : "";
    }

    build() {
        this.plot?.destroy();
        this.makeLegend(); // it takes its height from the plot
        const style = getComputedStyle(document.documentElement),
            text = style.getPropertyValue("--text-soft").trim(),
            grid = style.getPropertyValue("--grid").trim();
        const axis = {
            stroke: text,
            font: "11px system-ui, sans-serif",
            grid: { stroke: grid, width: 1 },
            ticks: { stroke: grid, width: 1, size: 4 },
        };
        const isLast = this.plots.panes[this.plots.panes.length - 1] === this;
        this.plot = new uPlot(
            {
                width: Math.max(100, this.area.clientWidth),
                height: Math.max(60, this.area.clientHeight),
                legend: { show: false },
                padding: [8, 12, isLast ? 0 : 4, 0],
                cursor: {
                    sync: { key: "tenon", setSeries: false },
                    drag: { x: true, y: false, setScale: false },
                    points: { size: 6 },
                    y: false,
                    bind: { dblclick: () => () => (showAll(), null) },
                },
                scales: { x: { time: false, auto: false, range: () => state.range }, y: { auto: true } },
                series: [
                    {},
                    ...this.curves.map((curve) => ({
                        label: curve.label,
                        stroke: curveColor(curve.color),
                        width: 1.5,
                        pxAlign: 0,
                        dash: curve.run ? [6, 4] : undefined,
                        spanGaps: false,
                        points: { show: (plot, k) => this.isSparse?.[k - 1] ?? false, size: 4 },
                    })),
                ],
                axes: [
                    {
                        ...axis,
                        show: true,
                        size: isLast ? 34 : 6,
                        label: undefined,
                        values: isLast ? (plot, ticks) => tickTexts(ticks) : () => [],
                    },
                    { ...axis, size: 82, space: 18, values: (plot, ticks) => tickTexts(ticks) },
                ],
                hooks: { setSelect: [(plot) => this.select(plot)] },
            },
            [[], ...this.curves.map(() => [])],
            this.area,
        );
        this.plot.over.append(this.line);
        this.plot.over.addEventListener("click", (event) => this.click(event));
        this.plot.over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        this.draw();
        this.move();
    }

    /* One entry per channel, with a reading per run. */
    makeLegend() {
        const unit = this.unit();
        this.readings = this.curves.map(() => el("output.reading"));
        const entries = this.names.map((name) => {
            const own = this.curves.filter((curve) => curve.name === name);
            if (!own.length) return null;
            const remove = { type: "button", "aria-label": "Remove " + name, onclick: () => this.plots.toggle(name) };
            return el(
                "span.curve",
                { title: own[0].channel.description || own[0].channel.quantity || "" },
                ...(own.length > 1
                    ? [name, ...own.flatMap((curve) => [this.swatch(curve, true), this.readings[this.curves.indexOf(curve)]])]
                    : [this.swatch(own[0], false), own[0].label, this.readings[this.curves.indexOf(own[0])]]),
                this.names.length > 1 ? el("button.remove", remove, "×") : null,
            );
        });
        this.legend.replaceChildren(unit ? el("span.unit", {}, `[${unit}]`) : "", ...entries.filter(Boolean));
    }

    swatch(curve, named) {
        const line = el("span.swatch" + (curve.run ? ".dashed" : ""), { style: `border-color:${curveColor(curve.color)}` });
        return named ? el("span.which", {}, line, labels[curve.run]) : line;
    }

    /* The curves of the present range. */
    draw() {
        if (!this.plot) return;
        const [from, to] = state.range,
            pixels = Math.max(50, Math.round(this.plot.bbox.width / (window.devicePixelRatio || 1)));
        const tables = this.curves.map((curve) => pointsOf(curve.data, from, to, pixels));
        this.isSparse = tables.map(([x]) => x.length < pixels / 12);
        const same = tables.every(([x]) => x.length === tables[0][0].length && x.every((t, k) => t === tables[0][0][k]));
        const data = !tables.length ? [[]] : same ? [tables[0][0], ...tables.map(([, y]) => y)] : uPlot.join(tables);
        this.plot.batch(() => {
            this.plot.setData(data, false);
            this.plot.setScale("x", { min: from, max: to });
            const [low, high] = this.extent(data);
            this.plot.setScale("y", { min: low, max: high });
        });
    }

    extent(data) {
        let low = Infinity,
            high = -Infinity;
        for (const series of data.slice(1))
            for (const value of series) {
                if (value === null || value === undefined) continue;
                if (value < low) low = value;
                if (value > high) high = value;
            }
        if (!(low <= high)) return [0, 1];
        const margin = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
        return [low - margin, high + margin];
    }

    select(plot) {
        const { left, width } = plot.select;
        if (width < 3) return;
        const from = plot.posToVal(left, "x"),
            to = plot.posToVal(left + width, "x");
        this.selected = performance.now();
        plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        setRange(from, to);
    }

    click(event) {
        if (performance.now() - (this.selected ?? -1e9) < 300) return;
        setTime(this.plot.posToVal(event.offsetX, "x"));
    }

    wheel(event) {
        if (!event.ctrlKey && !event.shiftKey && !event.altKey) return; // the page scrolls
        event.preventDefault();
        const [from, to] = state.range,
            amount = event.deltaY || event.deltaX;
        if (event.shiftKey) return setRange(from + ((to - from) * amount) / 1000, to + ((to - from) * amount) / 1000);
        const at = this.plot.posToVal(event.offsetX, "x"),
            factor = Math.exp(amount / 400);
        setRange(at + (from - at) * factor, at + (to - at) * factor);
    }

    /* The line of the scene's time, and values there. */
    move() {
        if (!this.plot) return;
        const [from, to] = state.range,
            share = (state.time - from) / (to - from);
        this.line.style.display = share >= 0 && share <= 1 ? "" : "none";
        this.line.style.left = `${100 * share}%`;
        this.curves.forEach(({ data, channel }, k) => {
            const value = valueAt(data.time, data.value, state.time),
                { step } = channel.column;
            this.readings[k].textContent = withUnit(Math.abs(value) < (step ?? 0) ? 0 : value, this.unit() ? "" : channel.unit);
        });
    }

    resize() {
        if (this.plot) this.plot.setSize({ width: this.area.clientWidth, height: this.area.clientHeight });
        this.draw();
        this.move();
    }
}

export class Plots {
    constructor(place) {
        this.place = place;
        this.panes = [];
        this.empty = el("p.empty", {}, "Choose channels on the left to plot them here.");
        on("range", () => this.panes.forEach((pane) => (pane.draw(), pane.move())));
        on("time", () => this.panes.forEach((pane) => pane.move()));
        on("grown", () => this.panes.forEach((pane) => (pane.draw(), pane.move())));
        on("theme", () => this.panes.forEach((pane) => pane.build()));
        new ResizeObserver(() => this.panes.forEach((pane) => pane.resize())).observe(place);
    }

    /* Lists of names, one per plot. */
    async show(lists) {
        this.panes.forEach((pane) => pane.plot?.destroy());
        const known = lists.map((names) => names.filter(anyChannel)).filter((names) => names.length);
        this.panes = known.map((names) => new Pane(this, names));
        this.place.replaceChildren(...(this.panes.length ? this.panes.map((pane) => pane.node) : [this.empty]));
        state.panes = known.map((names) => ({ names }));
        await Promise.all(this.panes.map((pane) => pane.load()));
        emit("panes");
    }

    lists() {
        return this.panes.map((pane) => pane.names);
    }
    remove(pane) {
        return this.show(this.lists().filter((names) => names !== pane.names));
    }
    has(name) {
        return this.lists().some((names) => names.includes(name));
    }

    /* Channels of one sensor share a plot, so do others of the same unit when `together`. */
    toggle(name, together = false) {
        const lists = this.lists().map((names) => [...names]);
        if (this.has(name)) return this.show(lists.map((names) => names.filter((other) => other !== name)));
        const channel = anyChannel(name);
        const home = lists.find((names) => {
            const other = anyChannel(names[0]);
            return other.unit === channel.unit && (other.sensor === channel.sensor || together);
        });
        if (home) home.push(name);
        else lists.push([name]);
        return this.show(lists);
    }
}
