/* ground.js - a grid that fades with the distance, and the shadows on it. */
import * as THREE from "three";

const vertex = `
varying vec3 place;
void main() {
    vec4 at = modelMatrix * vec4(position, 1.0);
    place = at.xyz;
    gl_Position = projectionMatrix * viewMatrix * at;
}`;
const fragment = `
varying vec3 place;
uniform float cell, reach;
uniform vec3 middle, color, xColor, yColor;
float lines(vec2 at, float width) {
    vec2 slope = fwidth(at), distance = abs(fract(at - 0.5) - 0.5) / slope;
    vec2 line = (1.0 - min(distance / width, 1.0)) * clamp(0.6 / slope - 1.0, 0.0, 1.0);
    return max(line.x, line.y);
}
void main() {
    float fade = 1.0 - smoothstep(0.25, 1.0, length(place.xy - middle.xy) / reach);
    float strength = max(0.13 * lines(place.xy / cell, 1.0), 0.3 * lines(place.xy / (5.0 * cell), 1.3));
    vec2 slope = fwidth(place.xy);
    float onX = 1.0 - min(abs(place.y) / slope.y / 1.6, 1.0), onY = 1.0 - min(abs(place.x) / slope.x / 1.6, 1.0);
    vec3 shade = mix(mix(color, yColor, onY), xColor, onX);
    strength = max(strength, 0.6 * max(onX, onY));
    gl_FragColor = vec4(shade, strength * fade);
}`;

export function makeGround(size, height) {
    const cell = 10 ** Math.floor(Math.log10(size * 0.6)),
        group = new THREE.Group();
    const grid = new THREE.Mesh(
        new THREE.PlaneGeometry(1, 1),
        new THREE.ShaderMaterial({
            vertexShader: vertex,
            fragmentShader: fragment,
            transparent: true,
            depthWrite: false,
            side: THREE.DoubleSide,
            uniforms: {
                cell: { value: cell },
                reach: { value: 10 * size },
                middle: { value: new THREE.Vector3() },
                color: { value: new THREE.Color() },
                xColor: { value: new THREE.Color("#c0504a") },
                yColor: { value: new THREE.Color("#4a9a5c") },
            },
        }),
    );
    const shade = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    shade.receiveShadow = true;
    shade.renderOrder = -2;
    grid.renderOrder = -1;
    group.add(shade, grid);
    group.position.z = height;
    /* Centres the grid at the target of the camera. */
    const follow = (target, distance) => {
        const reach = Math.max(8 * size, 4 * distance);
        for (const part of [shade, grid]) {
            part.scale.set(2 * reach, 2 * reach, 1);
            part.position.set(target.x, target.y, 0);
        }
        grid.material.uniforms.reach.value = reach;
        grid.material.uniforms.middle.value.copy(target);
        const rough = 0.12 * distance,
            power = 10 ** Math.floor(Math.log10(rough)),
            digit = rough / power;
        grid.material.uniforms.cell.value = power > 0 ? power * (digit < 2 ? 1 : digit < 5 ? 2 : 5) : cell;
    };
    return { group, grid, shade, follow, cell };
}
