/* limits.js - limits of responses in plots: a dashed line, and a shade beyond it. */
import { textOf } from "./axis.js";

/* The part of an axis, 0 to 1, that is beyond the limit: [from, to]. */
export function beyond({ limited, limit }, scale) {
    if (!limited) return [0, 0];
    const at = Math.min(1, Math.max(0, scale.place(limit) || 0)); // NaN: not positive, on an axis of logarithms
    return limited === 1 ? [at, 1] : [0, at];
}

export const limitText = (column) =>
    column?.limited ? `limit: ${column.limited === 1 ? "<" : ">"} ${textOf(column, column.limit)}` : "";

/* In a box: of its vertical axis, or of the horizontal one. */
export function drawLimit(context, colours, column, scale, { left, top, width, height }, isAcross = false) {
    const [from, to] = beyond(column, scale);
    if (to <= from) return;
    const at = column.limited === 1 ? from : to;
    context.fillStyle = context.strokeStyle = colours.bad;
    context.globalAlpha = 0.08;
    if (isAcross) context.fillRect(left + from * width, top, (to - from) * width, height);
    else context.fillRect(left, top + (1 - to) * height, width, (to - from) * height);
    context.globalAlpha = 1;
    if (at <= 0 || at >= 1) return; // it lies outside
    context.setLineDash([5, 4]);
    context.beginPath();
    for (const end of [0, 1])
        if (isAcross) context.lineTo(left + at * width, top + end * height);
        else context.lineTo(left + end * width, top + (1 - at) * height);
    context.stroke();
    context.setLineDash([]);
}
