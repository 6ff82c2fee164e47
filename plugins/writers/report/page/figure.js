/* figure.js - the objects of one run in the scene: an InstancedMesh for each distinct shape, whose matrices follow the poses. */
import * as THREE from "three";
import { slicesOf } from "./blocks.js";
import { inflate, joinSlices } from "./codec.js";
import { placedGeometry, coil, housing, meshGeometry, pistonRod, shapeGeometry, unitRod } from "./shapes.js";

export const SHAPE = 0,
    ROD = 1,
    COIL = 2,
    DAMPER = 3,
    LINE = 4,
    SLIDE = 5,
    HINGE = 6,
    SLEEVE = 8,
    DISC = 9,
    FRAME = 10,
    ARROW = 11;
const bodyColors = ["#5b8ecb", "#e0a03c", "#58a886", "#c9705f", "#8d7fc2", "#4fa7b8", "#c58aa8", "#8f9f4a"];
const kindColors = {
    [ROD]: "#8b95a3",
    [COIL]: "#4c86c6",
    [DAMPER]: "#5c6673",
    [LINE]: "#6f7a88",
    [SLIDE]: "#b58b3a",
    [HINGE]: "#b58b3a",
    7: "#b58b3a",
    [SLEEVE]: "#7b6a9c",
    [DISC]: "#3d444d",
    [FRAME]: "#ffffff",
    [ARROW]: "#2e9a8f",
};

const vector = new THREE.Vector3(),
    along = new THREE.Vector3(),
    other = new THREE.Vector3(),
    scale = new THREE.Vector3(1, 1, 1);
const turn = new THREE.Quaternion(),
    local = new THREE.Quaternion(),
    matrix = new THREE.Matrix4();
const zAxis = new THREE.Vector3(0, 0, 1),
    grown = new THREE.Box3();

/* Paths of drawings in the tree: shapes are below their body. */
export function pathOf(drawing, tracks) {
    const track = drawing.places[0][0];
    if (drawing.kind !== SHAPE || track < 0) return drawing.name;
    const body = tracks[track].name;
    return drawing.name === body
        ? body
        : `${body}.${drawing.name.startsWith(body + ".") ? drawing.name.slice(body.length + 1) : drawing.name.split(".").pop()}`;
}

/* Shapes that the model hides are not there. */
export const isSeen = (drawing) => drawing.kind !== SHAPE || drawing.visible !== 0;

async function readMeshes(run) {
    const meshes = new Map();
    for (const [k, drawing] of run.drawings.entries())
        if (drawing.triangles) meshes.set(k, meshGeometry(await inflate(joinSlices(slicesOf(drawing.triangles)))));
    return meshes;
}

function colorOf(drawing) {
    if (drawing.color[3] > 0) return new THREE.Color(...drawing.color.slice(0, 3));
    if (drawing.kind === SHAPE) {
        const track = drawing.places[0][0];
        return new THREE.Color(track < 0 ? "#c9d0d8" : bodyColors[track % bodyColors.length]);
    }
    return new THREE.Color(kindColors[drawing.kind] ?? "#8b95a3");
}

/* Rotates z to the axis of a drawing. */
const turnOf = (axis) => {
    const direction = new THREE.Vector3(...axis);
    return direction.length() > 0
        ? new THREE.Quaternion().setFromUnitVectors(zAxis, direction.normalize())
        : new THREE.Quaternion();
};

export class Figure {
    constructor(run, frames) {
        this.run = run;
        this.frames = frames;
        this.poses = new Float32Array(7 * run.tracks.length);
        this.group = new THREE.Group();
        this.batches = new Map();
        this.paths = run.drawings.map((drawing) => pathOf(drawing, run.tracks));
        this.size = run.size > 0 ? run.size : 1;
        this.items = [];
    }

    async build(pose) {
        pose(this.poses);
        const meshes = await readMeshes(this.run);
        this.run.drawings.forEach((drawing, k) => {
            if (isSeen(drawing)) this.addDrawing(drawing, k, meshes);
        });
        for (const batch of this.batches.values()) this.makeMesh(batch);
    }

    addItem(key, make, item, opacity, options = {}) {
        const name = `${key}/${opacity}`;
        if (!this.batches.has(name)) this.batches.set(name, { make, items: [], opacity, ...options });
        item.base = colorOf(item.drawing);
        item.color = item.base.clone();
        item.isFloor = !!options.flat && !(item.drawing.color[3] > 0);
        this.batches.get(name).items.push(item);
        this.items.push(item);
    }

    addDrawing(drawing, k, meshes) {
        const { kind, size } = drawing,
            share = 0.03 * this.size;
        const opacity = drawing.color[3] > 0 ? drawing.color[3] : 1;
        const item = (mode, more = {}) => ({ drawing, k, path: this.paths[k], mode, ...more });
        if (kind === SHAPE) {
            const mesh = drawing.shape === 5 ? meshes.get(drawing.as ?? k) : null;
            const factors = mesh ? size.map((factor) => factor || 1) : [1, 1, 1];
            const key = mesh ? `mesh ${drawing.as ?? k}` : `shape ${drawing.shape} ${size}`;
            this.addItem(
                key,
                (count) => mesh ?? shapeGeometry(drawing.shape, size, this.size, count),
                item("place", { turn: new THREE.Quaternion(), factors }),
                opacity,
                { flat: drawing.shape === 4 },
            );
        } else if (kind === ROD || kind === LINE) {
            const radius = kind === LINE ? 0.0025 * this.size : size[0] || 0.25 * share;
            this.addItem("rod", unitRod, item("between", { radius }), opacity);
        } else if (kind === COIL) {
            const [radius, wire, turns] = [size[0] || share, size[1] || 0.18 * (size[0] || share), Math.min(60, size[2] || 8)];
            const length = Number(this.distance(drawing).toPrecision(2)) || 4 * share;
            this.addItem(
                `coil ${radius} ${wire} ${turns} ${length}`,
                () => coil(radius, wire, turns, length),
                item("stretched", { length }),
                opacity,
            );
        } else if (kind === DAMPER) {
            const radius = size[0] || 0.8 * share,
                length = Number(this.distance(drawing).toPrecision(2)) || 4 * share;
            this.addItem(`housing ${radius} ${length}`, () => housing(radius, 0.58 * length), item("from"), opacity);
            this.addItem(`piston ${radius} ${length}`, () => pistonRod(radius, 0.62 * length), item("to"), opacity);
        } else {
            this.addItem(
                `${kind} ${size}`,
                () => placedGeometry(kind, size, share),
                item("place", { turn: kind === FRAME ? new THREE.Quaternion() : turnOf(drawing.axis), factors: [1, 1, 1] }),
                opacity,
                { colored: kind === FRAME || kind > ARROW },
            );
        }
    }

