/* motion.js - the frames of a run, and the poses of its tracks at any time: positions by straight lines, rotations by the shortest. */
import { slicesOf } from "./blocks.js";
import { codes16, codes32, inflate, joinSlices, times64 } from "./codec.js";
import { appended, upperBound } from "./pyramid.js";

const read = (packed) => inflate(joinSlices(slicesOf(packed)));

export async function readMotion(run) {
    const { motion, tracks, wrenches } = run;
    const count = motion.count,
        frames = { count, stride: count, time: new Float64Array(0), tracks: tracks.length, wrenches: wrenches.length };
    if (!count) return frames;
    frames.time = times64(await read(motion.time), count, motion.time.step);
    const positions = await read(motion.position);
    frames.position = new Float32Array(3 * tracks.length * count);
    for (let c = 0; c < 3 * tracks.length; c++) {
        const codes = codes32(positions, count, 4 * c * count),
            origin = motion.position.origin[c];
        for (let k = 0; k < count; k++) frames.position[c * count + k] = origin + motion.position.step * codes[k];
    }
    const quaternions = await read(motion.quaternion);
    frames.quaternion = new Int16Array(4 * tracks.length * count);
    for (let c = 0; c < 4 * tracks.length; c++) frames.quaternion.set(codes16(quaternions, count, 2 * c * count), c * count);
    if (motion.wrench) await readWrenches(frames, motion.wrench);
    return frames;
}

async function readWrenches(frames, packed) {
    const count = frames.count,
        planes = await read(packed);
    frames.wrench = new Float32Array(6 * frames.wrenches * count);
    for (let c = 0; c < 6 * frames.wrenches; c++) {
        const codes = codes32(planes, count, 4 * c * count),
            origin = packed.scales[2 * c],
            step = packed.scales[2 * c + 1];
        for (let k = 0; k < count; k++) frames.wrench[c * count + k] = origin + step * codes[k];
    }
}

/* ---- runs that go on ------------------------------------------------------------------------------------------------ */

const parts = [
    ["position", "tracks", 3],
    ["quaternion", "tracks", 4],
    ["wrench", "wrenches", 6],
];

/* Columns get room for so many frames each. */
function widen(frames, stride) {
    for (const [name, many, size] of parts) {
        const narrow = frames[name];
        if (!narrow) continue;
        const wide = (frames[name] = new narrow.constructor(size * frames[many] * stride));
        for (let c = 0; c < size * frames[many]; c++)
            wide.set(narrow.subarray(c * frames.stride, c * frames.stride + frames.count), c * stride);
    }
    frames.stride = stride;
}

/* Of the two quaternions of a rotation, those of a track that come next are the nearer ones. */
function alignSigns(frames, more, track) {
    let inner = 0;
    const column = (of, i) => (4 * track + i) * of.stride;
    for (let i = 0; i < 4; i++) inner += frames.quaternion[column(frames, i) + frames.count - 1] * more.quaternion[column(more, i)];
    for (let c = column(more, 0); inner < 0 && c < column(more, 4); c++) more.quaternion[c] = -more.quaternion[c];
}

/* Frames that have come, behind those that there are. */
export async function appendFrames(frames, run, motion) {
    const more = await readMotion({ ...run, motion }),
        count = frames.count + more.count;
    if (!more.count) return;
    if (count > frames.stride) widen(frames, 2 * count);
    for (let track = 0; track < frames.tracks; track++) alignSigns(frames, more, track);
    for (const [name, many, size] of parts)
        for (let c = 0; more[name] && c < size * frames[many]; c++)
            frames[name].set(more[name].subarray(c * more.stride, (c + 1) * more.stride), c * frames.stride + frames.count);
    frames.time = appended(frames.time, more.time);
    frames.count = count;
}

/* The frame at or before t, and the share of the way to the next. */
export function placeOf(frames, t) {
    const after = upperBound(frames.time, t);
    if (after === 0) return [0, 0];
    if (after === frames.count) return [frames.count - 1, 0];
    const a = frames.time[after - 1],
        b = frames.time[after];
    return [after - 1, (t - a) / (b - a)];
}

/* Poses [tracks][7] at time t: position, quaternion (x, y, z, w) as three.js has it. */
export function posesAt(frames, t, out) {
    const [k, share] = placeOf(frames, t),
        n = frames.stride,
        next = share > 0 ? k + 1 : k;
    for (let track = 0; track < frames.tracks; track++) {
        const p = 3 * track * n,
            q = 4 * track * n,
            o = 7 * track;
        for (let i = 0; i < 3; i++) {
            const a = frames.position[p + i * n + k],
                b = frames.position[p + i * n + next];
            out[o + i] = a + share * (b - a);
        }
        let norm = 0;
        for (let i = 0; i < 4; i++) {
            const a = frames.quaternion[q + i * n + k],
                b = frames.quaternion[q + i * n + next];
            const value = a + share * (b - a);
            out[o + 3 + ((i + 3) & 3)] = value;
            norm += value * value;
        }
        norm = norm > 0 ? 1 / Math.sqrt(norm) : 0;
        for (let i = 3; i < 7; i++) out[o + i] *= norm;
    }
    return out;
}

export function wrenchAt(frames, t, wrench, out) {
    const [k, share] = placeOf(frames, t),
        n = frames.stride,
        next = share > 0 ? k + 1 : k;
    for (let i = 0; i < 6; i++) {
        const a = frames.wrench[(6 * wrench + i) * n + k],
            b = frames.wrench[(6 * wrench + i) * n + next];
        out[i] = a + share * (b - a);
    }
    return out;
}

/* Displacements of modes: [tracks][6][2]. */
export async function readMode(mode, tracks) {
    const codes = codes32(await read(mode.displacement), 12 * tracks);
    return Float32Array.from(codes, (code) => code * mode.displacement.step);
}
