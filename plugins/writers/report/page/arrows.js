/* arrows.js - forces and torques as arrows at the places that they act on. */
import * as THREE from "three";
import { wrenchAt } from "./motion.js";
import { cone, shaft } from "./shapes.js";

const zAxis = new THREE.Vector3(0, 0, 1),
    from = new THREE.Vector3(),
    direction = new THREE.Vector3(),
    turn = new THREE.Quaternion();
const matrix = new THREE.Matrix4(),
    scale = new THREE.Vector3(),
    load = new Float32Array(6);

function mesh(geometry, color, count) {
    const made = new THREE.InstancedMesh(
        geometry,
        new THREE.MeshStandardMaterial({ color, roughness: 0.45, emissive: color, emissiveIntensity: 0.25 }),
        count,
    );
    made.frustumCulled = false;
    made.castShadow = false;
    return made;
}

export class Arrows {
    constructor(figure, part, color) {
        this.figure = figure;
        this.part = part; // 0: forces, 3: torques
        const count = figure.frames.wrenches ?? 0;
        this.count = figure.frames.wrench ? count : 0;
        this.group = new THREE.Group();
        if (!this.count) return;
        this.shafts = mesh(shaft(), color, count);
        this.heads = mesh(cone(), color, count);
        this.group.add(this.shafts, this.heads);
        this.largest = this.seen = 0;
        this.see();
    }

    /* The largest one of all frames, and of those that have come. */
    see() {
        const { wrench, count, stride, wrenches } = this.figure.frames;
        let largest = 0;
        for (let w = 0; this.count && w < wrenches; w++)
            for (let k = this.seen; k < count; k++) {
                let sum = 0;
                for (let i = 0; i < 3; i++) sum += wrench[(6 * w + this.part + i) * stride + k] ** 2;
                largest = Math.max(largest, sum);
            }
        this.largest = Math.max(this.largest, Math.sqrt(largest));
        this.seen = count;
    }

    /* The largest force of the run has an arrow of 0.3 times the size of the model, times `factor`. */
    update(time, factor, isHidden) {
        if (!this.count) return;
        const size = this.figure.size,
            meters = this.largest > 0 ? (0.3 * size * factor) / this.largest : 0,
            radius = 0.0045 * size;
        let shown = 0;
        this.figure.run.wrenches.forEach((wrench, w) => {
            if (isHidden(wrench.element)) return;
            wrenchAt(this.figure.frames, time, w, load);
            direction.set(load[this.part], load[this.part + 1], load[this.part + 2]).multiplyScalar(meters);
            const length = direction.length();
            if (!(length > 0.004 * size)) return;
            this.figure.placePoint(wrench.place, from);
            turn.setFromUnitVectors(zAxis, direction.divideScalar(length));
            const head = Math.min(7 * radius, 0.5 * length),
                thick = head / 7;
            this.shafts.setMatrixAt(shown, matrix.compose(from, turn, scale.set(thick, thick, length - head)));
            from.addScaledVector(direction, length - head);
            this.heads.setMatrixAt(shown++, matrix.compose(from, turn, scale.set(2.4 * thick, 2.4 * thick, head)));
        });
        for (const part of [this.shafts, this.heads]) {
            part.count = shown;
            part.visible = shown > 0;
            part.instanceMatrix.needsUpdate = true;
        }
    }
}
