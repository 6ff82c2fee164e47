/* parallel.js - parallel coordinates: a line for each case over all axes. Dragging along an axis brushes, a double click on it ends that; a click
 * picks the nearest line. */
import { scaleColor } from "../colors.js";
import { el } from "../dom.js";
import { scaleOf, titleOf } from "./axis.js";
import { Canvas, cutText } from "./canvas.js";
import { columnChoice, columnSelect } from "./choice.js";
import { objective, responses, table, variables } from "./data.js";
import { brush, pick, state } from "./state.js";

const TOP = 44,
    BOTTOM = 16,
    SIDE = 70,
    NEAR = 14;

export class Parallel {
    constructor(place) {
        const all = [...variables, ...responses];
        this.choice = columnChoice("axes", all, 10, () => this.canvas.ask());
        const wanted = objective()?.[0]; // of a search
        this.colour = columnSelect("colour", responses, () => this.canvas.ask(), Math.max(0, responses.indexOf(wanted)));
        this.canvas = new Canvas(
            "Parallel coordinates of cases; dragging along an axis chooses a range",
            (...more) => this.draw(...more),
            {
                height: 460,
                down: (x, y) => this.down(x, y),
                move: (x, y) => this.move(y),
                up: (x, y) => this.up(y),
                click: (x, y) => this.pickAt(x, y),
                twice: (x) => this.clear(x),
            },
        );
        place.append(
            el(
                "div.row.toolbar",
                {},
                this.choice.node,
                this.colour.node,
                el("span.hint", {}, "drag along an axis to choose a range, double click to end that"),
            ),
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
        const step = columns.length > 1 ? (width - 2 * SIDE) / (columns.length - 1) : 0,
            length = height - TOP - BOTTOM;
        this.axes = columns.map((column, k) => {
            const scale = scaleOf(column, rows);
            return {
                column,
                scale,
                x: columns.length > 1 ? SIDE + k * step : width / 2,
                y: (value) => TOP + (1 - scale.place(value)) * length,
                value: (y) => scale.value(1 - (y - TOP) / length),
            };
        });
        if (!columns.length) return;
        const shade = colour ? scaleOf(colour, rows) : null;
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
        for (const axis of this.axes) this.axis(context, axis, height, step || width, colours);
    }

    shade(place) {
        const [r, g, b] = scaleColor(place).map((share) => Math.round(255 * share));
        return `rgb(${r} ${g} ${b})`;
    }

    line(context, row) {
        context.beginPath();
        for (const { x, y, column } of this.axes) context.lineTo(x, y(column.value[row]));
        context.stroke();
    }

    axis(context, axis, height, step, colours) {
        const { x, y, scale, column } = axis;
        context.strokeStyle = colours.text;
        context.beginPath();
        context.moveTo(x + 0.5, TOP);
        context.lineTo(x + 0.5, height - BOTTOM);
        context.stroke();
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillStyle = colours.text;
        context.fillText(cutText(context, titleOf(column), Math.min(step, 2 * SIDE) - 8), x, 14);
        context.textAlign = "left";
        for (const [value, text] of scale.ticks(6)) {
            const label = cutText(context, text, Math.min(step - 10, SIDE - 8));
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

    move(y) {
        if (this.drag && Math.abs(y - this.drag.from) >= 4) brush(this.drag.axis.column.at_column, this.range(y));
    }

    up(y) {
        this.move(y);
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
