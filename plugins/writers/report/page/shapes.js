/* shapes.js - geometries: z is their axis, and they are of unit size where they can be scaled. */
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

/* Along z, in place of y. */
const upright = (geometry) => geometry.rotateX(Math.PI / 2);
const merged = (list) =>
    mergeGeometries(
        list.map((geometry) => {
            const plain = geometry.index ? geometry.toNonIndexed() : geometry;
            for (const name of Object.keys(plain.attributes))
                if (name !== "position" && name !== "normal") plain.deleteAttribute(name);
            return plain;
        }),
    );
const cylinder = (radius, length, z = 0, sides = 32) =>
    upright(new THREE.CylinderGeometry(radius, radius, length, sides)).translate(0, 0, z);
/* A ring about z of this profile: points (radius, z). */
const turned = (profile, sides = 48) =>
    upright(
        new THREE.LatheGeometry(
            profile.map(([r, z]) => new THREE.Vector2(r, z)),
            sides,
        ),
    );

/* A box with small bevels, which catch the light. */
function box(x, y, z) {
    const bevel = 0.06 * Math.min(x, y, z);
    if (!(bevel > 0)) return new THREE.BoxGeometry(x || 1e-6, y || 1e-6, z || 1e-6);
    const a = x / 2 - bevel,
        b = y / 2 - bevel,
        shape = new THREE.Shape();
    shape.moveTo(-a, -b).lineTo(a, -b).lineTo(a, b).lineTo(-a, b).closePath();
    const geometry = new THREE.ExtrudeGeometry(shape, {
        depth: z - 2 * bevel,
        bevelEnabled: true,
        bevelThickness: bevel,
        bevelSize: bevel,
        bevelSegments: 2,
    });
    return geometry.translate(0, 0, -z / 2 + bevel);
}

/* A coil along z from 0 to `length`, with straight ends. */
export function coil(radius, wire, turns, length) {
    const points = [],
        steps = Math.ceil(turns * 20),
        lead = 0.08 * length;
    points.push(new THREE.Vector3(0, 0, 0), new THREE.Vector3(0, 0, 0.6 * lead));
    for (let i = 0; i <= steps; i++) {
        const share = i / steps,
            angle = 2 * Math.PI * turns * share;
        const ease = Math.min(1, share * turns * 4, (1 - share) * turns * 4);
        points.push(
            new THREE.Vector3(
                radius * ease * Math.cos(angle),
                radius * ease * Math.sin(angle),
                lead + share * (length - 2 * lead),
            ),
        );
    }
    points.push(new THREE.Vector3(0, 0, length - 0.6 * lead), new THREE.Vector3(0, 0, length));
    return new THREE.TubeGeometry(
        new THREE.CatmullRomCurve3(points, false, "centripetal"),
        Math.min(1600, (steps * 1.5) | 0),
        wire,
        8,
    );
}

/* A wheel: a rim, a hub and spokes, so that its rotation is seen. */
function disc(radius, width) {
    const w = width / 2,
        r = radius,
        parts = [
            turned(
                [
                    [0.74 * r, -0.9 * w],
                    [0.9 * r, -w],
                    [0.975 * r, -0.8 * w],
                    [r, -0.4 * w],
                    [r, 0.4 * w],
                    [0.975 * r, 0.8 * w],
                    [0.9 * r, w],
                    [0.74 * r, 0.9 * w],
                    [0.72 * r, 0.5 * w],
                    [0.72 * r, -0.5 * w],
                    [0.74 * r, -0.9 * w],
                ],
                64,
            ),
            cylinder(0.16 * r, 1.1 * width),
            cylinder(0.73 * r, 0.12 * width, 0, 64),
        ];
    for (let k = 0; k < 5; k++)
        parts.push(
            new THREE.BoxGeometry(0.62 * r, 0.12 * r, 0.6 * width).translate(0.42 * r, 0, 0).rotateZ((2 * Math.PI * k) / 5),
        );
    return merged(parts);
}

const ring = (outer, inner, length) =>
    turned([
        [inner, -length / 2],
        [outer, -length / 2],
        [outer, length / 2],
        [inner, length / 2],
        [inner, -length / 2],
    ]);

