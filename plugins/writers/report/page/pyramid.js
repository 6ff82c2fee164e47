/* pyramid.js - least and greatest values of any range of rows, in few steps: levels of a tree, each 16 times coarser. */

export const FAN = 16;

/* `array` with `more` behind it, in memory that has room for twice as much. */
export function appended(array, more) {
    const { length, BYTES_PER_ELEMENT: size } = array,
        count = length + more.length;
    if (array.byteOffset + count * size > array.buffer.byteLength) {
        const larger = new array.constructor(2 * count);
        larger.set(array);
        array = larger;
    }
    const all = new array.constructor(array.buffer, array.byteOffset, count);
    all.set(more, length);
    return all;
}

export const buildPyramid = (value) => extendPyramid(value, [], 0);

/* The levels of more values, where those of the first `known` are there. */
export function extendPyramid(value, before, known) {
    const levels = [];
    let low = value,
        high = value;
    for (let level = 0; low.length > FAN; level++) {
        const count = Math.ceil(low.length / FAN),
            whole = before[level] ? Math.floor(known / FAN) : 0,
            [lows, highs] = [0, 1].map((k) => grown(before[level]?.[k], whole, count));
        known = whole;
        for (let k = whole; k < count; k++) {
            let a = Infinity,
                b = -Infinity;
            const end = Math.min((k + 1) * FAN, low.length);
            for (let i = k * FAN; i < end; i++) {
                if (low[i] < a) a = low[i]; // never true of NaN
                if (high[i] > b) b = high[i];
            }
            lows[k] = a;
            highs[k] = b;
        }
        levels.push([lows, highs]);
        low = lows;
        high = highs;
    }
    return levels;
}

function grown(array, kept, count) {
    const empty = new Float64Array(count - kept);
    return array ? appended(array.subarray(0, kept), empty) : empty;
}

/* Least and greatest finite value of rows a to b - 1; [Infinity, -Infinity]: there is none. */
export function rangeOf(value, levels, a, b) {
    let low = Infinity,
        high = -Infinity;
    let lows = value,
        highs = value,
        level = -1;
    const see = (from, to) => {
        for (let i = from; i < to; i++) {
            if (lows[i] < low) low = lows[i];
            if (highs[i] > high) high = highs[i];
        }
    };
    while (a < b) {
        const aligned = Math.min(b, Math.ceil(a / FAN) * FAN);
        const floored = Math.max(aligned, Math.floor(b / FAN) * FAN);
        see(a, aligned);
        see(floored, b);
        if (aligned >= floored || level + 1 >= levels.length) {
            see(aligned, floored);
            break;
        }
        level++;
        [lows, highs] = levels[level];
        a = aligned / FAN;
        b = floored / FAN;
    }
    return [low, high];
}

/* The first row whose time is not below t. */
export function lowerBound(time, t) {
    let low = 0,
        high = time.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (time[middle] < t) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The first row whose time is above t. */
export function upperBound(time, t) {
    let low = 0,
        high = time.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (time[middle] <= t) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The value at time t, on the straight line between rows; of two rows of one time, that of the second. */
export function valueAt(time, value, t) {
    if (!time.length) return NaN;
    const after = upperBound(time, t);
    if (after === 0) return value[0];
    if (after === time.length || time[after - 1] === t) return value[after - 1];
    const share = (t - time[after - 1]) / (time[after] - time[after - 1]);
    return value[after - 1] + share * (value[after] - value[after - 1]);
}
