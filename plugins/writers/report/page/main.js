/* main.js - makes the page: reads motion and channels, builds its parts, and says when all is drawn. */
import { head } from "./blocks.js";
import { emit, on, setRange, setTime, showAll, state } from "./app.js";
import { keepAddress, readAddress } from "./address.js";
import { ChannelList } from "./channel_list.js";
import { setTheme, isDark, scaleStops } from "./colors.js";
import { anyChannel, channelOf, load, names } from "./columns.js";
import { announce, button, el, number, withUnit } from "./dom.js";
import { countMessages, messagesPanel, modelPanel, runPanel, statisticsPanel } from "./info.js";
import { Keys } from "./keys.js";
import { followRun } from "./live.js";
import { bar, splitter, tabs } from "./layout.js";
import { readMotion } from "./motion.js";
import { Plots, pointsOf } from "./plots.js";
import { View } from "./scene.js";
import { Transport } from "./transport.js";
import { Tree } from "./tree.js";
import { ViewPanel } from "./view_panel.js";

const root = document.documentElement,
    page = document.getElementById("page");
const wide = () => innerWidth >= 1180;

/* The sensors that are plotted at first: the first ones, whole, as many as there is room for, at most three. */
function firstPlots() {
    const lists = [],
        most = Math.min(3, Math.max(1, Math.floor((0.44 * (innerHeight - 90)) / 122)));
    for (const name of names) {
        const channel = anyChannel(name);
        const home = lists.find(
            (list) => anyChannel(list[0]).sensor === channel.sensor && anyChannel(list[0]).unit === channel.unit,
        );
        if (home) {
            if (home.length < 6) home.push(name);
        } else if (lists.length < most) lists.push([name]);
    }
    return lists;
}

/* ---- the scene's frame ---------------------------------------------------------------------------------------------- */

function scenePlace() {
    const place = el("section.scene", { "aria-label": "Scene" });
    const tip = el("div.tip", { hidden: true }),
        legend = el("div.colorbar", { hidden: true }),
        distance = el("div.distance", { hidden: true });
    place.append(tip, legend, distance);
    return { place, tip, legend, distance };
}

function sceneTools(view) {
    const tool = (label, text, action) =>
        el("button.tool.word", { type: "button", title: label, "aria-label": label, onclick: action }, text);
    const projection = tool(
        "Perspective or parallel (P)",
        "Persp",
        () => (projection.textContent = view.project() ? "Ortho" : "Persp"),
    );
    const measure = button("Measure (M)", "measure", () => toggleMeasure(measure), { "aria-pressed": "false" });
    const tools = el(
        "div.tools",
        { role: "toolbar", "aria-label": "View" },
        tool("From above the side (1)", "Iso", () => view.look("iso")),
        tool("Front (2)", "Front", () => view.look("front")),
        tool("Side (3)", "Side", () => view.look("side")),
        tool("Top (4)", "Top", () => view.look("top")),
        projection,
        button("All in sight (F)", "fit", () => view.fit()),
        measure,
        button("Save a picture", "photo", () => save(view.canvas.toDataURL("image/png"), "scene.png")),
    );
    return { tools, measure, projection };
}

function toggleMeasure(button) {
    state.measuring = !state.measuring;
    button.setAttribute("aria-pressed", String(state.measuring));
    document.body.classList.toggle("measuring", state.measuring);
    if (!state.measuring) state.measure = [null, null];
    announce(state.measuring ? "Click on two places." : "");
    emit("shown");
}

function save(address, name) {
    const link = el("a", { href: address, download: name });
    link.click();
}

function watchScene(view, { tip, legend, distance }) {
    let waiting = false;
    view.canvas.addEventListener("pointermove", (event) => {
        if (waiting || event.buttons) return;
        waiting = true;
        requestAnimationFrame(() => {
            waiting = false;
            const item = view.hover(event);
            tip.hidden = !item;
            if (!item) return;
            tip.textContent = item.path;
            const box = view.canvas.getBoundingClientRect();
            tip.style.transform = `translate(${event.clientX - box.left + 14}px, ${event.clientY - box.top + 12}px)`;
        });
    });
    view.canvas.addEventListener("pointerleave", () => (tip.hidden = true));
    on("legend", (coloring) => {
        legend.hidden = !coloring.key;
        const bar = el("span.scale");
        bar.style.background = `linear-gradient(to right, ${scaleStops})`;
        legend.replaceChildren(
            el("span.what", {}, coloring.key + (coloring.unit ? ` [${coloring.unit}]` : "")),
            bar,
            el("span.ends", {}, el("span", {}, number(coloring.range[0], 4)), el("span", {}, number(coloring.range[1], 4))),
        );
    });
    on("rendered", () => {
        const one = view.scenes.find((scene) => scene.measured);
        distance.hidden = !one;
        if (!one) return;
        const { a, b } = one.measured,
            [x, y] = view.screenOf(a.clone().add(b).multiplyScalar(0.5), view.scenes.indexOf(one));
        distance.textContent = withUnit(a.distanceTo(b), "m", 6);
        distance.style.transform = `translate(${x}px, ${y}px) translate(-50%, -130%)`;
    });
}

