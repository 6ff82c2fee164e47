/* precision.js - accuracy against time: the error of each case over the processor time that it took, by what the design has found. */
import { curveColor } from "../colors.js";
import { el } from "../dom.js";
import { columnSelect } from "./choice.js";
import { head, isSentence, table, variables } from "./data.js";
import { Plot } from "./plot.js";
import { state } from "./state.js";

const answersNamed = (name) => head.answers.filter((one) => one.name === name && one.number >= 0 && one.value > 0);
export const hasPrecision = () => answersNamed("error").length > 0 && answersNamed("effort").length > 0;

/* The values of a variable that cases have, with colours of their own. */
function groupsOf(variable, rows) {
    const values = [...new Set(rows.map((row) => variable.value[row]))].sort((a, b) => a - b);
    return new Map(values.map((value, k) => [value, k]));
}

export class WorkPrecision {
    constructor(place) {
        this.error = new Map(answersNamed("error").map((one) => [one.number, one.value]));
        this.effort = new Map(answersNamed("effort").map((one) => [one.number, one.value]));
        this.front = answersNamed("Pareto front").map((one) => one.number);
        const ask = () => this.plot.ask();
        this.group = columnSelect("colours", variables, ask);
        this.legend = el("div.legend");
        this.plot = new Plot("Error over processor time", () => this.contents());
        const notes = head.answers.filter(isSentence);
        place.append(
            el("div.row.toolbar", {}, this.group.node, this.legend),
            ...notes.map((one) => el("p." + one.name, {}, one.text)),
            this.plot.node,
        );
    }

    contents() {
        const variable = this.group.chosen(),
            numbers = [...this.error.keys()].filter((one) => this.effort.has(one) && table.byNumber.has(one)),
            groups = groupsOf(
                variable,
                numbers.map((one) => table.byNumber.get(one)),
            );
        const points = numbers.map((one) => {
            const row = table.byNumber.get(one);
            return {
                row,
                x: this.effort.get(one),
                y: this.error.get(one),
                color: curveColor(groups.get(variable.value[row])),
                faint: !state.shown[row],
            };
        });
        this.legend.replaceChildren(
            ...[...groups].map(([value, k]) => {
                const swatch = el("span.swatch");
                swatch.style.borderTopColor = curveColor(k);
                return el("span.curve", {}, swatch, variable.levels ? variable.levels[value] : String(value));
            }),
        );
        const front = this.front.map((one) => [this.effort.get(one), this.error.get(one)]).sort((a, b) => a[0] - b[0]);
        return {
            x: { title: "processor time [s]", log: true },
            y: { title: "error, as a share of the largest value", log: true },
            points,
            lines: front.every(([a, b]) => a > 0 && b > 0) ? [{ points: front, color: curveColor(6), width: 1.5 }] : [],
        };
    }
}
