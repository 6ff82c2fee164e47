/* scatter.js - each response over each variable; a click picks the nearest case. Cases that have ended otherwise than ok are marks below. */
import { curveColor } from "../colors.js";
import { scaleOf, titleOf } from "./axis.js";
import { Canvas, cutText } from "./canvas.js";
import { columnChoice } from "./choice.js";
import { responses, statusName, table, variables } from "./data.js";
import { pick, state } from "./state.js";
import { el } from "../dom.js";

const LEFT = 74,
    BOTTOM = 34,
    GAP = 8,
    NEAR = 12, // pixels of a click
    MARK = 7; // length of that of a case that has failed

function failedRows() {
    const rows = [];
    for (let row = 0; row < table.count; row++) {
        const name = statusName(table.status[row]);
        if (name !== "ok" && name !== "waiting") rows.push(row);
    }
    return rows;
}

export class ScatterMatrix {
    constructor(place) {
        const changed = () => this.layout();
        this.across = columnChoice("across", [...variables, ...responses], Math.min(6, variables.length || 1), changed);
        this.up = columnChoice("up", [...responses, ...variables], Math.min(4, responses.length || 1), changed);
        this.canvas = new Canvas(
            "Responses over variables; a click picks the nearest case",
            (...all) => this.draw(...all),
            { click: (x, y) => this.pickAt(x, y) },
        );
        place.append(el("div.row.toolbar", {}, this.across.node, this.up.node), this.canvas.node);
        this.panels = [];
        this.layout();
    }

    layout() {
        this.canvas.setHeight(Math.max(1, this.up.chosen().length) * 200 + BOTTOM + GAP);
    }

    draw(context, width, height, colours) {
        const across = this.across.chosen(),
            up = this.up.chosen();
        const rows = [];
        for (let row = 0; row < table.count; row++) if (table.ok[row]) rows.push(row);
        const failed = failedRows(),
            both = [...rows, ...failed];
        const w = (width - LEFT - GAP) / Math.max(1, across.length),
            h = (height - BOTTOM - GAP) / Math.max(1, up.length);
        const xs = across.map((column) => scaleOf(column, column.kind === "variable" ? both : rows)),
            ys = up.map((column) => scaleOf(column, rows));
        this.panels = [];
        up.forEach((y, j) =>
            across.forEach((x, i) => {
                const panel = { x, y, left: LEFT + i * w, top: GAP + j * h, width: w - GAP, height: h - GAP };
                panel.at = (row) => [
                    panel.left + xs[i].place(x.value[row]) * panel.width,
                    panel.top + (1 - ys[j].place(y.value[row])) * panel.height,
                ];
                this.panels.push(panel);
                this.frame(context, panel, xs[i], ys[j], i === 0, j === up.length - 1, colours);
                this.points(context, panel, rows, colours);
                if (x.kind !== "variable") return;
                panel.below = (row) => [panel.left + xs[i].place(x.value[row]) * panel.width, panel.top + panel.height - MARK / 2];
                this.marks(context, panel, failed, colours);
            }),
        );
    }

    frame(context, { left, top, width, height, x, y }, xScale, yScale, isFirst, isLast, colours) {
        context.strokeStyle = colours.line;
        context.strokeRect(left + 0.5, top + 0.5, width, height);
        context.fillStyle = colours.soft;
        context.textBaseline = "middle";
        for (const [value, text] of isFirst ? yScale.ticks(4) : []) {
            context.textAlign = "right";
            context.fillText(cutText(context, text, LEFT - 24), left - 5, top + (1 - yScale.place(value)) * height);
        }
        context.textAlign = "center";
        for (const [value, text] of isLast ? xScale.ticks(Math.floor(width / 70)) : [])
            context.fillText(cutText(context, text, 66), left + xScale.place(value) * width, top + height + 10);
        context.fillStyle = colours.text;
        if (isLast) context.fillText(cutText(context, titleOf(x), width), left + width / 2, top + height + 25);
        if (!isFirst) return;
        context.save();
        context.translate(9, top + height / 2);
        context.rotate(-Math.PI / 2);
        context.fillText(cutText(context, titleOf(y), height), 0, 0);
        context.restore();
    }

    points(context, panel, rows, colours) {
        const size = rows.length > 5000 ? 1.6 : rows.length > 500 ? 2.6 : 4;
        // those that are brushed away lie below
        for (const shown of [0, 1]) {
            context.globalAlpha = shown ? (rows.length > 5000 ? 0.55 : 0.8) : 0.25;
            context.fillStyle = shown ? curveColor(0) : colours.soft;
            for (const row of rows) {
                if (state.shown[row] !== shown) continue;
                const [x, y] = panel.at(row);
                context.fillRect(x - size / 2, y - size / 2, size, size);
            }
        }
        context.globalAlpha = 1;
        if (state.picked === null || !table.ok[state.picked]) return;
        const [x, y] = panel.at(state.picked);
        context.strokeStyle = colours.bad;
        context.lineWidth = 2;
        context.beginPath();
        context.arc(x, y, 6, 0, 2 * Math.PI);
        context.stroke();
        context.lineWidth = 1;
    }

    marks(context, panel, failed, colours) {
        for (const row of failed) {
            if (!state.shown[row]) continue;
            const [x, y] = panel.below(row),
                size = row === state.picked ? 2 * MARK : MARK;
            context.fillStyle = colours.bad;
            context.globalAlpha = row === state.picked || failed.length < 200 ? 1 : 0.4;
            context.fillRect(x - 0.75, y + MARK / 2 - size, 1.5, size);
        }
        context.globalAlpha = 1;
    }

    pickAt(x, y) {
        const panel = this.panels.find(
            (one) => x >= one.left && x <= one.left + one.width && y >= one.top && y <= one.top + one.height,
        );
        if (!panel) return;
        let found = null,
            least = NEAR;
        const below = new Set(panel.below ? failedRows() : []);
        for (let row = 0; row < table.count; row++) {
            if (!state.shown[row] || !(table.ok[row] || below.has(row))) continue;
            const [px, py] = (table.ok[row] ? panel.at : panel.below)(row),
                distance = Math.hypot(px - x, py - y);
            if (distance < least) [found, least] = [row, distance];
        }
        if (found !== null) pick(found);
    }
}