    distance(drawing) {
        const from = new THREE.Vector3();
        this.placePoint(drawing.places[0], from);
        this.placePoint(drawing.places[1], other);
        return from.distanceTo(other);
    }

    makeMesh(batch) {
        const material = new THREE.MeshStandardMaterial({
            roughness: batch.flat ? 0.95 : 0.5,
            metalness: 0.08,
            transparent: batch.opacity < 1,
            opacity: batch.opacity,
            vertexColors: !!batch.colored,
            side: batch.flat ? THREE.DoubleSide : THREE.FrontSide,
            polygonOffset: !!batch.flat,
            polygonOffsetFactor: 2,
            polygonOffsetUnits: 2,
        });
        batch.mesh = new THREE.InstancedMesh(batch.make(batch.items.length), material, batch.items.length);
        batch.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        batch.mesh.castShadow = !batch.flat && batch.opacity > 0.6;
        batch.mesh.receiveShadow = true;
        batch.mesh.frustumCulled = false;
        batch.mesh.userData.batch = batch;
        this.group.add(batch.mesh);
    }

    /* ---- poses ------------------------------------------------------------------------------------------------ */

    trackPoint(track, point, out) {
        out.set(...point);
        if (track < 0) return out;
        const p = this.poses,
            o = 7 * track;
        turn.set(p[o + 3], p[o + 4], p[o + 5], p[o + 6]);
        out.applyQuaternion(turn);
        return out.set(out.x + p[o], out.y + p[o + 1], out.z + p[o + 2]);
    }

    placePoint([track, x, y, z], out) {
        return this.trackPoint(track, [x, y, z], out);
    }

    placeTurn([track, , , , w, x, y, z], out) {
        out.set(x, y, z, w);
        if (track < 0) return out;
        const p = this.poses,
            o = 7 * track;
        return out.premultiply(turn.set(p[o + 3], p[o + 4], p[o + 5], p[o + 6]));
    }

    /* A point of ground in the axes of a track. */
    inTrack(track, point) {
        if (track < 0) return point.clone();
        const p = this.poses,
            o = 7 * track;
        turn.set(p[o + 3], p[o + 4], p[o + 5], p[o + 6]).invert();
        return point
            .clone()
            .sub(other.set(p[o], p[o + 1], p[o + 2]))
            .applyQuaternion(turn);
    }

    between(item) {
        this.placePoint(item.drawing.places[0], vector);
        this.placePoint(item.drawing.places[1], other);
        along.copy(other).sub(vector);
        const length = along.length();
        if (length > 0) turn.setFromUnitVectors(zAxis, along.divideScalar(length));
        else turn.identity();
        return length;
    }

    matrixOf(item) {
        if (item.mode === "place") {
            this.placePoint(item.drawing.places[0], vector);
            this.placeTurn(item.drawing.places[0], local).multiply(item.turn);
            return matrix.compose(vector, local, scale.set(...item.factors));
        }
        const length = this.between(item),
            long = Math.max(length, 1e-9 * this.size);
        if (item.mode === "between") return matrix.compose(vector, turn, scale.set(item.radius, item.radius, long));
        if (item.mode === "stretched") return matrix.compose(vector, turn, scale.set(1, 1, long / item.length));
        if (item.mode === "from") return matrix.compose(vector, turn, scale.set(1, 1, 1));
        turn.setFromUnitVectors(zAxis, length > 0 ? along.negate() : along.set(0, 0, -1));
        return matrix.compose(other, turn, scale.set(1, 1, 1));
    }

    /* Updates the poses of all visible objects. */
    update(isHidden) {
        for (const batch of this.batches.values()) {
            let count = 0;
            batch.shown = [];
            for (const item of batch.items) {
                if (isHidden(item.path)) continue;
                batch.mesh.setMatrixAt(count, this.matrixOf(item));
                batch.mesh.setColorAt(count++, item.color);
                batch.shown.push(item);
            }
            batch.mesh.count = count;
            batch.mesh.visible = count > 0;
            batch.mesh.instanceMatrix.needsUpdate = true;
            if (batch.mesh.instanceColor) batch.mesh.instanceColor.needsUpdate = true;
            batch.mesh.boundingSphere = null;
        }
    }

    /* The box around all visible objects. */
    bounds(isHidden, box = new THREE.Box3()) {
        for (const batch of this.batches.values()) {
            if (batch.flat) continue;
            const geometry = batch.mesh.geometry;
            if (!geometry.boundingBox) geometry.computeBoundingBox();
            for (const item of batch.items)
                if (!isHidden(item.path)) box.union(grown.copy(geometry.boundingBox).applyMatrix4(this.matrixOf(item)));
        }
        return box;
    }
}
