/* parallel.js - parallel coordinates: a line for each case over all axes. Dragging along an axis brushes, a double click on it ends that; a click
 * picks the nearest line. */
import { isDark, scaleColor } from "../colors.js";
import { el } from "../dom.js";
import { scaleOf, textOf } from "./axis.js";
import { Canvas, cutText } from "./canvas.js";
import { columnChoice, columnSelect } from "./choice.js";
import { objective, responses, table, variables } from "./data.js";
import { beyond } from "./limits.js";
import { cutTitle, drawLines, titleLines } from "./names.js";
import { brush, pick, state } from "./state.js";

const BOTTOM = 16,
    SIDE = 70,
    NEAR = 14,
    SLANT = Math.PI / 5, // of names that do not fit side by side
    LONGEST = 160;

export class Parallel {
    constructor(place) {
        const all = [...variables, ...responses];
        this.choice = columnChoice("axes", all, 10, () => this.canvas.ask());
        const wanted = objective()?.[0]; // of a search
        this.colour = columnSelect("colour", responses, () => this.canvas.ask(), Math.max(0, responses.indexOf(wanted)));
        this.scale = el("output.scale");
        this.canvas = new Canvas(
            "Parallel coordinates of cases; dragging along an axis chooses a range",
            (...more) => this.draw(...more),
            {
                fills: true,
                down: (x, y) => this.down(x, y),
                move: (x, y) => this.move(x, y),
                up: (x, y) => this.up(y),
                click: (x, y) => this.pickAt(x, y),
                twice: (x) => this.clear(x),
            },
        );
        const limits = responses.some(({ limited }) => limited) ? " Red parts are beyond a limit." : "";
        place.append(
            el("div.row.toolbar", {}, this.choice.node, this.colour.node, this.scale),
            el("p.hint", {}, "Dragging along an axis chooses a range, a double click on it ends that." + limits),
            this.canvas.node,
        );
        this.axes = [];
        this.drag = null;
    }

    rows() {
        const rows = [];
        for (let row = 0; row < table.count; row++) if (table.ok[row]) rows.push(row);
        return rows;
    }

    draw(context, width, height, colours) {
        const columns = this.choice.chosen(),
            rows = this.rows(),
            colour = this.colour.chosen();
        const { left, right, top, titles } = this.margins(context, columns, width),
            step = columns.length > 1 ? (width - left - right) / (columns.length - 1) : 0,
            length = height - top - BOTTOM;
        this.axes = columns.map((column, k) => {
            const scale = scaleOf(column, rows);
            return {
                column,
                scale,
                title: titles?.[k],
                top,
                bottom: top + length,
                x: columns.length > 1 ? left + k * step : width / 2,
                y: (value) => top + (1 - scale.place(value)) * length,
                value: (y) => scale.value(1 - (y - top) / length),
            };
        });
        if (!columns.length) return;
        const shade = colour ? scaleOf(colour, rows) : null;
        this.showScale(colour, shade);
        context.lineWidth = 1;
        const alpha = Math.min(0.7, Math.max(0.04, 120 / Math.max(1, rows.length)));
        for (const shown of [0, 1])
            for (const row of rows) {
                if (state.shown[row] !== shown) continue;
                context.globalAlpha = shown ? alpha : Math.min(0.05, alpha);
                context.strokeStyle = shown && shade ? this.shade(shade.place(colour.value[row])) : colours.soft;
                this.line(context, row);
            }
        context.globalAlpha = 1;
        if (state.picked !== null && table.ok[state.picked]) {
            context.strokeStyle = colours.bad;
            context.lineWidth = 2.5;
            this.line(context, state.picked);
            context.lineWidth = 1;
        }
        for (const axis of this.axes) this.axis(context, axis, step || width, colours);
    }

    /* Names stand above the axes in up to three lines, or slanted, where they do not fit. */
    margins(context, columns, width) {
        const step = (width - 2 * SIDE) / Math.max(1, columns.length - 1),
            titles = titleLines(context, columns, Math.min(step, 2 * SIDE) - 8, 3);
        if (titles) return { left: SIDE, right: SIDE, top: 18 + 13 * Math.max(1, ...titles.map((lines) => lines.length)), titles };
        const lengths = columns.map((column) => context.measureText(cutTitle(context, column, LONGEST)).width);
        return {
            left: 20,
            right: Math.max(SIDE, lengths.at(-1) * Math.cos(SLANT) + 8),
            top: Math.max(...lengths) * Math.sin(SLANT) + 24,
        };
    }

