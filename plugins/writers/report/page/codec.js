/* codec.js - decodes the codes of codec.c and pack.c, for the page and its worker. */

export function bytesOfBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
    return bytes;
}

/* Slices of base64, each with bytes to skip and to take. */
export function joinSlices(slices) {
    const parts = slices.map(({ text, skip, take }) => bytesOfBase64(text).subarray(skip, skip + take));
    if (parts.length === 1) return parts[0];
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

export async function inflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Codes of 32 bits; differences wrap around as in C. */
export function codes32(planes, count, from = 0) {
    const code = new Int32Array(count);
    const b0 = from,
        b1 = b0 + count,
        b2 = b1 + count,
        b3 = b2 + count;
    let before = 0,
        slope = 0;
    for (let i = 0; i < count; i++) {
        const folded = planes[b0 + i] | (planes[b1 + i] << 8) | (planes[b2 + i] << 16) | (planes[b3 + i] << 24);
        slope = (slope + ((folded >>> 1) ^ -(folded & 1))) | 0;
        before = (before + slope) | 0;
        code[i] = before;
    }
    return code;
}

export function codes16(planes, count, from = 0) {
    const code = new Int16Array(count);
    let before = 0,
        slope = 0;
    for (let i = 0; i < count; i++) {
        const folded = planes[from + i] | (planes[from + count + i] << 8);
        slope = (slope + ((folded >>> 1) ^ -(folded & 1))) & 0xffff;
        before = (before + slope) & 0xffff;
        code[i] = before;
    }
    return code;
}

/* Codes of 64 bits below 2^53, times a step: second differences as doubles, which are exact. */
export function times64(planes, count, step) {
    const time = new Float64Array(count);
    let before = 0,
        slope = 0;
    for (let i = 0; i < count; i++) {
        let low = 0,
            high = 0;
        for (let b = 3; b >= 0; b--) {
            low = low * 256 + planes[b * count + i];
            high = high * 256 + planes[(b + 4) * count + i];
        }
        const odd = low % 2,
            half = (high * 4294967296 + (low - odd)) / 2;
        slope += odd ? -half - 1 : half;
        before += slope;
        time[i] = before * step;
    }
    return time;
}

export function bits64(planes, count) {
    const bytes = new Uint8Array(8 * count);
    for (let b = 0; b < 8; b++) for (let i = 0; i < count; i++) bytes[8 * i + b] = planes[b * count + i];
    return new Float64Array(bytes.buffer);
}

/* The values of a column, of its planes and the bits of its gaps. */
export function valuesOf(column, planes, gaps, count) {
    if (column.codec === "exact") return bits64(planes, count);
    if (column.codec === "d64") return times64(planes, count, column.step);
    const code = codes32(planes, count);
    const value = new Float64Array(count);
    const { origin, step } = column;
    for (let i = 0; i < count; i++) value[i] = origin + step * code[i];
    if (gaps) for (let i = 0; i < count; i++) if (gaps[i >> 3] & (1 << (i & 7))) value[i] = NaN;
    return value;
}
