/* history.js - a response over the numbers of cases, with the best one so far: how a search went. */
import { curveColor } from "../colors.js";
import { el, number, withUnit } from "../dom.js";
import { titleOf } from "./axis.js";
import { columnSelect } from "./choice.js";
import { head, keepsLimits, objective, responses, table } from "./data.js";
import { Plot } from "./plot.js";
import { state } from "./state.js";

/* Points [number, value] where the best so far changes, and its last one. */
export function bestSoFar(points, sign) {
    const line = [];
    let best = null;
    for (const one of points) {
        if (one.hollow || (best !== null && !(sign * one.y < sign * best))) continue;
        if (best !== null) line.push([one.x, best]);
        best = one.y;
        line.push([one.x, best]);
    }
    if (line.length && points.length) line.push([points[points.length - 1].x, best]);
    return line;
}

export class History {
    constructor(place) {
        const found = objective();
        const measured = responses.findIndex((column) => column.data);
        const at = found ? responses.indexOf(found[0]) : Math.max(0, measured);
        const ask = () => this.plot.ask();
        this.response = columnSelect("response", responses, ask, at);
        this.sense = el(
            "select",
            { "aria-label": "Best is", onchange: ask },
            el("option", { value: 1 }, "least is best"),
            el("option", { value: -1 }, "greatest is best"),
        );
        this.sense.selectedIndex = found?.[1] === -1 ? 1 : 0;
        this.scale = el("input", { type: "checkbox", onchange: ask });
        this.best = el("output.count");
        this.plot = new Plot("Response over the number of the case, with the best so far", () => this.contents());
        place.append(
            el("div.row.toolbar", {}, this.response.node, this.sense, el("label.check", {}, this.scale, "logarithmic"), this.best),
            el(
                "p.hint",
                {},
                "Best so far is of cases that keep all limits; others are hollow." +
                    (table.count < head.cases ? " The page has a choice of cases, but none that was best so far is missing." : ""),
            ),
            this.plot.node,
        );
    }

    contents() {
        const response = this.response.chosen(),
            sign = Number(this.sense.value),
            points = [];
        for (let row = 0; response && row < table.count; row++) {
            const y = response.value[row];
            if (!table.ok[row] || !Number.isFinite(y)) continue;
            points.push({
                row,
                x: table.number[row],
                y,
                color: curveColor(0),
                hollow: !keepsLimits(row),
                faint: !state.shown[row],
            });
        }
        const line = bestSoFar(points, sign),
            last = line[line.length - 1];
        this.best.textContent = last
            ? `best: ${withUnit(last[1], response.unit, 6)}, case ${number(line[line.length - 2]?.[0] ?? last[0], 9)}`
            : "no case is ok and keeps all limits";
        return {
            x: { title: "case", log: false },
            y: { title: response ? titleOf(response) : "", log: this.scale.checked },
            points,
            lines: [{ points: line, color: curveColor(1) }],
        };
    }
}
