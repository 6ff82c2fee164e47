/* canvas.js - a canvas that fills its place, is drawn when something has changed, and knows the colours of the page. */
import { el } from "../dom.js";
import { on } from "./state.js";

export class Canvas {
    /* draw(context, width, height, colours); events by pointer get x and y in its pixels. */
    constructor(label, draw, { height = 0, down, move, up, click, leave, twice } = {}) {
        this.node = el("canvas", { role: "img", "aria-label": label, tabindex: 0 });
        if (height) this.node.style.height = height + "px";
        this.draw = draw;
        this.asked = false;
        const at = (event) => {
            const box = this.node.getBoundingClientRect();
            return [event.clientX - box.left, event.clientY - box.top];
        };
        let start = null;
        this.node.addEventListener("pointerdown", (event) => {
            start = at(event);
            if (down?.(...start)) this.node.setPointerCapture(event.pointerId);
        });
        this.node.addEventListener("pointermove", (event) => move?.(...at(event)));
        this.node.addEventListener("pointerup", (event) => {
            const [x, y] = at(event);
            up?.(x, y);
            if (start && Math.hypot(x - start[0], y - start[1]) < 4) click?.(x, y);
            start = null;
        });
        this.node.addEventListener("pointerleave", () => leave?.());
        this.node.addEventListener("dblclick", (event) => twice?.(...at(event)));
        new ResizeObserver(() => this.ask()).observe(this.node);
        for (const event of ["shown", "picked", "theme", "panel"]) on(event, () => this.ask());
    }

    setHeight(height) {
        this.node.style.height = height + "px";
        this.ask();
    }

    ask() {
        if (this.asked) return;
        this.asked = true;
        requestAnimationFrame(() => {
            this.asked = false;
            this.render();
        });
    }

    render() {
        const width = this.node.clientWidth,
            height = this.node.clientHeight,
            ratio = devicePixelRatio || 1;
        if (!width || !height) return; // it is hidden
        this.node.width = Math.round(width * ratio);
        this.node.height = Math.round(height * ratio);
        const context = this.node.getContext("2d", { willReadFrequently: true }); // many small marks are drawn faster without the graphics card
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.font = "11px system-ui, sans-serif";
        const style = getComputedStyle(document.documentElement),
            colour = (name) => style.getPropertyValue("--" + name).trim();
        this.draw(context, width, height, {
            text: colour("text"),
            soft: colour("text-soft"),
            grid: colour("grid"),
            line: colour("line"),
            accent: colour("accent"),
            bad: colour("bad"),
            good: colour("good"),
            panel: colour("panel"),
        });
    }
}

/* A text that is cut to a width. */
export function cutText(context, text, width) {
    if (context.measureText(text).width <= width) return text;
    let length = text.length;
    while (length > 1 && context.measureText(text.slice(0, length) + "…").width > width) length--;
    return text.slice(0, length) + "…";
}
