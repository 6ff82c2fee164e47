/* table.js - the table of cases: sorted by a click on a head, filtered by status; only rows in sight are elements of the page. */
import { el, number } from "../dom.js";
import { textOf, titleOf } from "./axis.js";
import { head, reasonOf, statusName, table } from "./data.js";
import { choose, filteredRows, on, pick, state } from "./state.js";

const HEIGHT = 24; // of a row, as in study.css

const own = [
    { title: "case", text: (row) => String(table.number[row]), key: (row) => table.number[row] },
    { title: "status", text: (row) => statusName(table.status[row]), key: (row) => table.status[row] },
];
const reason = { title: "reason", text: reasonOf, key: reasonOf };

export class CaseTable {
    constructor(place) {
        this.columns = [
            ...own,
            ...table.columns.map((column) => ({
                title: titleOf(column),
                text: (row) => textOf({ ...column, unit: "" }, column.value[row]),
                key: (row) => column.value[row],
                isNumber: !column.levels,
            })),
            reason,
        ];
        this.sorted = 0;
        this.down = false;
        this.filter = el(
            "select",
            { "aria-label": "Status", onchange: () => ((state.status = this.filter.value), this.fill()) },
            el("option", { value: "" }, "all statuses"),
            head.statuses.length > 1 ? el("option", { value: "not ok" }, "not ok") : null,
            ...head.statuses.map(({ name }) => el("option", { value: name }, name)),
        );
        this.find = el("input.filter", {
            type: "search",
            placeholder: "case number",
            "aria-label": "Case number",
            oninput: () => this.go(Number(this.find.value)),
        });
        this.count = el("output.count");
        this.heads = this.columns.map((column, k) =>
            el(
                "th",
                { scope: "col" },
                el("button.link", { type: "button", onclick: () => this.sort(k) }, column.title),
            ),
        );
        this.body = el("tbody");
        this.before = el("tr.spacer", {}, el("td"));
        this.after = el("tr.spacer", {}, el("td"));
        this.scroller = el(
            "div.cases",
            { tabindex: 0, "aria-label": "Cases", onscroll: () => this.render() },
            el("table.grid", {}, el("thead", {}, el("tr", {}, ...this.heads)), this.body),
        );
        place.append(
            el(
                "div.row.toolbar",
                {},
                this.filter,
                this.find,
                this.count,
                el("button.plain", { type: "button", onclick: () => (state.brushes.clear(), choose()) }, "clear brushes"),
            ),
            this.scroller,
        );
        this.scroller.addEventListener("keydown", (event) => this.press(event));
        new ResizeObserver(() => this.render()).observe(this.scroller);
        on("shown", () => this.fill());
        on("picked", () => this.render());
        on("panel", () => this.render());
    }

    sort(k) {
        this.down = this.sorted === k && !this.down;
        this.sorted = k;
        this.fill();
    }

    fill() {
        const { key } = this.columns[this.sorted],
            sign = this.down ? -1 : 1;
        this.rows = filteredRows();
        const isEmpty = (value) => value === "" || Number.isNaN(value); // behind all others either way
        this.rows.sort((a, b) => {
            const x = key(a),
                y = key(b);
            if (isEmpty(x) || isEmpty(y)) return isEmpty(x) - isEmpty(y) || table.number[a] - table.number[b];
            return (x < y ? -sign : x > y ? sign : 0) || table.number[a] - table.number[b];
        });
        this.heads.forEach((node, k) =>
            node.setAttribute("aria-sort", k !== this.sorted ? "none" : this.down ? "descending" : "ascending"),
        );
        const all = number(this.rows.length, 9) + " of " + number(table.count, 9) + " rows";
        this.count.textContent = table.count < head.cases ? `${all}, of ${head.cases} cases` : all;
        this.render();
    }

    render() {
        const height = this.scroller.clientHeight;
        if (!height || !this.rows) return;
        const first = Math.max(0, Math.floor(this.scroller.scrollTop / HEIGHT) - 5),
            last = Math.min(this.rows.length, first + Math.ceil(height / HEIGHT) + 10);
        this.before.firstChild.style.height = first * HEIGHT + "px";
        this.after.firstChild.style.height = (this.rows.length - last) * HEIGHT + "px";
        this.body.replaceChildren(this.before, ...this.rows.slice(first, last).map((row) => this.line(row)), this.after);
    }

    line(row) {
        return el(
            "tr.case." + statusName(table.status[row]) + (row === state.picked ? ".picked" : ""),
            { onclick: () => pick(row), "data-case": table.number[row] },
            ...this.columns.map((column) => {
                const text = column.text(row);
                return el(column.isNumber ? "td.number" : "td", { title: text.length > 12 ? text : null }, text);
            }),
        );
    }

    go(wanted) {
        const row = table.byNumber.get(wanted),
            at = this.rows.indexOf(row);
        this.find.setAttribute("aria-invalid", String(this.find.value !== "" && at < 0));
        if (this.find.value === "" || at < 0) return;
        this.scroller.scrollTop = Math.max(0, (at - 3) * HEIGHT);
        pick(row);
    }

    press(event) {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const at = this.rows.indexOf(state.picked),
            next = Math.min(this.rows.length - 1, Math.max(0, at + step));
        if (!this.rows.length) return;
        const top = next * HEIGHT,
            { scrollTop, clientHeight } = this.scroller;
        if (top < scrollTop) this.scroller.scrollTop = top;
        if (top + 3 * HEIGHT > scrollTop + clientHeight) this.scroller.scrollTop = top + 3 * HEIGHT - clientHeight;
        pick(this.rows[next]);
    }
}
