/* view_panel.js - how the scene is shown: colours, arrows, distances, modes. */
import { head } from "./blocks.js";
import { emit, on, state } from "./app.js";
import { choices } from "./coloring.js";
import { el, number, withUnit } from "./dom.js";

const field = (label, input) => el("label.field", {}, el("span", {}, label), input);
const group = (title, ...children) => el("fieldset", {}, el("legend", {}, title), ...children);

/* Frequency and damping of an eigenvalue. */
export function modeText({ eigenvalue: [real, imaginary] }, k) {
    const size = Math.hypot(real, imaginary);
    return Math.abs(imaginary) > 1e-9 * size && size > 0
        ? `${k + 1}: ${withUnit(Math.abs(imaginary) / (2 * Math.PI), "Hz", 4)}, damping ${withUnit((-100 * real) / size, "%", 3)}`
        : `${k + 1}: ${number(real, 4)} per second, no oscillation`;
}

export class ViewPanel {
    constructor(place, view) {
        this.view = view;
        place.append(this.colors(), this.arrows(), this.measures());
        if (head.runs[0].modes?.length) place.append(this.modes());
    }

    colors() {
        const select = el(
            "select",
            { onchange: () => this.color(select.value) },
            el("option", { value: "" }, "own colours"),
            ...choices.map((choice) => el("option", { value: choice }, choice)),
        );
        on("colorBy", () => (select.value = state.colorBy));
        return group("Colour", field("By", select));
    }

    color(key) {
        state.colorBy = key;
        emit("color");
    }

    arrows() {
        const check = (name, label) => {
            const box = el("input", {
                type: "checkbox",
                checked: state[name],
                onchange: () => ((state[name] = box.checked), emit("shown")),
            });
            return el("label.check", {}, box, label);
        };
        const scale = el("input", {
            type: "range",
            min: -1.5,
            max: 1.5,
            step: 0.05,
            value: 0,
            "aria-label": "Scale of arrows",
            oninput: () => ((state.forceScale = 10 ** Number(scale.value)), emit("shown")),
        });
        return group("Forces", check("forces", "Forces"), check("torques", "Torques"), field("Scale", scale));
    }

    places() {
        const run = head.runs[0];
        return [["", "–"], ["ground", "ground"], ...run.tracks.map((track, k) => [String(k), track.name])];
    }

    /* Between places of the lists, or points that were clicked. */
    measures() {
        const selects = [0, 1].map((end) =>
            el(
                "select",
                { onchange: () => this.measure(end, selects[end].value) },
                ...this.places().map(([value, label]) => el("option", { value }, label)),
            ),
        );
        const result = el("output.measured");
        on("rendered", () => {
            const one = this.view?.scenes[0];
            if (!one?.measured) return result.replaceChildren();
            const d = one.measured.b.clone().sub(one.measured.a);
            const text = `${withUnit(d.length(), "m", 6)}`;
            if (result.dataset.text === text + d.x) return;
            result.dataset.text = text + d.x;
            result.replaceChildren(el("b", {}, text), el("span", {}, `x ${number(d.x)}  y ${number(d.y)}  z ${number(d.z)}`));
        });
        on("measured", (place) => {
            const end = state.measure[0] && !state.measure[1] ? 1 : 0;
            if (end === 0) state.measure = [null, null];
            state.measure[end] = place;
            selects.forEach((select) => (select.value = ""));
            emit("shown");
        });
        return group(
            "Distance",
            field("From", selects[0]),
            field("To", selects[1]),
            result,
            el("p.hint", {}, "Or press M and click on two places of the scene."),
        );
    }

    measure(end, value) {
        state.measure[end] = value === "" ? null : { track: value === "ground" ? -1 : Number(value), point: [0, 0, 0] };
        emit("shown");
    }

    modes() {
        const { modes } = head.runs[0];
        const select = (this.modeList = el(
            "select",
            { "aria-label": "Mode", onchange: () => ((state.mode = Number(select.value)), this.swing()) },
            el("option", { value: -1 }, "motion of the run"),
            ...modes.map((mode, k) => el("option", { value: k }, modeText(mode, k))),
        ));
        const amplitude = el("input", {
            type: "range",
            min: -1.5,
            max: 1,
            step: 0.05,
            value: 0,
            oninput: () => ((state.amplitude = 10 ** Number(amplitude.value)), this.view?.ask()),
        });
        this.phase = el("input", {
            type: "range",
            min: 0,
            max: 360,
            step: 1,
            value: 0,
            oninput: () => {
                state.phase = (Number(this.phase.value) * Math.PI) / 180;
                this.still = true;
                this.play.checked = false;
                this.view?.ask();
            },
        });
        this.play = el("input", { type: "checkbox", checked: true, onchange: () => this.swing() });
        return group(
            "Modes",
            select,
            field("Amplitude", amplitude),
            field("Phase", this.phase),
            el("label.check", {}, this.play, "Animated"),
        );
    }

    /* The first mode that swings, or the first one. */
    chooseFirst() {
        const mode = Math.max(
            0,
            head.runs[0].modes.findIndex(({ eigenvalue: [, imaginary] }) => Math.abs(imaginary) > 1e-6),
        );
        this.modeList.value = String(mode);
        state.mode = mode;
        this.swing();
    }

    swing() {
        this.view?.ask();
        if (this.swinging) return;
        this.swinging = true;
        let before = performance.now();
        const frame = (now) => {
            if (state.mode < 0 || !this.play.checked) return (this.swinging = false);
            state.phase = (state.phase + ((now - before) / 1000) * Math.PI) % (2 * Math.PI);
            before = now;
            this.phase.value = (state.phase * 180) / Math.PI;
            this.view?.ask();
            requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
    }
}