function hinge(length) {
    const r = 0.1 * length;
    return merged([
        cylinder(0.45 * r, length),
        ring(1.2 * r, 0.5 * r, 0.42 * length),
        cylinder(0.8 * r, 0.06 * length, 0.5 * length),
        cylinder(0.8 * r, 0.06 * length, -0.5 * length),
    ]);
}

function slide(length) {
    const r = 0.025 * length;
    return merged([
        cylinder(r, length),
        cylinder(2.2 * r, 0.02 * length, 0.5 * length),
        cylinder(2.2 * r, 0.02 * length, -0.5 * length),
    ]);
}

const axisColors = [
    [0.84, 0.24, 0.2],
    [0.2, 0.62, 0.3],
    [0.18, 0.42, 0.88],
];
const arrow = (length) =>
    merged([
        cylinder(0.022 * length, 0.82 * length, 0.41 * length, 12),
        upright(new THREE.ConeGeometry(0.065 * length, 0.2 * length, 16)).translate(0, 0, 0.9 * length),
    ]);
/* Three arrows in colours of their own. */
export function axes(length) {
    const parts = axisColors.map((color, k) => {
        const one = arrow(length);
        if (k === 0) one.rotateY(Math.PI / 2);
        if (k === 1) one.rotateX(-Math.PI / 2);
        const count = one.attributes.position.count,
            colors = new Float32Array(3 * count);
        for (let i = 0; i < count; i++) colors.set(color, 3 * i);
        one.setAttribute("color", new THREE.BufferAttribute(colors, 3));
        return one;
    });
    return mergeGeometries(parts);
}

/* Shaft and head of an arrow along z: of unit length and radius 1, and of unit size. */
export const shaft = () => cylinder(1, 1, 0.5, 16);
export const cone = () => upright(new THREE.ConeGeometry(1, 1, 24)).translate(0, 0, 0.5);
export const unitRod = () => cylinder(1, 1, 0.5, 24);

/* The housing of a damper, and its rod with the piston's eye; both begin at z = 0 and have a length of their own. */
export const housing = (radius, length) =>
    merged([
        turned(
            [
                [0, 0],
                [0.35 * radius, 0],
                [0.35 * radius, 0.12 * length],
                [radius, 0.14 * length],
                [radius, length],
                [0.4 * radius, length],
                [0, length],
            ],
            32,
        ),
    ]);
export const pistonRod = (radius, length) =>
    merged([cylinder(0.32 * radius, length, length / 2, 20), cylinder(0.55 * radius, 0.05 * length, 0.025 * length)]);

/* ---- meshes of files ------------------------------------------------------------------------------------------ */

/* Corners of triangles, nine floats each. */
export function meshGeometry(bytes) {
    const corners = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)),
        geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    geometry.computeVertexNormals();
    return geometry;
}

/* ---- what drawings are ------------------------------------------------------------------------------------------ */

/* The geometry of a shape: its kind is that of tn_shape_kind. Of many, each has fewer triangles. */
export function shapeGeometry(kind, [a, b, c], modelSize, count = 1) {
    const sides = count > 200 ? 16 : count > 40 ? 24 : 48;
    switch (kind) {
        case 0:
            return new THREE.SphereGeometry(a, sides, (sides * 0.7) | 0).rotateX(Math.PI / 2);
        case 1:
            return count > 200 ? new THREE.BoxGeometry(a, b, c) : box(a, b, c);
        case 2:
            return upright(new THREE.CapsuleGeometry(a, b, sides / 4, sides));
        case 3:
            return cylinder(a, b, 0, sides);
        case 4:
            return new THREE.PlaneGeometry(a || 4 * modelSize, b || 4 * modelSize);
        default:
            return box(a || 0.1 * modelSize, b || 0.1 * modelSize, c || 0.1 * modelSize);
    }
}

/* The geometry of a drawing at one place: its kind is that of tn_drawing_kind. */
export function placedGeometry(kind, [a, b], share) {
    switch (kind) {
        case 5:
            return slide(a || 4 * share);
        case 6:
            return hinge(a || 2 * share);
        case 7:
            return new THREE.SphereGeometry(a || 0.5 * share, 32, 20);
        case 8:
            return ring(a || share, 0.55 * (a || share), b || 1.5 * share);
        case 9:
            return disc(a || 2 * share, b || share);
        case 11:
            return arrow(a || 3 * share);
        default:
            return axes(a || 2 * share);
    }
}
