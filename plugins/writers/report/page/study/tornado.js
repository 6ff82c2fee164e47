/* tornado.js - how much each variable matters: what the design has found, or, where it has found nothing of that kind, rank correlations of the cases. */
import { curveColor } from "../colors.js";
import { el, number } from "../dom.js";
import { cutText, Canvas } from "./canvas.js";
import { columnSelect } from "./choice.js";
import { head, responses, table, variables } from "./data.js";

const ROW = 30,
    TOP = 34,
    LEFT = 190;
const known = ["total effect", "first order", "mu*", "mu", "sigma"];

/* Mean ranks of values, from 0. */
function ranks(values) {
    const order = Array.from(values.keys()).sort((a, b) => values[a] - values[b]),
        rank = new Float64Array(values.length);
    for (let k = 0; k < order.length; ) {
        let end = k + 1;
        while (end < order.length && values[order[end]] === values[order[k]]) end++;
        for (let i = k; i < end; i++) rank[order[i]] = (k + end - 1) / 2;
        k = end;
    }
    return rank;
}

/* Spearman's rank correlation; NaN where one of them is constant. */
export function rankCorrelation(x, y) {
    const a = ranks(x),
        b = ranks(y),
        mean = (a.length - 1) / 2;
    let xy = 0,
        xx = 0,
        yy = 0;
    for (let k = 0; k < a.length; k++) {
        xy += (a[k] - mean) * (b[k] - mean);
        xx += (a[k] - mean) ** 2;
        yy += (b[k] - mean) ** 2;
    }
    return xy / Math.sqrt(xx * yy);
}

/* Measures: [{name, unit, bars: [{variable, value, low, high}]}] of a response. */
function answersOf(response) {
    const list = head.answers.filter(
        (one) => one.variable && !one.other && one.response === response.name && known.includes(one.name) && "value" in one,
    );
    return known
        .map((name) => ({
            name,
            unit: list.find((one) => one.name === name)?.unit ?? "",
            bars: list.filter((one) => one.name === name),
        }))
        .filter(({ bars }) => bars.length);
}

function correlationsOf(response) {
    const rows = [];
    for (let row = 0; row < table.count; row++)
        if (table.ok[row] && Number.isFinite(response.value[row])) rows.push(row);
    const y = rows.map((row) => response.value[row]);
    const bars = variables
        .filter((variable) => !variable.levels && rows.length > 2)
        .map((variable) => ({
            variable: variable.name,
            value: rankCorrelation(
                rows.map((row) => variable.value[row]),
                y,
            ),
        }))
        .filter(({ value }) => Number.isFinite(value));
    return { name: "rank correlation", unit: "", bars, count: rows.length };
}

export class Tornado {
    constructor(place) {
        this.response = columnSelect("response", responses, () => this.choose());
        this.measure = el("select", { "aria-label": "Measure", onchange: () => this.choose(this.measure.selectedIndex) });
        this.note = el("p.hint");
        this.canvas = new Canvas("How much each variable matters", (...all) => this.draw(...all));
        place.append(el("div.row.toolbar", {}, this.response.node, this.measure), this.note, this.canvas.node);
        if (responses.length) this.choose();
    }

    choose(at = 0) {
        const response = this.response.chosen(),
            found = answersOf(response),
            all = [...found, correlationsOf(response)];
        this.measure.replaceChildren(...all.map(({ name }, k) => el("option", { value: k }, name)));
        this.measure.selectedIndex = Math.min(at, all.length - 1);
        this.shown = all[this.measure.selectedIndex];
        this.bars = [...this.shown.bars].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
        this.note.textContent =
            this.shown.name === "rank correlation"
                ? `Spearman's rank correlation over ${this.shown.count} cases that are ok: it sees monotonic effects only.`
                : this.bars.some((bar) => "low" in bar)
                  ? "Bars are values of the design, lines their 95 % intervals."
                  : "Bars are values of the design.";
        this.canvas.setHeight(TOP + ROW * Math.max(1, this.bars.length) + 10);
    }

    draw(context, width, height, colours) {
        const ends = this.bars?.flatMap(({ value, low = value, high = value }) => [value, low, high]) ?? [];
        if (!ends.length) {
            context.fillStyle = colours.soft;
            context.textBaseline = "middle";
            context.fillText("There are too few cases, or no variable or response that varies.", 10, TOP);
            return;
        }
        const low = Math.min(0, ...ends),
            high = Math.max(0, ...ends),
            span = high - low || 1,
            x = (value) => LEFT + ((value - low) / span) * (width - LEFT - 80);
        context.textBaseline = "middle";
        context.fillStyle = colours.soft;
        context.textAlign = "left";
        context.fillText(this.shown.name + (this.shown.unit ? ` [${this.shown.unit}]` : ""), LEFT, 14);
        this.bars.forEach((bar, k) => {
            const y = TOP + k * ROW;
            context.fillStyle = curveColor(bar.value < 0 ? 1 : 0);
            context.fillRect(Math.min(x(0), x(bar.value)), y + 3, Math.max(1, Math.abs(x(bar.value) - x(0))), ROW - 8);
            context.fillStyle = colours.text;
            context.textAlign = "right";
            context.fillText(cutText(context, bar.variable, LEFT - 16), LEFT - 10, y + ROW / 2 - 1);
            context.textAlign = "left";
            context.fillText(number(bar.value, 4), Math.max(x(0), x(Math.max(bar.value, bar.high ?? -Infinity))) + 6, y + ROW / 2 - 1);
            if (!("low" in bar) || !("high" in bar)) return;
            context.strokeStyle = colours.text;
            context.beginPath();
            context.moveTo(x(bar.low), y + ROW / 2 - 1);
            context.lineTo(x(bar.high), y + ROW / 2 - 1);
            for (const end of [bar.low, bar.high]) context.moveTo(x(end), y + 8), context.lineTo(x(end), y + ROW - 10);
            context.stroke();
        });
        context.strokeStyle = colours.text;
        context.beginPath();
        context.moveTo(x(0) + 0.5, TOP - 4);
        context.lineTo(x(0) + 0.5, height - 6);
        context.stroke();
    }
}
