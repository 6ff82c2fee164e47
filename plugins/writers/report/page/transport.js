/* transport.js - play, step, speed, loop, and the slider of time with the marks of events. */
import { head } from "./blocks.js";
import { emit, on, setTime, span, speeds, state } from "./app.js";
import { button, el, icon, number } from "./dom.js";
import { lowerBound, upperBound } from "./pyramid.js";

const STEPS = 10000;

export class Transport {
    constructor(place, times) {
        this.times = times; // a function: those of frames, or rows, where steps go to
        this.slider = el("input.time", {
            type: "range",
            min: 0,
            max: STEPS,
            step: 1,
            value: 0,
            "aria-label": "Time",
            oninput: () => setTime(state.start + (span() * this.slider.value) / STEPS),
        });
        this.reading = el("output.clock");
        this.playing = button("Play (Space)", "play", () => this.toggle());
        this.looping = button("Loop (L)", "loop", () => this.loop(), { "aria-pressed": "false" });
        this.speed = el(
            "select.speed",
            {
                "aria-label": "Speed",
                title: "Speed (+, −)",
                onchange: () => ((state.speed = Number(this.speed.value)), emit("speed")),
            },
            ...speeds.map((speed) =>
                el("option", { value: speed }, `${speed >= 1e4 || speed < 1e-3 ? speed.toExponential() : speed}×`),
            ),
        );
        this.speed.value = state.speed;
        this.last = button("Last (End)", "last", () => (this.pause(), setTime(state.end)));
        place.append(
            button("First (Home)", "first", () => setTime(state.start)),
            button("Back (←)", "back", () => this.step(-1)),
            this.playing,
            button("Forward (→)", "forward", () => this.step(1)),
            this.last,
            this.looping,
            this.speed,
            el("div.track", {}, (this.events = this.marks()), this.slider),
            this.reading,
        );
        on("time", () => this.show());
        on("grown", () => {
            const marks = this.marks();
            this.events.replaceWith(marks);
            this.events = marks;
            this.show();
        });
        this.show();
    }

    marks() {
        const place = el("div.marks", { "aria-hidden": "true" });
        for (const run of head.runs)
            for (const event of run.events.slice(0, 500))
                if (event.time !== null && span() > 0)
                    place.append(
                        el("span.mark.level" + event.level, {
                            style: `left:${(100 * (event.time - state.start)) / span()}%`,
                            title: `${number(event.time)} s: ${event.element} ${event.text}`,
                            onclick: () => setTime(event.time),
                        }),
                    );
        return place;
    }

    /* At the end of a run that goes on the scene goes along with it. */
    show() {
        this.last.setAttribute("aria-pressed", String(!!head.live?.goes_on && state.time >= state.end));
        this.slider.value = span() > 0 ? Math.round((STEPS * (state.time - state.start)) / span()) : 0;
        const digits = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(span() || 1))));
        const text = `${state.time.toFixed(digits)} s`;
        this.reading.textContent = text;
        this.slider.setAttribute("aria-valuetext", text);
        const wanted = state.playing ? "pause" : "play";
        if (this.symbol !== wanted) {
            this.symbol = wanted;
            this.playing.replaceChildren(icon(wanted));
            this.playing.setAttribute("aria-label", state.playing ? "Pause" : "Play");
        }
    }

    /* To the next frame, or `count` frames on. */
    step(count) {
        this.pause();
        const times = this.times();
        if (!times.length) return setTime(state.time + (count * span()) / 100);
        const at =
            count > 0
                ? upperBound(times, state.time + 1e-12 * span()) - 1 + count
                : lowerBound(times, state.time - 1e-12 * span()) + count;
        setTime(times[Math.min(times.length - 1, Math.max(0, at))]);
    }

    loop() {
        state.loop = !state.loop;
        this.looping.setAttribute("aria-pressed", String(state.loop));
    }

    faster(step) {
        const k = Math.min(speeds.length - 1, Math.max(0, speeds.indexOf(state.speed) + step));
        state.speed = speeds[k];
        this.speed.value = state.speed;
    }

    pause() {
        state.playing = false;
        this.show();
    }

    toggle() {
        if (state.playing) return this.pause();
        if (state.time >= state.end) setTime(state.start);
        state.playing = true;
        let before = performance.now();
        const frame = (now) => {
            if (!state.playing) return;
            let time = state.time + ((now - before) / 1000) * state.speed;
            before = now;
            if (time >= state.end) {
                if (state.loop && span() > 0) time = state.start + ((time - state.start) % span());
                else state.playing = false;
            }
            setTime(time);
            requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
        this.show();
    }
}
