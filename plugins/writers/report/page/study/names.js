/* names.js - names of columns and texts of lists where there is little room: last parts of a path, lines, or a cut text. */
import { el } from "../dom.js";
import { cutText } from "./canvas.js";

/* column.short: as many last parts of its path as make it differ from all others; column.brief: its levels without the keys of
 * tables. */
export function shortenNames(columns) {
    const tail = ({ label }, count) => label.split(".").slice(-count).join(".");
    for (const column of columns) {
        let count = 1;
        const parts = column.label.split(".").length,
            isShared = () => columns.some((other) => other !== column && tail(other, count) === tail(column, count));
        while (count < parts && isShared()) count++;
        column.short = tail(column, count) || column.label;
        const brief = column.levels?.map((text) => text.replace(/[\w.]+=/g, ""));
        column.brief = brief && new Set(brief).size === brief.length ? brief : column.levels;
    }
}

/* A name for an element, which breaks it behind its parts. */
export const breakable = (name) => (name ? name.split(/(?<=[_.])/).flatMap((part) => [part, el("wbr")]) : []);

/* Lines of a width, broken behind "_", ".", "," and spaces; null where there would be more than `most`. */
function breakText(context, text, width, most) {
    const lines = [""];
    for (const part of text.split(/(?<=[_., ])/)) {
        const longer = lines.at(-1) + part;
        if (context.measureText(longer.trimEnd()).width <= width) lines[lines.length - 1] = longer;
        else if (lines.at(-1) && lines.length < most && context.measureText(part.trimEnd()).width <= width) lines.push(part);
        else return null;
    }
    return lines.map((line) => line.trimEnd());
}

/* The unit stays in one piece. */
const unitOf = ({ unit }) => (unit ? ` [${unit.replaceAll(" ", "\u00a0")}]` : "");

/* The short name with its unit, which is not cut. */
export function cutTitle(context, column, width) {
    const unit = unitOf(column);
    return cutText(context, column.short, width - context.measureText(unit).width) + unit;
}

/* Lines of all titles, with whole or with short names; null where they do not fit. */
export function titleLines(context, columns, width, most) {
    for (const [key, count] of [
        ["label", 1],
        ["short", 1],
        ["short", most],
    ]) {
        const all = columns.map((column) => breakText(context, column[key] + unitOf(column), width, count));
        if (all.every(Boolean)) return all;
    }
    return null;
}

/* The same, with those cut that do not fit. */
export const titlesWithin = (context, columns, width, most) =>
    titleLines(context, columns, width, most) ??
    columns.map((column) => titleLines(context, [column], width, most)?.[0] ?? [cutTitle(context, column, width)]);

export const textWithin = (context, text, width, most) => breakText(context, text, width, most) ?? [cutText(context, text, width)];

/* Lines below each other, the first one at y. */
export function drawLines(context, lines, x, y, distance = 13) {
    lines.forEach((line, k) => context.fillText(line, x, y + k * distance));
}

/* Texts of a horizontal axis from left to right, within its ends; those are left out that would touch the one before. */
export function drawTicks(context, ticks, place, left, right, y) {
    let end = -Infinity;
    context.textAlign = "center";
    for (const [value, text] of ticks) {
        const half = context.measureText(text).width / 2,
            x = Math.max(left + half, Math.min(right - half, place(value)));
        if (x - half < end + 6) continue;
        context.fillText(text, x, y);
        end = x + half;
    }
}
