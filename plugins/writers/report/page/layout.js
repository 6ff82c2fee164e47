/* layout.js - the parts of the page: bar, panels with tabs, scene above plots, and what one drags between them. */
import { button, el } from "./dom.js";
import { emit } from "./events.js";

/* Tabs [[name, label, node]]; arrows go from one to the next. */
export function tabs(label, list) {
    const buttons = list.map(([name, text], k) =>
        el(
            "button.tab",
            {
                type: "button",
                role: "tab",
                id: "tab-" + name,
                "aria-controls": "panel-" + name,
                onclick: () => choose(k),
                onkeydown: (event) => {
                    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
                    if (!step) return;
                    event.preventDefault();
                    choose((k + step + list.length) % list.length, true);
                },
            },
            text,
        ),
    );
    const panels = list.map(([name, , node]) => Object.assign(node, { id: "panel-" + name, tabIndex: 0 }));
    panels.forEach((panel, k) => {
        panel.setAttribute("role", "tabpanel");
        panel.setAttribute("aria-labelledby", buttons[k].id);
        panel.classList.add("panel");
    });
    function choose(at, focus) {
        buttons.forEach((one, k) => {
            one.setAttribute("aria-selected", String(k === at));
            one.tabIndex = k === at ? 0 : -1;
            panels[k].hidden = k !== at;
        });
        emit("panel", panels[at]);
        if (focus) buttons[at].focus();
    }
    choose(0);
    return { node: [el("div.tabs", { role: "tablist", "aria-label": label }, ...buttons), ...panels], choose, buttons };
}

/* A bar between scene and plots, by pointer or by arrows. */
export function splitter(middle, changed) {
    let share = 0.56;
    const set = (value) => {
        share = Math.min(0.9, Math.max(0.1, value));
        middle.style.setProperty("--scene", `${share * 100}%`);
        bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
        changed();
    };
    const bar = el("div.splitter", {
        role: "separator",
        tabindex: 0,
        "aria-orientation": "horizontal",
        "aria-label": "Height of the scene",
        "aria-valuemin": 10,
        "aria-valuemax": 90,
        onpointerdown: (event) => {
            bar.setPointerCapture(event.pointerId);
            const move = (at) => {
                const box = middle.getBoundingClientRect();
                set((at.clientY - box.top) / box.height);
            };
            bar.addEventListener("pointermove", move);
            bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
        },
        onkeydown: (event) => {
            const step = { ArrowUp: -0.03, ArrowDown: 0.03 }[event.key];
            if (step) event.preventDefault(), set(share + step);
        },
    });
    set(share);
    return bar;
}

export function bar(title, badges, commands) {
    const mark = el("span.brand", { "aria-hidden": "true" });
    mark.innerHTML = '<svg viewBox="0 0 24 24"><path d="M3 4h18v5h-6v11H9V9H3z"/></svg>';
    return el(
        "header.bar",
        {},
        mark,
        el("h1", {}, title),
        ...badges,
        el("span.space"),
        ...commands.map(([label, symbol, action]) => button(label, symbol, action)),
    );
}
