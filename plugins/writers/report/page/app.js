/* app.js - the state of the page. */
import { head } from "./blocks.js";
import { emit } from "./events.js";

export { emit, on } from "./events.js";

const start = Math.min(...head.runs.map((run) => run.start ?? 0));
const end = Math.max(...head.runs.map((run) => run.end ?? 0));
export const state = {
    start,
    end: end > start ? end : start,
    time: head.live && end > start ? end : start,
    playing: false,
    loop: false,
    speed: 1,
    range: [start, end > start ? end : start + 1], // of time, in the plots
    panes: [], // [{names: []}]
    hidden: new Set(), // paths of the tree
    selected: null,
    follow: null, // names of tracks or drawings
    colorBy: "",
    forces: head.runs[0].wrenches.length <= 12,
    torques: false,
    forceScale: 1,
    mode: -1,
    amplitude: 1,
    phase: 0,
    measure: [null, null],
};
export const span = () => state.end - state.start;

export function setTime(time) {
    state.time = Math.min(state.end, Math.max(state.start, time));
    emit("time");
}
export function setRange(from, to) {
    const least = Math.max(Math.abs(state.end), Math.abs(state.start), span()) * 1e-14;
    if (!(to - from > least)) return;
    state.range = [from, to];
    emit("range");
}
export const showAll = () => setRange(state.start, state.end > state.start ? state.end : state.start + 1);

/* The run has gone on: who looks at its end, or at all of it, goes along. */
export function growTo(later) {
    const before = state.end,
        [from, to] = state.range;
    if (!(later > before)) return;
    const follows = state.time >= before && !state.playing;
    state.end = later;
    if (from === state.start && (to === before || before === state.start)) showAll();
    else if (to === before) setRange(from + later - before, later);
    if (follows) setTime(later);
}

/* Speeds are 1, 2 or 5 times a power of ten; the first plays in about ten seconds, in real time where that is near. */
export const speeds = [];
for (let power = -6; power <= 6; power++) for (const digit of [1, 2, 5]) speeds.push(Number(`${digit}e${power}`));
if (!head.live && span() > 0 && (span() < 3 || span() > 40)) {
    const wanted = span() / 10;
    state.speed = speeds.reduce((best, speed) =>
        Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best,
    );
}