/* ---- all of it ----------------------------------------------------------------------------------------------------- */

/* [keys, what they do, their actions]. */
function commands(view, transport, tools, keys) {
    const look = (name) => () => view?.look(name);
    return [
        [[" "], "play, pause", [() => transport.toggle()]],
        [["ArrowLeft", "ArrowRight"], "one frame back, on", [() => transport.step(-1), () => transport.step(1)]],
        [["Shift+ArrowLeft", "Shift+ArrowRight"], "ten frames back, on", [() => transport.step(-10), () => transport.step(10)]],
        [["Home", "End"], "first, last time", [() => setTime(state.start), () => setTime(state.end)]],
        [["+", "-"], "faster, slower", [() => transport.faster(1), () => transport.faster(-1)]],
        [["l"], "loop", [() => transport.loop()]],
        [["1", "2", "3", "4"], "view from above the side, front, side, top", ["iso", "front", "side", "top"].map(look)],
        [["f"], "all in sight", [() => view?.fit()]],
        [["p"], "perspective or parallel", [() => tools.projection?.click()]],
        [["m"], "measure between two places", [() => tools.measure && toggleMeasure(tools.measure)]],
        [["o"], "follow the selected body, or no longer", [follow]],
        [["h"], "hide the selected part", [() => state.selected && (state.hidden.add(state.selected), emit("shown"))]],
        [["a"], "show all parts", [() => (state.hidden.clear(), emit("shown"))]],
        [["r"], "all of the run in the plots", [showAll]],
        [["t"], "dark or light", [theme]],
        [["Escape"], "select nothing", [() => (state.measuring ? toggleMeasure(tools.measure) : emit("select", null))]],
        [["?"], "this help", [() => keys.current.help()]],
    ];
}

function follow() {
    const track = head.runs[0].tracks.find((one) => one.name === state.selected || state.selected?.startsWith(one.name + "."));
    state.follow = state.follow || !track ? null : track.name;
    emit("follow");
    emit("shown");
}

function theme() {
    setTheme(isDark() ? "light" : "dark");
    emit("theme");
}

async function makeView(parts) {
    try {
        const motions = await Promise.all(head.runs.map(readMotion));
        const view = new View(parts.place);
        await view.build(motions);
        return { view, motions };
    } catch (fault) {
        console.warn("no scene: " + fault);
        parts.place.classList.add("without");
        parts.place.append(el("p.empty", {}, "This browser shows no WebGL: the page has its plots and texts only."));
        return { view: null, motions: [] };
    }
}

const messagesLabel = () => (countMessages() ? `Messages (${countMessages()})` : "Messages");

function badge(run, r) {
    return el("span.badge." + run.status, {}, head.runs.length > 1 ? `${r ? "B" : "A"} ${run.status}` : run.status);
}

