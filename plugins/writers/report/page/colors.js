/* colors.js - colours that colour-blind people can distinguish (Okabe and Ito, slightly darker on white, lighter on black), and a scale
 * (cividis). */

const light = ["#0072b2", "#d55e00", "#009e73", "#b3589a", "#b98500", "#3a9bd9", "#5d5d5d", "#8a3ffc"];
const dark = ["#4aa8e8", "#ff8a3c", "#2fcb9d", "#e291c4", "#f0c04a", "#8fd0ff", "#c4c4c4", "#be95ff"];
export const isDark = () => document.documentElement.dataset.theme === "dark";
export const curveColor = (k) => (isDark() ? dark : light)[k % light.length];

const cividis = [
    [0, 34, 78],
    [18, 53, 112],
    [59, 73, 108],
    [87, 93, 109],
    [112, 113, 115],
    [138, 134, 120],
    [165, 156, 116],
    [195, 179, 105],
    [225, 204, 85],
    [254, 232, 56],
];
/* Red, green and blue, 0 to 1, at a share. */
export function scaleColor(share) {
    const at = Math.min(1, Math.max(0, share)) * (cividis.length - 1),
        k = Math.min(cividis.length - 2, Math.floor(at));
    return cividis[k].map((value, i) => (value + (at - k) * (cividis[k + 1][i] - value)) / 255);
}
export const scaleStops = cividis.map((color) => `rgb(${color})`).join(", ");

export function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
}
setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
