/* address.js - time, plots, range and choices in the address: #t=1.25&plots=a+b,c&zoom=0,2. A plot's channels are joined by +. */
import { head } from "./blocks.js";
import { emit, on, setRange, setTime, state } from "./app.js";

const digits = (value) => String(Number(value.toPrecision(12)));
const encode = (name) => encodeURIComponent(name).replaceAll("%2F", "/").replaceAll("%3A", ":");

let standard = null; // the body that is followed by default

function write(plots) {
    const parts = [
        // who looks at the end of a run that goes on goes along
        ...(head.live && state.time >= state.end ? [] : ["t=" + digits(state.time)]),
        "plots=" +
            plots
                .lists()
                .map((names) => names.map(encode).join("+"))
                .join(","),
    ];
    const [from, to] = state.range;
    if (from !== state.start || (to !== state.end && state.end > state.start)) parts.push(`zoom=${digits(from)},${digits(to)}`);
    if (state.follow !== standard) parts.push("follow=" + encode(state.follow ?? ""));
    if (state.hidden.size) parts.push("hide=" + [...state.hidden].map(encode).join(","));
    if (state.colorBy) parts.push("color=" + encode(state.colorBy));
    const address = "#" + parts.join("&");
    if (address !== location.hash) history.replaceState(null, "", address);
}

export function readAddress() {
    const found = {};
    for (const part of location.hash.slice(1).split("&")) {
        const at = part.indexOf("=");
        if (at > 0) found[part.slice(0, at)] = part.slice(at + 1);
    }
    const text = (value) => {
        try {
            return decodeURIComponent(value);
        } catch {
            return value;
        }
    };
    const list = (value) => value.split(",").filter(Boolean);
    return {
        time: found.t !== undefined && Number.isFinite(Number(found.t)) ? Number(found.t) : null,
        plots: found.plots !== undefined ? list(found.plots).map((names) => names.split("+").filter(Boolean).map(text)) : null,
        zoom: found.zoom ? list(found.zoom).map(Number) : null,
        follow: found.follow === undefined ? undefined : text(found.follow) || null,
        hidden: found.hide ? list(found.hide).map(text) : [],
        color: found.color ? text(found.color) : "",
    };
}

function apply(wanted) {
    state.hidden = new Set(wanted.hidden);
    if (wanted.follow !== undefined) state.follow = wanted.follow;
    if (wanted.color !== state.colorBy) {
        state.colorBy = wanted.color;
        emit("color");
        emit("colorBy");
    }
    emit("follow");
    emit("shown");
    if (wanted.zoom?.length === 2 && wanted.zoom.every(Number.isFinite)) setRange(...wanted.zoom);
    if (wanted.time !== null) setTime(wanted.time);
}

/* Keeps the address and the state of the page in agreement from now on. */
export function keepAddress(plots) {
    let waiting = 0;
    const later = () => {
        if (waiting) return;
        waiting = setTimeout(() => {
            waiting = 0;
            if (!state.playing) write(plots);
        }, 150);
    };
    standard = state.follow;
    apply(readAddress());
    for (const event of ["time", "range", "panes", "shown", "follow", "color"]) on(event, later);
    addEventListener("hashchange", async () => {
        const wanted = readAddress();
        if (wanted.plots && JSON.stringify(wanted.plots) !== JSON.stringify(plots.lists())) await plots.show(wanted.plots);
        apply(wanted);
    });
}
