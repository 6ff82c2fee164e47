/* coloring.js - colours of the scene by channels; all channels of a quantity share a scale. */
import * as THREE from "three";
import { channels, load } from "./columns.js";
import { scaleColor } from "./colors.js";
import { placeOf } from "./motion.js";
import { valueAt } from "./pyramid.js";

export const SPEED = "speed of the motion";
const keyOf = (channel) => {
    const part = channel.components > 1 ? channel.name.split(".").pop() : "";
    return channel.quantity + (part ? "." + part : "");
};

/* The quantities by which the scene can be coloured: those of channels with a subject. */
export const choices = [
    SPEED,
    ...new Set(channels.filter((channel) => channel.subject && channel.finite !== 0 && channel.low !== undefined).map(keyOf)),
];

function speedOf(frames, track, time) {
    const [k] = placeOf(frames, time),
        n = frames.stride,
        a = Math.min(k, frames.count - 2),
        h = frames.time[a + 1] - frames.time[a];
    if (a < 0 || !(h > 0)) return 0;
    let sum = 0;
    for (let i = 0; i < 3; i++)
        sum += (frames.position[(3 * track + i) * n + a + 1] - frames.position[(3 * track + i) * n + a]) ** 2;
    return Math.sqrt(sum) / h;
}

export class Coloring {
    constructor(figures) {
        this.figures = figures;
        this.key = "";
        this.range = [0, 1];
        this.unit = "";
        this.bySubject = [];
    }

    async choose(key) {
        this.key = key;
        this.bySubject = this.figures.map(() => new Map());
        if (!key) return this.figures.forEach((figure) => figure.items.forEach((item) => item.color.copy(item.base)));
        if (key === SPEED) return this.findSpeeds();
        const matching = channels.filter((channel) => channel.subject && keyOf(channel) === key && channel.low !== undefined);
        this.unit = matching[0]?.unit ?? "";
        this.range = [Math.min(...matching.map((channel) => channel.low)), Math.max(...matching.map((channel) => channel.high))];
        await Promise.all(matching.map(load));
        for (const channel of matching)
            if (this.bySubject[channel.run]) this.bySubject[channel.run].set(channel.subject, channel.data);
    }

    findSpeeds() {
        let largest = 0;
        for (const figure of this.figures)
            for (let track = 0; track < figure.run.tracks.length; track++)
                for (let k = 0; k < figure.frames.count; k += Math.ceil(figure.frames.count / 200))
                    largest = Math.max(largest, speedOf(figure.frames, track, figure.frames.time[k]));
        this.range = [0, largest];
        this.unit = "m/s";
    }

    valueOf(figure, f, item, time) {
        const track = item.drawing.places[0][0];
        if (this.key === SPEED) return track >= 0 && item.mode === "place" ? speedOf(figure.frames, track, time) : NaN;
        const data =
            this.bySubject[f].get(item.drawing.name) ??
            (item.mode === "place" && track >= 0 ? this.bySubject[f].get(figure.run.tracks[track].name) : undefined);
        return data ? valueAt(data.time, data.value, time) : NaN;
    }

    update(time) {
        if (!this.key) return;
        const [low, high] = this.range,
            grey = new THREE.Color("#9aa2ac");
        this.figures.forEach((figure, f) =>
            figure.items.forEach((item) => {
                const value = this.valueOf(figure, f, item, time);
                if (Number.isFinite(value))
                    item.color.setRGB(...scaleColor(high > low ? (value - low) / (high - low) : 0.5), THREE.SRGBColorSpace);
                else item.color.copy(grey);
            }),
        );
    }
}
