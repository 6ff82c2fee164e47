/* scene.js - the scene of one run, or of two side by side under one camera. */
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { head } from "./blocks.js";
import { emit, on, state } from "./app.js";
import { Arrows } from "./arrows.js";
import { isDark } from "./colors.js";
import { Coloring } from "./coloring.js";
import { Figure } from "./figure.js";
import { makeGround } from "./ground.js";
import { posesAt, readMode } from "./motion.js";
import { axes } from "./shapes.js";

/* Hidden is what is below a hidden part of the tree. */
export function isHidden(path) {
    if (!state.hidden.size) return false;
    for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1))
        if (state.hidden.has(path.slice(0, end))) return true;
    return false;
}

const views = { iso: [1, -1.55, 0.78], front: [0, -1, 0], side: [1, 0, 0], top: [0, -1e-4, 1] };

/* From above to below. */
function gradient(colors) {
    const canvas = document.createElement("canvas");
    canvas.width = 4;
    canvas.height = 256;
    const pen = canvas.getContext("2d"),
        fill = pen.createLinearGradient(0, 0, 0, 256);
    colors.forEach((color, k) => fill.addColorStop(k, color));
    pen.fillStyle = fill;
    pen.fillRect(0, 0, 4, 256);
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    return texture;
}

export class View {
    constructor(place) {
        this.place = place;
        this.renderer = new THREE.WebGLRenderer({
            antialias: true,
            preserveDrawingBuffer: true,
            powerPreference: "high-performance",
        });
        this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.renderer.toneMapping = THREE.NoToneMapping;
        this.renderer.autoClear = false;
        this.canvas = this.renderer.domElement;
        this.canvas.tabIndex = 0;
        this.canvas.setAttribute("role", "img");
        this.canvas.setAttribute("aria-label", "Scene of the model; drag to turn it");
        place.prepend(this.canvas);
        this.size = Math.max(1e-9, ...head.runs.map((run) => run.size || 0));
        this.perspective = new THREE.PerspectiveCamera(32, 1, 1e-3 * this.size, 1e3 * this.size);
        this.orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, -1e3 * this.size, 1e3 * this.size);
        this.camera = this.perspective;
        for (const camera of [this.perspective, this.orthographic]) camera.up.set(0, 0, 1);
        this.figures = [];
        this.scenes = [];
        this.wanted = true;
    }

    async build(motions) {
        for (const [r, run] of head.runs.entries()) {
            if (!motions[r].count) continue;
            const figure = new Figure(run, motions[r]);
            await figure.build((poses) => posesAt(motions[r], state.time, poses));
            this.figures.push(figure);
        }
        this.coloring = new Coloring(this.figures);
        this.modes = await Promise.all((head.runs[0].modes ?? []).map((mode) => readMode(mode, head.runs[0].tracks.length)));
        for (const figure of this.figures) this.scenes.push(this.makeScene(figure));
        this.makeTriad();
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.enableDamping = false;
        this.controls.zoomToCursor = true;
        this.controls.addEventListener("change", () => this.ask());
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(this.place);
        this.resize();
        this.theme();
        this.look("iso");
        // a model that drives away, which its first body tells, takes the camera along
        this.hasTravelled = this.travels;
        if (this.travels) state.follow = this.traveller();
        this.listen();
    }

    /* The first body, where it goes further than the model is large. */
    traveller() {
        const { run, frames } = this.figures[0],
            track = run.tracks.findIndex((one) => one.body);
        for (let k = 0; k < 3 && track >= 0; k++) {
            const first = (3 * track + k) * frames.stride,
                column = frames.position.subarray(first, first + frames.count);
            const reach = column.reduce((most, x) => Math.max(most, Math.abs(x - column[0])), 0);
            if (reach > 2 * run.size) return run.tracks[track].name;
        }
        return null;
    }

    /* The run has gone on. */
    grow() {
        for (const { force, torque } of this.scenes) [force, torque].forEach((arrows) => arrows.see());
        if (state.colorBy) emit("color");
        this.ask();
        // once: who looks elsewhere later does so
        const name = this.figures.length && !this.hasTravelled && !state.follow ? this.traveller() : null;
        if (!name) return;
        this.hasTravelled = true;
        state.follow = name;
        emit("follow");
        this.fit();
    }

    /* Where the camera is, for the same page once more. */
    placement() {
        const { position, zoom } = this.camera;
        return {
            position: position.toArray(),
            zoom,
            target: this.controls.target.toArray(),
            parallel: this.camera === this.orthographic,
            half: this.halfHeight,
        };
    }

    placeAgain({ position, zoom, target, parallel, half }) {
        if (parallel) this.project();
        this.camera.position.fromArray(position);
        this.camera.zoom = zoom;
        this.controls.target.fromArray(target);
        this.halfHeight = half;
        this.followed = null;
        this.shape();
        this.controls.update();
        this.ask();
    }

    makeScene(figure) {
        const scene = new THREE.Scene(),
            size = this.size;
        scene.add(new THREE.HemisphereLight("#ffffff", "#a9aeb6", 1.7));
        const key = new THREE.DirectionalLight("#fffaf2", 2.1);
        key.castShadow = true;
        key.shadow.mapSize.set(2048, 2048);
        key.shadow.radius = 3;
        key.shadow.normalBias = 0.004 * size;
        key.shadow.bias = -0.0004;
        const fill = new THREE.DirectionalLight("#e8f0ff", 0.7);
        fill.position.set(-1, -0.6, 0.4);
        scene.add(key, key.target, fill);
        // below all that ever is there, at ground where the model stands on it
        const box = new THREE.Box3(),
            lower = figure.run.lower?.[2] ?? 0;
        figure.bounds(() => false, box);
        const low = Math.min(lower, Number.isFinite(box.min.z) ? box.min.z : 0),
            floor = low > -0.02 * size ? 0 : low - 0.05 * size;
        const hasPlane = figure.items.some(
            (item) => item.drawing.kind === 0 && item.drawing.shape === 4 && item.drawing.places[0][0] < 0,
        );
        const ground = makeGround(size, hasPlane ? 0 : floor);
        ground.shade.visible = !hasPlane; // planes have shadows of their own
        const force = new Arrows(figure, 0, "#d1495b"),
            torque = new Arrows(figure, 3, "#7b4fb5");
        const line = new THREE.Line(
            new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]),
            new THREE.LineDashedMaterial({ color: "#d9480f", depthTest: false, dashSize: 0.02 * size, gapSize: 0.012 * size }),
        );
        line.renderOrder = 10;
        line.frustumCulled = false;
        line.visible = false;
        const outline = new THREE.Box3Helper(new THREE.Box3(), "#1f7ae0");
        outline.visible = false;
        scene.add(figure.group, ground.group, force.group, torque.group, line, outline);
        return { scene, figure, ground, key, force, torque, line, outline };
    }

    makeTriad() {
        this.triad = new THREE.Scene();
        this.triad.add(new THREE.Mesh(axes(1), new THREE.MeshBasicMaterial({ vertexColors: true })));
        this.triadCamera = new THREE.OrthographicCamera(-1.2, 1.2, 1.2, -1.2, -10, 10);
    }

    listen() {
        on("time", () => this.ask());
        on("shown", () => this.ask());
        on("theme", () => this.theme());
        on("follow", () => {
            this.followed = null;
        });
        on("color", async () => {
            await this.coloring.choose(state.colorBy);
            this.ask();
            emit("legend", this.coloring);
        });
        let down = null;
        this.canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
        this.canvas.addEventListener("pointerup", (event) => {
            if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4) this.click(event);
        });
        this.canvas.addEventListener("dblclick", () => this.fit());
        const frame = () => {
            requestAnimationFrame(frame);
            if (this.wanted) this.render();
        };
        requestAnimationFrame(frame);
    }

    ask() {
        this.wanted = true;
    }

    theme() {
        const background = gradient(isDark() ? ["#465064", "#262c35"] : ["#dfe7f0", "#fbfcfd"]);
        for (const { scene, ground, figure } of this.scenes) {
            for (const item of figure.items) {
                if (!item.isFloor) continue;
                item.base.set(isDark() ? "#59626f" : "#c9d0d8");
                if (!state.colorBy) item.color.copy(item.base);
            }
            scene.background = background;
            ground.grid.material.uniforms.color.value.set(isDark() ? "#e6ecf5" : "#46505e");
            ground.shade.material.opacity = isDark() ? 0.45 : 0.2;
        }
        this.ask();
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.place;
        if (!width || !height) return;
        this.renderer.setSize(width, height);
        this.width = width;
        this.height = height;
        this.shape();
        this.ask();
    }

    shape() {
        const aspect = this.width / Math.max(1, this.scenes.length) / this.height;
        this.perspective.aspect = aspect;
        this.perspective.updateProjectionMatrix();
        const half = this.halfHeight ?? this.size;
        Object.assign(this.orthographic, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
        this.orthographic.updateProjectionMatrix();
    }

    /* ---- the camera ---------------------------------------------------------------------------------------------- */

    /* The box of what is shown now, or over the whole run, where that is not much larger. */
    box(whole) {
        const box = new THREE.Box3();
        this.travels = false;
        for (const [r, { figure }] of this.scenes.entries()) {
            this.pose(figure, r);
            const own = figure.bounds(isHidden);
            const far = whole ? this.boxOfRun(figure, own.clone()) : own;
            const extent = own.getSize(new THREE.Vector3());
            const travels = far.getSize(new THREE.Vector3()).length() > 3 * Math.max(extent.length(), figure.run.size || 0);
            this.travels ||= travels;
            box.union(travels || !whole ? own : far);
        }
        if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1).multiplyScalar(this.size));
        return box;
    }

    /* At some times, as few as there are many things, and where origins come to. */
    boxOfRun(figure, box) {
        const { run, frames } = figure,
            most = Math.min(frames.count, Math.max(2, Math.min(24, Math.floor(2e4 / (figure.items.length + 1)))));
        for (let k = 0; k < most; k++) {
            posesAt(frames, frames.time[Math.round((k * (frames.count - 1)) / Math.max(1, most - 1))], figure.poses);
            figure.bounds(isHidden, box);
        }
        if (Array.isArray(run.lower) && run.lower.every(Number.isFinite))
            box.expandByPoint(new THREE.Vector3(...run.lower)).expandByPoint(new THREE.Vector3(...run.upper));
        return box;
    }

    look(name) {
        this.fit(new THREE.Vector3(...views[name]).normalize());
    }

    /* All in sight: what there is now, or where a direction is given over the run. */
    fit(wanted) {
        const direction = wanted ?? this.camera.position.clone().sub(this.controls.target).normalize(),
            box = this.box(!!wanted),
            middle = box.getCenter(new THREE.Vector3());
        // what the corners of the box need, across and upright
        const back = direction.clone(),
            right = new THREE.Vector3().crossVectors(new THREE.Vector3(0, 0, 1), back).normalize();
        const up = new THREE.Vector3().crossVectors(back, right);
        // the bar of tools stands above it
        const bar = document.body.classList.contains("still") ? 0 : Math.min(0.4, 44 / Math.max(1, this.height ?? 1));
        const tangent = Math.tan((this.perspective.fov * Math.PI) / 360),
            aspect = this.perspective.aspect;
        let distance = 0,
            half = 0;
        for (let k = 0; k < 8; k++) {
            const corner = new THREE.Vector3(
                k & 1 ? box.max.x : box.min.x,
                k & 2 ? box.max.y : box.min.y,
                k & 4 ? box.max.z : box.min.z,
            ).sub(middle);
            const need = Math.max(Math.abs(corner.dot(right)) / aspect, Math.abs(corner.dot(up)) / (1 - bar));
            distance = Math.max(distance, need / tangent + corner.dot(back));
            half = Math.max(half, need);
        }
        distance = 1.15 * Math.max(distance, 0.02 * this.size);
        this.halfHeight = 1.15 * Math.max(half, 0.01 * this.size);
        middle.addScaledVector(up, bar * this.halfHeight);
        this.controls.target.copy(middle);
        this.perspective.near = Math.max(distance / 2000, 1e-9);
        this.perspective.far = distance * 200;
        for (const camera of [this.perspective, this.orthographic]) {
            camera.position.copy(middle).addScaledVector(direction, distance);
            camera.zoom = 1;
        }
        this.shape();
        this.controls.update();
        this.followed = null;
        this.ask();
    }

    project() {
        const before = this.camera,
            after = before === this.perspective ? this.orthographic : this.perspective;
        after.position.copy(before.position);
        if (after === this.orthographic) {
            this.halfHeight = before.position.distanceTo(this.controls.target) * Math.tan((this.perspective.fov * Math.PI) / 360);
            after.zoom = 1;
        }
        this.camera = after;
        this.controls.object = after;
        this.shape();
        this.controls.update();
        this.ask();
        return after === this.orthographic;
    }

    follow(figure) {
        const track = figure.run.tracks.findIndex((one) => one.name === state.follow);
        if (track < 0) return;
        const at = figure.trackPoint(track, [0, 0, 0], new THREE.Vector3());
        if (this.followed) {
            const move = at.clone().sub(this.followed);
            this.camera.position.add(move);
            this.controls.target.add(move);
        }
        this.followed = at;
        this.camera.lookAt(this.controls.target);
    }

    /* ---- pictures -------------------------------------------------------------------------------------------------- */

    pose(figure, r) {
        const mode = r === 0 && state.mode >= 0 ? head.runs[0].modes[state.mode] : null;
        posesAt(figure.frames, mode ? (mode.time ?? state.time) : state.time, figure.poses);
        if (!mode) return;
        const shape = this.modes[state.mode],
            reach = 0.12 * this.size * state.amplitude,
            [c, s] = [Math.cos(state.phase), Math.sin(state.phase)];
        const part = (track, k) => reach * (shape[12 * track + 2 * k] * c - shape[12 * track + 2 * k + 1] * s);
        const turn = new THREE.Quaternion(),
            axis = new THREE.Vector3(),
            now = new THREE.Quaternion(),
            p = figure.poses;
        for (let track = 0; track < figure.run.tracks.length; track++) {
            const o = 7 * track;
            for (let k = 0; k < 3; k++) p[o + k] += part(track, k);
            axis.set(part(track, 3), part(track, 4), part(track, 5));
            const angle = axis.length() / this.size;
            if (!(angle > 0)) continue;
            turn.setFromAxisAngle(axis.normalize(), angle);
            now.set(p[o + 3], p[o + 4], p[o + 5], p[o + 6])
                .premultiply(turn)
                .toArray(p, o + 3);
        }
    }

    measurePoint(figure, place, out) {
        return place && figure.trackPoint(place.track, place.point, out);
    }

    prepare(one, r) {
        const { figure } = one;
        this.pose(figure, r);
        this.coloring.update(state.time);
        figure.update(isHidden);
        const shown = state.mode < 0;
        one.force.group.visible = state.forces && shown;
        one.torque.group.visible = state.torques && shown;
        if (state.forces && shown) one.force.update(state.time, state.forceScale, isHidden);
        if (state.torques && shown) one.torque.update(state.time, state.forceScale, isHidden);
        const [a, b] = state.measure.map((place) => this.measurePoint(figure, place, new THREE.Vector3()));
        one.line.visible = !!(a && b);
        if (a && b) {
            one.line.geometry.setFromPoints([a, b]);
            one.line.computeLineDistances();
            one.measured = { a, b };
        } else one.measured = null;
        this.outlineOf(one);
        if (r === 0 && state.follow) this.follow(figure);
    }

    outlineOf(one) {
        one.outline.visible = false;
        if (!state.selected) return;
        const box = one.figure.bounds(
            (path) => isHidden(path) || !(path === state.selected || path.startsWith(state.selected + ".")),
        );
        if (box.isEmpty()) return;
        one.outline.box.copy(box.expandByScalar(0.006 * this.size));
        one.outline.visible = true;
    }

    /* Shadows are sharp around what the camera looks at. */
    light(one) {
        const target = this.controls.target,
            distance = Math.min(6 * this.size, this.camera.position.distanceTo(target));
        const reach = Math.max(0.9 * this.size, 0.55 * distance),
            camera = one.key.shadow.camera;
        one.key.target.position.copy(target);
        one.key.position.copy(target).addScaledVector(new THREE.Vector3(0.45, -0.65, 1.25).normalize(), 4 * reach);
        Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * reach, far: 9 * reach });
        camera.updateProjectionMatrix();
        one.ground.follow(target, this.camera.position.distanceTo(target));
    }

    render() {
        this.wanted = false;
        if (!this.width) return;
        this.renderer.setScissorTest(true);
        const width = this.width / Math.max(1, this.scenes.length);
        this.scenes.forEach((one, r) => {
            this.prepare(one, r);
            this.light(one);
            this.renderer.setViewport(r * width, 0, width, this.height);
            this.renderer.setScissor(r * width, 0, width, this.height);
            this.renderer.clear();
            this.renderer.render(one.scene, this.camera);
        });
        this.renderer.setViewport(10, 8, 76, 76);
        this.renderer.setScissor(10, 8, 76, 76);
        this.renderer.clearDepth();
        this.triadCamera.position.copy(this.camera.position).sub(this.controls.target).normalize();
        this.triadCamera.up.copy(this.camera.up);
        this.triadCamera.lookAt(0, 0, 0);
        this.renderer.render(this.triad, this.triadCamera);
        emit("rendered", this);
    }

    /* ---- the pointer ------------------------------------------------------------------------------------------------ */

    pick(event) {
        const rectangle = this.canvas.getBoundingClientRect(),
            width = this.width / this.scenes.length;
        const x = event.clientX - rectangle.left,
            r = Math.min(this.scenes.length - 1, Math.floor(x / width));
        const ray = new THREE.Raycaster();
        ray.setFromCamera(
            new THREE.Vector2(((x - r * width) / width) * 2 - 1, 1 - ((event.clientY - rectangle.top) / this.height) * 2),
            this.camera,
        );
        const { figure } = this.scenes[r];
        const hits = ray.intersectObjects(
            [...figure.batches.values()].filter((batch) => batch.mesh.visible).map((batch) => batch.mesh),
            false,
        );
        if (!hits.length) return null;
        const item = hits[0].object.userData.batch.shown[hits[0].instanceId];
        return { item, figure, point: hits[0].point };
    }

    click(event) {
        if (!this.scenes.length) return;
        const hit = this.pick(event);
        if (state.measuring && hit) {
            const track = hit.item.mode === "place" || hit.item.drawing.places[0][0] < 0 ? hit.item.drawing.places[0][0] : -1;
            emit("measured", { track, point: hit.figure.inTrack(track, hit.point).toArray(), name: hit.item.path });
            return;
        }
        emit("select", hit ? hit.item.path : null);
    }

    hover(event) {
        const hit = this.scenes.length ? this.pick(event) : null;
        return hit ? hit.item : null;
    }

    screenOf(point, r) {
        const at = point.clone().project(this.camera),
            width = this.width / this.scenes.length;
        return [r * width + ((at.x + 1) / 2) * width, ((1 - at.y) / 2) * this.height];
    }
}
