/* png.mjs - reads PNG with 8 bits of three or four channels, without interlacing. */
import { inflateSync } from "node:zlib";

/* {width, height, at(x, y) -> red << 16 | green << 8 | blue} */
export function readPng(png) {
    if (png.toString("latin1", 1, 4) !== "PNG" || png[24] !== 8 || ![2, 6].includes(png[25]) || png[28])
        throw new Error("no PNG of 8 bits and three or four channels");
    const width = png.readUInt32BE(16),
        height = png.readUInt32BE(20),
        size = png[25] === 6 ? 4 : 3,
        stride = width * size,
        parts = [];
    for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
        if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    const data = inflateSync(Buffer.concat(parts)),
        pixels = Buffer.alloc(stride * height);
    for (let y = 0; y < height; y++) {
        const filter = data[y * (stride + 1)],
            line = pixels.subarray(y * stride, (y + 1) * stride),
            above = y ? pixels.subarray((y - 1) * stride, y * stride) : Buffer.alloc(stride);
        data.copy(line, 0, y * (stride + 1) + 1, (y + 1) * (stride + 1));
        for (let x = 0; filter && x < stride; x++) {
            const a = x >= size ? line[x - size] : 0,
                b = above[x],
                c = x >= size ? above[x - size] : 0;
            if (filter < 4) line[x] += [0, a, b, (a + b) >> 1][filter];
            else {
                const toA = Math.abs(b - c),
                    toB = Math.abs(a - c),
                    toC = Math.abs(a + b - 2 * c);
                line[x] += toA <= toB && toA <= toC ? a : toB <= toC ? b : c;
            }
        }
    }
    return { width, height, at: (x, y) => pixels.readUIntBE(y * stride + x * size, 3) };
}

/* The number of distinct colours of a part. */
export function countColors({ at }, [left, top, right, bottom]) {
    const colors = new Set();
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) colors.add(at(x, y));
    return colors.size;
}
