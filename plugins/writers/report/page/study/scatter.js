/* scatter.js - each response over each variable; a click picks the nearest case. Cases that have ended otherwise than ok are marks below. */
import { curveColor } from "../colors.js";
import { scaleOf } from "./axis.js";
import { Canvas, cutText } from "./canvas.js";
import { columnChoice } from "./choice.js";
import { responses, statusName, table, variables } from "./data.js";
import { drawLimit } from "./limits.js";
import { drawLines, drawTicks, textWithin, titlesWithin } from "./names.js";
import { pick, state } from "./state.js";
import { el } from "../dom.js";

const LEFT = 84,
    BOTTOM = 58, // texts of ticks and titles, of two lines each
    GAP = 8,
    NARROWEST = 140,
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
        const changed = () => this.canvas.ask();
        this.across = columnChoice("across", [...variables, ...responses], Math.min(6, variables.length || 1), changed);
        this.up = columnChoice("up", [...responses, ...variables], Math.min(4, responses.length || 1), changed);
        this.canvas = new Canvas(
            "Responses over variables; a click picks the nearest case",
            (...all) => this.draw(...all),
            { click: (x, y) => this.pickAt(x, y) },
        );
        place.append(el("div.row.toolbar", {}, this.across.node, this.up.node), this.canvas.node);
        this.panels = [];
    }

    /* The places of panels: columns that do not fit beside each other go on below. */
    arrange(context, width) {
        const across = this.across.chosen(),
            up = this.up.chosen(),
            most = Math.max(1, Math.floor((width - LEFT) / NARROWEST)),
            each = Math.ceil(across.length / Math.ceil(across.length / most)) || 1,
            w = (width - LEFT) / each,
            h = Math.max(200, Math.min(320, 480 / Math.max(1, up.length))),
            titles = titlesWithin(context, across, w - GAP, 2),
            texts = across.map((x) => x.brief?.map((text) => textWithin(context, text, (w - GAP) / x.brief.length - 6, 2)));
        const panels = [];
        let top = GAP;
        for (let first = 0; first < across.length; first += each) {
            const band = across.slice(first, first + each);
            up.forEach((y, j) =>
                band.forEach((x, i) => {
                    const isLast = j === up.length - 1;
                    panels.push({
                        x,
                        y,
                        left: LEFT + i * w,
                        top: top + j * h,
                        width: w - GAP,
                        height: h - GAP,
                        isFirst: i === 0,
                        title: isLast ? titles[first + i] : null,
                        texts: texts[first + i],
                    });
                }),
            );
            top += up.length * h + BOTTOM;
        }
        return { panels, height: up.length ? top : GAP };
    }

    draw(context, width, height, colours) {
        const { panels, height: wanted } = this.arrange(context, width);
        this.panels = panels;
        if (Math.abs(wanted - height) >= 1) return this.canvas.setHeight(wanted); // which draws again
        const rows = [];
        for (let row = 0; row < table.count; row++) if (table.ok[row]) rows.push(row);
        const failed = failedRows(),
            both = [...rows, ...failed],
            scales = new Map(),
            scale = (column, which) => scales.get(column) ?? scales.set(column, scaleOf(column, which)).get(column);
        for (const panel of panels) {
            const { x, y, left, top, width: w, height: h } = panel,
                xs = scale(x, x.kind === "variable" ? both : rows),
                ys = scale(y, y.kind === "variable" ? both : rows);
            panel.at = (row) => [left + xs.place(x.value[row]) * w, top + (1 - ys.place(y.value[row])) * h];
            this.frame(context, panel, xs, ys, colours);
            this.points(context, panel, rows, colours);
            if (x.kind !== "variable") continue;
            panel.below = (row) => [left + xs.place(x.value[row]) * w, top + h - MARK / 2];
            this.marks(context, panel, failed, colours);
        }
    }

    frame(context, panel, xs, ys, colours) {
        const { left, top, width, height, x, y, isFirst, title, texts } = panel,
            px = (value) => left + xs.place(value) * width;
        drawLimit(context, colours, x, xs, panel, true);
        drawLimit(context, colours, y, ys, panel);
        context.strokeStyle = colours.line;
        context.strokeRect(left + 0.5, top + 0.5, width, height);
        context.textBaseline = "middle";
        context.fillStyle = colours.soft;
        context.textAlign = "right";
        for (const [value, text] of isFirst ? ys.ticks(4) : [])
            context.fillText(cutText(context, text, LEFT - 36), left - 5, top + (1 - ys.place(value)) * height);
        if (title) {
            context.textAlign = "center";
            if (texts) texts.forEach((lines, k) => drawLines(context, lines, px(k), top + height + 10, 11));
            else drawTicks(context, xs.ticks(Math.max(3, Math.floor(width / 60))), px, left, left + width, top + height + 10);
            context.fillStyle = colours.text;
            const under = texts?.some((lines) => lines.length > 1) ? 37 : 26;
            drawLines(context, title, left + width / 2, top + height + under);
        }
        if (!isFirst) return;
        context.fillStyle = colours.text;
        context.textAlign = "center";
        context.save();
        context.translate(9, top + height / 2);
        context.rotate(-Math.PI / 2);
        drawLines(context, titlesWithin(context, [y], height, 2)[0], 0, 0);
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
