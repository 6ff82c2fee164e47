/* main.js - the page of a study: table of cases, plots of them, what the design has found, and the command of the case that is picked. */
import { isDark, setTheme } from "../colors.js";
import { el } from "../dom.js";
import { bar, tabs } from "../layout.js";
import { modelText } from "../toml.js";
import { answersPanel, countsPanel } from "./answers.js";
import { head, load, responses, table, variables } from "./data.js";
import { bestSoFar, History } from "./history.js";
import { Parallel } from "./parallel.js";
import { Picked } from "./picked.js";
import { hasPrecision, WorkPrecision } from "./precision.js";
import { ScatterMatrix } from "./scatter.js";
import { brush, choose, emit, filteredRows, on, pick, state } from "./state.js";
import { CaseTable } from "./table.js";
import { rankCorrelation, Tornado } from "./tornado.js";

const root = document.documentElement,
    page = document.getElementById("page");

function theme() {
    setTheme(isDark() ? "light" : "dark");
    emit("theme");
}

const looks = { ok: "finished", waiting: "running" };
const badge = ({ name, count }) => el("span.badge." + (looks[name] ?? "failed"), {}, `${count} ${name}`);

async function make() {
    await load();
    const plain = variables.length > 0 && responses.length > 0;
    const names = [
        ["cases", "Cases", CaseTable],
        plain && ["scatter", "Scatter plots", ScatterMatrix],
        plain && ["parallel", "Parallel coordinates", Parallel],
        plain && ["tornado", "Sensitivities", Tornado],
        responses.length > 0 && ["history", "History", History],
        hasPrecision() && ["precision", "Accuracy over time", WorkPrecision],
    ].filter(Boolean);
    const places = names.map(([name, label]) => [name, label, el("div.view." + name)]);
    const study = el("div.view.text", {}, modelText(head.study, "study"));
    const middle = tabs("Views", [...places, ["study", "Study", study]]);
    const side = el("aside.side.right.panel", { "aria-label": "Results of the study" });
    const foot = el("footer.picked", { "aria-label": "Case that is picked" });
    const top = bar(head.title, head.statuses.map(badge), [
        ["Results", "panel", () => side.classList.toggle("closed")],
        ["Dark or light", "theme", theme],
        ["Print", "print", () => print()],
    ]);
    const announcer = el("div.hiddenly", { id: "announcer", role: "status", "aria-live": "polite" });
    page.replaceChildren(top, el("div.work", {}, el("main.middle", {}, ...middle.node), side), foot, announcer);

    const views = Object.fromEntries(names.map(([name, , View], k) => [name, new View(places[k][2])]));
    countsPanel(side, () => {
        middle.choose(0);
        views.cases.filter.value = state.status;
        views.cases.fill();
    });
    answersPanel(side);
    new Picked(foot);
    choose();
    const viewNames = [...places.map(([name]) => name), "study"];
    const address = () => new URLSearchParams(location.hash.slice(1));
    /* The address has the view and the case: study.html#view=history&case=12. */
    function followAddress() {
        const at = viewNames.indexOf(address().get("view")),
            row = address().has("case") ? table.byNumber.get(Number(address().get("case"))) : undefined;
        if (at >= 0) middle.choose(at);
        if (row !== undefined && row !== state.picked) pick(row);
    }
    followAddress();
    addEventListener("hashchange", followAddress);
    const keep = (name, value) => {
        const parts = address();
        if (value === null) parts.delete(name);
        else parts.set(name, value);
        history.replaceState(null, "", "#" + parts);
    };
    on("picked", (row) => keep("case", row === null ? null : table.number[row]));
    on("panel", (panel) => keep("view", panel.id.replace("panel-", "")));
    window.tenon = {
        head,
        table,
        state,
        views,
        pick,
        brush,
        filteredRows,
        bestSoFar,
        rankCorrelation,
        tab: (name) => middle.choose(viewNames.indexOf(name)),
    };
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    root.dataset.ready = "1";
}

make().catch((fault) => {
    console.error(fault);
    page.replaceChildren(el("p.loading", { role: "alert" }, "The page cannot be shown: " + fault.message));
});