    /* Neither as light as a light page, nor as dark as a dark one. */
    shade(place) {
        const light = isDark() ? 0.4 : 0,
            [r, g, b] = scaleColor(isDark() ? place : 0.85 * place).map((share) => Math.round(255 * (light + (1 - light) * share)));
        return `rgb(${r} ${g} ${b})`;
    }

    showScale(column, scale) {
        if (!column) return;
        const bar = el("span.ramp"),
            [low, high] = [scale.low, scale.high].map((value) => textOf(column, value, 5));
        bar.style.background = `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map((place) => this.shade(place)).join(", ")})`;
        this.scale.replaceChildren(el("span.printed", {}, column.label), low, bar, high);
    }

    line(context, row) {
        context.beginPath();
        for (const { x, y, column } of this.axes) context.lineTo(x, y(column.value[row]));
        context.stroke();
    }

    axis(context, axis, step, colours) {
        const { x, y, scale, column, top, bottom } = axis;
        context.strokeStyle = colours.text;
        context.beginPath();
        context.moveTo(x + 0.5, top);
        context.lineTo(x + 0.5, bottom);
        context.stroke();
        const [from, to] = beyond(column, scale);
        context.fillStyle = colours.bad;
        context.fillRect(x - 1.5, bottom - to * (bottom - top), 4, (to - from) * (bottom - top));
        this.title(context, axis, colours);
        context.textAlign = "left";
        for (const [value, text] of scale.ticks(6)) {
            const room = axis === this.axes.at(-1) ? SIDE - 8 : step - 10,
                label = column.levels ? cutText(context, text, room) : text;
            if (context.measureText(label).width > Math.max(room, 20)) continue; // a part of a number would be wrong
            context.fillStyle = colours.panel;
            context.globalAlpha = 0.75;
            context.fillRect(x + 4, y(value) - 6, context.measureText(label).width + 2, 12);
            context.globalAlpha = 1;
            context.fillStyle = colours.soft;
            context.fillText(label, x + 5, y(value));
        }
        const range = state.brushes.get(column.at_column);
        if (!range) return;
        context.fillStyle = colours.accent;
        context.globalAlpha = 0.35;
        context.fillRect(x - 6, y(range[1]), 12, Math.max(2, y(range[0]) - y(range[1])));
        context.globalAlpha = 1;
    }

    title(context, { title, column, x, top }, colours) {
        context.textBaseline = "middle";
        context.fillStyle = colours.text;
        if (title) {
            context.textAlign = "center";
            drawLines(context, title, x, top - 12 - 13 * (title.length - 1));
            return;
        }
        context.textAlign = "left";
        context.save();
        context.translate(x, top - 8);
        context.rotate(-SLANT);
        context.fillText(cutTitle(context, column, LONGEST), 0, 0);
        context.restore();
    }

    near(x) {
        return this.axes.find((axis) => Math.abs(axis.x - x) <= NEAR) ?? null;
    }

    down(x, y) {
        const axis = this.near(x);
        this.drag = axis ? { axis, from: y } : null;
        return axis !== null;
    }

    range(y) {
        const ends = [this.drag.axis.value(this.drag.from), this.drag.axis.value(y)].sort((a, b) => a - b);
        return ends;
    }

    move(x, y) {
        this.canvas.node.title = this.near(x)?.column.label ?? "";
        if (this.drag && Math.abs(y - this.drag.from) >= 4) brush(this.drag.axis.column.at_column, this.range(y));
    }

    up(y) {
        this.move(this.drag?.axis.x ?? 0, y);
        this.drag = null;
    }

    clear(x) {
        const axis = this.near(x);
        if (axis) brush(axis.column.at_column, null);
    }

    pickAt(x, y) {
        const right = this.axes.findIndex((axis) => axis.x >= x),
            b = this.axes[right < 0 ? this.axes.length - 1 : right],
            a = this.axes[Math.max(0, (right < 0 ? this.axes.length - 1 : right) - 1)];
        if (!a) return;
        const share = b.x > a.x ? Math.min(1, Math.max(0, (x - a.x) / (b.x - a.x))) : 0;
        let found = null,
            least = NEAR;
        for (let row = 0; row < table.count; row++) {
            if (!table.ok[row] || !state.shown[row]) continue;
            const at = (1 - share) * a.y(a.column.value[row]) + share * b.y(b.column.value[row]),
                distance = Math.abs(at - y);
            if (distance < least) [found, least] = [row, distance];
        }
        if (found !== null) pick(found);
    }
}
