/* compare.mjs - whether two pictures are nearly the same: of one size, neither of them blank, and alike in structure.
 * usage: node compare.mjs ONE.png OTHER.png [BYTES]; BYTES: the most that the first one may have. Prints what is wrong and returns 1. */
import { readFileSync } from "node:fs";
import { countColors, readPng } from "./png.mjs";

const TILE = 8, // points; of each the mean counts
    WINDOW = 8, // tiles; the index of structural similarity (Wang et al. 2004) is the mean over windows
    LEAST = 0.8;
const [onePath, otherPath, most] = process.argv.slice(2);
const faults = [];

/* Brightness of tiles, row by row. */
function tilesOf({ width, height, at }) {
    const columns = Math.floor(width / TILE),
        rows = Math.floor(height / TILE),
        tiles = new Float64Array(columns * rows);
    for (let y = 0; y < rows * TILE; y++)
        for (let x = 0; x < columns * TILE; x++) {
            const color = at(x, y);
            tiles[Math.floor(y / TILE) * columns + Math.floor(x / TILE)] +=
                (0.299 * (color >> 16) + 0.587 * ((color >> 8) & 255) + 0.114 * (color & 255)) / TILE ** 2;
        }
    return { columns, rows, tiles };
}

function similarity(one, other) {
    const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
    let sum = 0,
        count = 0;
    for (let top = 0; top + WINDOW <= one.rows; top += WINDOW / 2)
        for (let left = 0; left + WINDOW <= one.columns; left += WINDOW / 2) {
            let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
            for (let y = top; y < top + WINDOW; y++)
                for (let x = left; x < left + WINDOW; x++) {
                    const [p, q] = [one.tiles[y * one.columns + x], other.tiles[y * one.columns + x]];
                    a += p;
                    b += q;
                    aa += p * p;
                    bb += q * q;
                    ab += p * q;
                }
            const n = WINDOW ** 2;
            const [va, vb, cov] = [aa / n - (a / n) ** 2, bb / n - (b / n) ** 2, ab / n - (a * b) / n ** 2];
            sum += (((2 * a * b) / n ** 2 + c1) * (2 * cov + c2)) / (((a / n) ** 2 + (b / n) ** 2 + c1) * (va + vb + c2));
            count++;
        }
    return sum / count;
}

const bytes = [onePath, otherPath].map((path) => readFileSync(path)),
    [one, other] = bytes.map(readPng);
if (most && bytes[0].length > Number(most)) faults.push(`${onePath} has ${bytes[0].length} bytes, more than ${most}`);
for (const [path, picture] of [
    [onePath, one],
    [otherPath, other],
]) {
    const colors = countColors(picture, [0, 0, picture.width, picture.height]);
    if (colors < 200) faults.push(`${path} has ${colors} colours only`);
}
if (one.width !== other.width || one.height !== other.height)
    faults.push(`${one.width} x ${one.height} points in place of ${other.width} x ${other.height}`);
else {
    const alike = similarity(tilesOf(one), tilesOf(other));
    console.log(`structural similarity ${alike.toFixed(3)}`);
    if (!(alike >= LEAST)) faults.push(`${onePath} and ${otherPath} differ: ${alike.toFixed(3)} is less than ${LEAST}`);
}
faults.forEach((fault) => console.log(fault));
process.exit(faults.length ? 1 : 0);
