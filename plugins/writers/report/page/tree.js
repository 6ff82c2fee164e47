/* tree.js - the parts of the model, by the dots of their names: to select, hide, follow. */
import { head } from "./blocks.js";
import { emit, on, state } from "./app.js";
import { button, el } from "./dom.js";
import { isSeen, pathOf } from "./figure.js";

/* Nodes {name, path, children, type, track}: bodies and drawings of all runs. */
export function makeTree() {
    const root = { path: "", children: new Map() };
    const add = (path, more) => {
        let node = root;
        path.split(".").forEach((name) => {
            if (!node.children.has(name))
                node.children.set(name, { name, path: node.path ? node.path + "." + name : name, children: new Map() });
            node = node.children.get(name);
        });
        Object.assign(node, more);
    };
    for (const run of head.runs) {
        run.tracks.forEach((track) => add(track.name, { type: track.type, track: track.name }));
        run.drawings.filter(isSeen).forEach((drawing) => add(pathOf(drawing, run.tracks), { drawn: true }));
    }
    return root;
}

const words = (type) => (type ? type.replaceAll("_", " ") : "");

export class Tree {
    constructor(place) {
        this.rows = new Map();
        this.filter = el("input.filter", {
            type: "search",
            placeholder: "Filter parts",
            "aria-label": "Filter parts",
            oninput: () => this.find(),
        });
        this.count = head.runs[0].tracks.length + head.runs[0].drawings.length;
        this.list = this.branch(makeTree());
        place.append(
            this.filter,
            el(
                "div.row.buttons",
                {},
                el("button", { type: "button", onclick: () => this.showAll() }, "Show all"),
                el("button", { type: "button", onclick: () => this.hideOthers() }, "Only selected"),
            ),
            this.list,
        );
        on("select", (path) => this.mark(path));
        on("follow", () => this.marks());
        on("shown", () => this.marks());
    }

    branch(node) {
        const list = el("ul.tree");
        for (const child of [...node.children.values()]) list.append(this.leaf(child));
        return list;
    }

    leaf(node) {
        const box = el("input", {
            type: "checkbox",
            checked: true,
            "aria-label": "Show " + node.path,
            onchange: () => this.show(node.path, box.checked),
        });
        const name = el(
            "button.name",
            { type: "button", onclick: () => emit("select", state.selected === node.path ? null : node.path) },
            node.name,
            node.type ? el("span.type", {}, words(node.type)) : null,
        );
        const follow = node.track
            ? button(
                  "Follow " + node.path,
                  "target",
                  () => {
                      state.follow = state.follow === node.track ? null : node.track;
                      emit("follow");
                      emit("shown");
                  },
                  { "aria-pressed": "false" },
              )
            : null;
        const row = el("div.leaf", {}, box, name, follow),
            item = el("li", {}, row);
        if (node.children.size) {
            const inner = this.branch(node),
                open = this.count < 60,
                toggle = el("button.twist", {
                    type: "button",
                    "aria-expanded": String(open),
                    "aria-label": "Parts of " + node.path,
                    onclick: () => {
                        inner.hidden = !inner.hidden;
                        toggle.setAttribute("aria-expanded", String(!inner.hidden));
                    },
                });
            inner.hidden = !open;
            row.prepend(toggle);
            item.append(inner);
        } else row.prepend(el("span.twist"));
        this.rows.set(node.path, { node, row, box, follow, item });
        return item;
    }

    show(path, on) {
        if (on) state.hidden.delete(path);
        else state.hidden.add(path);
        emit("shown");
    }

    showAll() {
        state.hidden.clear();
        emit("shown");
    }

    hideOthers() {
        if (!state.selected) return;
        state.hidden.clear();
        for (const path of this.rows.keys())
            if (!path.startsWith(state.selected) && !state.selected.startsWith(path + ".")) state.hidden.add(path);
        emit("shown");
    }

    find() {
        const text = this.filter.value.trim().toLowerCase();
        for (const [path, { item }] of this.rows) {
            const inside = [...this.rows.keys()].some(
                (other) => (other === path || other.startsWith(path + ".")) && other.toLowerCase().includes(text),
            );
            item.hidden = !inside;
            if (text && inside && item.querySelector("ul")) {
                item.querySelector("ul").hidden = false;
                item.querySelector(".twist").setAttribute("aria-expanded", "true");
            }
        }
    }

    marks() {
        for (const [path, { row, box, follow, node }] of this.rows) {
            box.checked = !state.hidden.has(path);
            row.classList.toggle("off", !box.checked);
            if (follow) follow.setAttribute("aria-pressed", String(state.follow === node.track));
        }
    }

    mark(path) {
        for (const [own, { row }] of this.rows) row.classList.toggle("selected", own === path);
        if (path && this.rows.has(path)) this.rows.get(path).row.scrollIntoView({ block: "nearest" });
    }
}
