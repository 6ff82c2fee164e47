/* live.js - the page of a run that goes on: asks for new data, appends them, and shows the progress of the run. */
import { head } from "./blocks.js";
import { emit, growTo, on, state } from "./app.js";
import { appendRows } from "./columns.js";
import { announce, number } from "./dom.js";
import { appendFrames } from "./motion.js";

const ASKED_EVERY = 1000, // ms
    SEEN = 30000, // ms, over which the speed of the run is averaged
    MOST_PIECES = 2000, // answers until the page reloads,
    MOST_LETTERS = 60e6; // or their length
const CAMERA = "tenon-camera";

const run = head.runs[0];
let pieces = 0,
    letters = 0;
const seen = []; // [ms, s of the run]

/* ---- new data ----------------------------------------------------------------------------------------------------- */

/* All entries that refer to the store of a piece get it. */
function readPiece(text) {
    const packed = [];
    const piece = JSON.parse(text, (key, value) => {
        if (value?.bytes !== undefined) packed.push(value);
        return value;
    });
    for (const one of packed) one.store = piece.store;
    pieces++;
    letters += text.length;
    return piece;
}

async function take(piece, { frames, view }) {
    const known = run.events.length;
    await appendRows(piece.tables);
    if (frames) {
        run.motion.recorded += piece.motion.recorded;
        run.motion.dropped += piece.motion.dropped;
        run.motion.tolerance = run.motion.tolerance.map((one, k) => Math.max(one, piece.motion.tolerance[k]));
        await appendFrames(frames, run, piece.motion);
        run.motion.count = frames.count;
    }
    run.events.push(...piece.events);
    const when = (event) => event.time ?? -Infinity;
    if (piece.events.length && known) run.events.sort((a, b) => (when(a) < when(b) ? -1 : when(a) > when(b) ? 1 : 0));
    for (const name of ["status", "run", "lower", "upper", "end"]) run[name] = piece[name];
    head.live = piece.live;
    view?.grow();
    growTo(run.end);
    emit("grown");
}

/* ---- progress ------------------------------------------------------------------------------------------------------- */

function leftText() {
    const { end } = head.live,
        now = performance.now();
    seen.push([now, run.end]);
    while (seen.length > 2 && now - seen[0][0] > SEEN) seen.shift();
    if (end === null || !(end > run.start)) return "";
    const share = ` ${Math.floor((100 * (run.end - run.start)) / (end - run.start))} %`,
        [before, from] = seen[0],
        speed = (run.end - from) / (now - before);
    if (!(speed > 0) || now - before < 2 * ASKED_EVERY) return share;
    const seconds = Math.max(0, (end - run.end) / speed / 1000);
    return `${share}, ${seconds < 100 ? number(Math.ceil(seconds), 3) + " s" : number(seconds / 60, 2) + " min"} left`;
}

function showStatus(badge) {
    badge.className = "badge " + run.status;
    badge.textContent = head.live.goes_on ? "running" + leftText() : run.status;
    badge.title = head.live.reason;
}

/* ---- panels --------------------------------------------------------------------------------------------------------- */

/* Visible texts are written again, unless the user is working in them. */
function keepPanels(panels) {
    const stale = new Set();
    const renew = (place) => {
        const write = panels.find(([own]) => own === place)?.[1],
            busy = document.activeElement !== place && place.contains(document.activeElement),
            chosen = getSelection();
        if (!write || !stale.has(place) || place.hidden || busy) return;
        if (!chosen.isCollapsed && place.contains(chosen.anchorNode)) return;
        stale.delete(place);
        place.replaceChildren();
        write(place);
    };
    on("grown", () => panels.forEach(([place]) => (stale.add(place), renew(place))));
    on("panel", renew);
}

/* ---- asking --------------------------------------------------------------------------------------------------------- */

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/* Reloads the page as soon as the server has one, and keeps the camera; the address keeps the rest. */
async function loadAgain(view) {
    while (!(await fetch(location.pathname, { method: "HEAD" }).catch(() => null))?.ok) await pause(ASKED_EVERY);
    try {
        if (view?.scenes.length) sessionStorage.setItem(CAMERA, JSON.stringify(view.placement()));
    } catch {
        /* a browser without storage */
    }
    location.reload();
    await new Promise(() => {});
}

function restoreCamera(view) {
    try {
        const kept = JSON.parse(sessionStorage.getItem(CAMERA));
        sessionStorage.removeItem(CAMERA);
        if (kept && view?.scenes.length) view.placeAgain(kept);
    } catch {
        /* the whole model is shown */
    }
}

async function ask(parts) {
    const answer = await fetch("more?after=" + encodeURIComponent(head.live.place));
    const isFirst = () => parts.view && !parts.frames?.count; // the page was made without a scene
    if (answer.status === 410) return loadAgain(null);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const piece = readPiece(await answer.text());
    if (isFirst() && piece.motion.count) return loadAgain(null);
    if (pieces > MOST_PIECES || letters > MOST_LETTERS) return loadAgain(parts.view);
    const wentOn = head.live.goes_on;
    try {
        await take(piece, parts);
    } catch (fault) {
        // perhaps only a part was appended
        console.error(fault);
        await pause(4 * ASKED_EVERY);
        return loadAgain(parts.view);
    }
    showStatus(parts.badge);
    if (wentOn && !head.live.goes_on) announce(`The run is ${run.status}. ${head.live.reason}`);
}

/* Goes on as long as the page is open, as a later run may replace this one. */
export async function followRun(parts) {
    restoreCamera(parts.view);
    keepPanels(parts.panels);
    showStatus(parts.badge);
    for (;;) {
        if (!head.live.more) await pause(head.live.goes_on ? ASKED_EVERY : 4 * ASKED_EVERY);
        try {
            await ask(parts);
        } catch (fault) {
            parts.badge.className = "badge lost";
            parts.badge.textContent = "no answer";
            parts.badge.title = `tenon watch does not answer: ${fault.message}`;
            await pause(4 * ASKED_EVERY);
        }
    }
}
