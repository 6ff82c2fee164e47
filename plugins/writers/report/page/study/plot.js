/* plot.js - one plot with axes: points that can be picked, and lines. */
import { scaleOf } from "./axis.js";
import { Canvas, cutText } from "./canvas.js";
import { pick, state } from "./state.js";

const LEFT = 84,
    RIGHT = 16,
    TOP = 14,
    BOTTOM = 44,
    NEAR = 14,
    MANY = 2000; // points, which are drawn as squares

export class Plot {
    /* contents(): {x, y: columns of values by index of point, points: [{row, x, y, color, hollow}], lines: [{points: [[x, y]], color, width}]} */
    constructor(label, contents, height = 420) {
        this.contents = contents;
        this.canvas = new Canvas(label, (...all) => this.draw(...all), { height, click: (x, y) => this.pickAt(x, y) });
        this.node = this.canvas.node;
        this.placed = [];
    }

    ask() {
        this.canvas.ask();
    }

    draw(context, width, height, colours) {
        const { x, y, points, lines } = this.contents();
        const all = points.map((_, k) => k);
        const xs = scaleOf({ ...x, value: points.map((one) => one.x) }, all, { log: x.log }),
            ys = scaleOf({ ...y, value: points.map((one) => one.y) }, all, { log: y.log });
        const px = (value) => LEFT + xs.place(value) * (width - LEFT - RIGHT),
            py = (value) => TOP + (1 - ys.place(value)) * (height - TOP - BOTTOM);
        this.frame(context, width, height, colours, { x, y, xs, ys, px, py });
        this.placed = points.map((one) => [px(one.x), py(one.y), one.row]);
        points.forEach((one, k) => {
            const [a, b] = this.placed[k];
            context.globalAlpha = one.faint ? 0.3 : 0.85;
            context.fillStyle = context.strokeStyle = one.color;
            if (points.length > MANY) {
                if (one.hollow) context.strokeRect(a - 1.5, b - 1.5, 3, 3);
                else context.fillRect(a - 1.5, b - 1.5, 3, 3);
                return;
            }
            context.beginPath();
            context.arc(a, b, 3.5, 0, 2 * Math.PI);
            if (one.hollow) context.stroke();
            else context.fill();
        });
        context.globalAlpha = 1;
        for (const line of lines) {
            context.strokeStyle = line.color;
            context.lineWidth = line.width ?? 2;
            context.beginPath();
            for (const [a, b] of line.points) context.lineTo(px(a), py(b));
            context.stroke();
        }
        context.lineWidth = 2;
        context.strokeStyle = colours.bad;
        for (const [a, b, row] of this.placed)
            if (row === state.picked) context.beginPath(), context.arc(a, b, 7, 0, 2 * Math.PI), context.stroke();
        context.lineWidth = 1;
    }

    frame(context, width, height, colours, { x, y, xs, ys, px, py }) {
        context.textBaseline = "middle";
        context.strokeStyle = colours.grid;
        context.beginPath();
        context.fillStyle = colours.soft;
        for (const [value, text] of xs.ticks(Math.floor(width / 110))) {
            context.moveTo(px(value) + 0.5, TOP);
            context.lineTo(px(value) + 0.5, height - BOTTOM);
            context.textAlign = "center";
            context.fillText(text, px(value), height - BOTTOM + 12);
        }
        for (const [value, text] of ys.ticks(6)) {
            context.moveTo(LEFT, py(value) + 0.5);
            context.lineTo(width - RIGHT, py(value) + 0.5);
            context.textAlign = "right";
            context.fillText(text, LEFT - 6, py(value));
        }
        context.stroke();
        context.strokeStyle = colours.line;
        context.strokeRect(LEFT + 0.5, TOP + 0.5, width - LEFT - RIGHT, height - TOP - BOTTOM);
        context.fillStyle = colours.text;
        context.textAlign = "center";
        context.fillText(x.title, (LEFT + width - RIGHT) / 2, height - 12);
        context.save();
        context.translate(12, (TOP + height - BOTTOM) / 2);
        context.rotate(-Math.PI / 2);
        context.fillText(cutText(context, y.title, height - TOP - BOTTOM), 0, 0);
        context.restore();
    }

    pickAt(x, y) {
        let found = null,
            least = NEAR;
        for (const [a, b, row] of this.placed) {
            const distance = Math.hypot(a - x, b - y);
            if (distance < least) [found, least] = [row, distance];
        }
        if (found !== null) pick(found);
    }
}
