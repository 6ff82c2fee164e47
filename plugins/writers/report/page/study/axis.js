/* axis.js - scales of axes: numbers, logarithms, and lists of texts. */
import { number } from "../dom.js";

/* Least and greatest finite value of these rows; NaN without any. */
export function rangeOf(values, rows) {
    let low = Infinity,
        high = -Infinity;
    for (const row of rows) {
        const value = values[row];
        if (value < low) low = value;
        if (value > high) high = value;
    }
    return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : [NaN, NaN];
}

function linearTicks(low, high, count) {
    const span = high - low,
        rough = span / Math.max(1, count),
        power = 10 ** Math.floor(Math.log10(rough)),
        step = [1, 2, 5, 10].find((k) => k * power >= rough * 0.999) * power;
    const ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && ticks.length < 50; k++) ticks.push(k * step);
    return ticks;
}

function logTicks(low, high, count) {
    const first = Math.ceil(Math.log10(low) - 1e-9),
        last = Math.floor(Math.log10(high) + 1e-9);
    if (last - first < 1) return linearTicks(low, high, count);
    const step = Math.max(1, Math.ceil((last - first) / Math.max(1, count))),
        ticks = [];
    for (let k = first; k <= last; k += step) ticks.push(10 ** k);
    return ticks;
}

/* {low, high, place(value): 0 to 1, value(place), ticks(count): [[value, text]]}. */
export function scaleOf(column, rows, { log = column.log === 1 } = {}) {
    if (column.levels) {
        const last = Math.max(1, column.levels.length - 1),
            pad = 0.35;
        return {
            low: 0,
            high: column.levels.length - 1,
            place: (value) => (value + pad) / (last + 2 * pad),
            value: (place) => place * (last + 2 * pad) - pad,
            ticks: (count) => {
                const step = Math.max(1, Math.ceil(column.levels.length / Math.max(1, 2 * count)));
                return column.levels.map((text, k) => [k, text]).filter(([k]) => k % step === 0);
            },
        };
    }
    let [low, high] = rangeOf(column.value, rows);
    const isLog = log && low > 0;
    if (!(high > low)) {
        const half = low ? Math.abs(low) * (isLog ? 0 : 0.5) || 0.5 : 0.5;
        [low, high] = Number.isFinite(low) ? (isLog ? [low / 2, low * 2] : [low - half, low + half]) : [0, 1];
    }
    const to = isLog ? Math.log : (value) => value,
        from = isLog ? Math.exp : (value) => value,
        a = to(low),
        b = to(high),
        pad = 0.03 * (b - a);
    return {
        low,
        high,
        place: (value) => (to(value) - a + pad) / (b - a + 2 * pad),
        value: (place) => from(a - pad + place * (b - a + 2 * pad)),
        ticks: (count) =>
            (isLog ? logTicks(low, high, count) : linearTicks(low, high, count)).map((tick) => [
                tick,
                number(Math.abs(tick) < 1e-12 * Math.max(Math.abs(low), Math.abs(high)) ? 0 : tick, 4),
            ]),
    };
}

/* The text of a value, with its unit. */
export function textOf(column, value, digits = 6) {
    if (column.levels) return column.levels[value] ?? "–";
    return number(value, digits) + (column.unit && Number.isFinite(value) ? "\u202f" + column.unit : "");
}
export const titleOf = (column) => column.label + (column.unit ? ` [${column.unit}]` : "");