async function make() {
    const parts = scenePlace(),
        plotsPlace = el("section.plots", { "aria-label": "Plots" });
    const middle = el("main.middle"),
        work = el("div.work"),
        foot = el("footer.transport", { "aria-label": "Time" });
    const [tree, list, viewPlace, run, messages, statistics, model] = [
        "tree",
        "channels",
        "view",
        "run",
        "messages",
        "statistics",
        "model",
    ].map(() => el("div"));
    const left = tabs("Model", [
        ["parts", "Parts", tree],
        ["channels", "Channels", list],
        ["view", "View", viewPlace],
    ]);
    messagesPanel(messages);
    const right = tabs("Texts", [
        ["run", "Run", run],
        ["messages", messagesLabel(), messages],
        ["statistics", "Statistics", statistics],
        ["model", "Model", model],
    ]);
    const leftSide = el("aside.side.left", { "aria-label": "Parts, channels, view" }, ...left.node),
        rightSide = el("aside.side.right", { "aria-label": "Run, messages, statistics, model" }, ...right.node);
    const keys = { current: null };
    const toggle = (side) => () => side.classList.toggle("closed");
    const badges = head.runs.map(badge);
    const top = bar(head.title, badges, [
        ["Left panel", "panel", toggle(leftSide)],
        ["Right panel", "panel", toggle(rightSide)],
        ["Dark or light (T)", "theme", theme],
        ["Print", "print", () => print()],
        ["Help (?)", "help", () => keys.current.help()],
    ]);
    top.querySelectorAll(".tool")[0].classList.add("mirrored");
    if (!wide()) rightSide.classList.add("closed");
    middle.append(
        parts.place,
        splitter(middle, () => {}),
        plotsPlace,
    );
    work.append(leftSide, middle, rightSide);
    page.replaceChildren(top, work, foot, el("div.hiddenly", { id: "announcer", role: "status", "aria-live": "polite" }));
    if (!head.live && head.runs.some((one) => one.status !== "finished")) announce("The run was not finished.");

    runPanel(run);
    modelPanel(model);
    middle.classList.toggle("without-plots", !names.length);
    const plots = new Plots(plotsPlace);
    const wanted = readAddress();
    const [{ view, motions }] = await Promise.all([makeView(parts), plots.show(wanted.plots ?? firstPlots())]);
    statisticsPanel(statistics, plots);
    new Tree(tree);
    new ChannelList(list, plots).marks();
    const viewPanel = new ViewPanel(viewPlace, view);
    const times = () => (motions[0]?.time?.length ? motions[0].time : (plots.panes[0]?.curves[0]?.data.time ?? []));
    const transport = new Transport(foot, times);
    const tools = view ? sceneTools(view) : {};
    if (view && !view.figures.some((figure) => figure.items.length)) {
        parts.place.classList.add("without");
        view.canvas.hidden = true;
        parts.place.append(el("p.empty", {}, "No part of this model has a place in space: there is no scene."));
        left.choose(1);
    } else if (view) {
        parts.place.append(tools.tools);
        if (head.runs.length > 1)
            parts.place.append(
                el("span.side-label.a", {}, "A: " + head.runs[0].title),
                el("span.side-label.b", {}, "B: " + head.runs[1].title),
            );
        watchScene(view, parts);
        // a run of modes alone has nothing else that moves
        if (head.runs[0].modes.length && !(state.end > state.start)) left.choose(2), viewPanel.chooseFirst();
    }
    on("select", (path) => {
        state.selected = path;
        if (path) left.choose(0);
        view?.ask();
    });
    keys.current = new Keys(commands(view, transport, tools, keys));
    keepAddress(plots);
    addEventListener("beforeprint", () => view?.render());
    if (/[#&]still=1/.test(location.hash)) still(view);
    window.tenon = hook(view, plots, transport);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    if (view?.wanted) view.render();
    root.dataset.ready = "1";
    if (!head.live) return;
    const panels = [
        [run, runPanel],
        [messages, messagesPanel],
        [statistics, (place) => statisticsPanel(place, plots)],
    ];
    on("grown", () => (right.buttons[1].textContent = messagesLabel()));
    followRun({ badge: badges[0], frames: motions[0], view, panels });
}

/* The scene alone, for pictures of it. */
function still(view) {
    document.body.classList.add("still");
    if (!view) return;
    view.resize();
    if (!state.follow) view.look("iso");
}

/* ---- for tests -------------------------------------------------------------------------------------------------------- */

function hook(view, plots, transport) {
    return {
        state,
        head,
        names,
        view,
        plots,
        transport,
        setTime,
        setRange,
        showAll,
        rows: (name, run = 0) => channelOf(name, run).table.kept,
        /* The row of a channel: [time, value]. */
        row: async (name, row, run = 0) => {
            const { time, value } = await load(channelOf(name, run));
            return [time[row], value[row]];
        },
        /* What the plot of a channel shows: [times, values]. */
        plotted: (name, run = 0) => {
            const pane = plots.panes.find((one) => one.names.includes(name));
            const k = pane.curves.findIndex((curve) => curve.name === name && (curve.run ?? 0) === run);
            const [x] = pane.plot.data,
                y = pane.plot.data[k + 1],
                seen = x
                    .map((t, i) => [t, y[i]])
                    .filter(([t, v]) => v !== undefined && t >= state.range[0] && t <= state.range[1]);
            return [seen.map(([t]) => t), seen.map(([, v]) => v)];
        },
        pointsOf,
        show: (lists) => plots.show(lists),
        poses: (run = 0) => Array.from(view.figures[run].poses),
    };
}

make().catch((fault) => {
    console.error(fault);
    page.replaceChildren(el("p.loading", { role: "alert" }, "The page cannot be shown: " + fault.message));
});
