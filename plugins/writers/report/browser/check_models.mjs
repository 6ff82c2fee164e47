/* check_models.mjs - the pages of runs, one after the other in one headless Chromium: each is ready without an error in its console, its
 * scene is not blank, a value read back from a plot is the one of sensors.csv, keys and address work.
 * usage: node check_models.mjs FOLDER, which has NAME/report.html and NAME/sensors.csv; prints what is wrong and returns 1. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "./browser.mjs";

const [folder] = process.argv.slice(2);
const SMALL = { width: 480, height: 360 }; // by software each point takes its time
const faults = [];
let page = "";
const hold = (what, is) => {
    if (!is) faults.push(`${page}: ${what}`);
};

/* {names, rows} of numbers. */
function readTable(path) {
    if (!existsSync(path)) return { names: [], rows: [] };
    const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
    return { names: head.split(","), rows: lines.map((line) => line.split(",").map(Number)) };
}

/* Distinct colours of the canvas as it was drawn last, which it keeps. */
const COLORS = `(() => {
    const gl = window.tenon.view.renderer.getContext(), [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const pixels = new Uint8Array(4 * w * h), colors = new Set();
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    for (let k = 0; k < pixels.length; k += 4) colors.add(pixels[k] << 16 | pixels[k + 1] << 8 | pixels[k + 2]);
    return colors.size;
})()`;

async function checkScene(browser) {
    const drawn = await browser.evaluate("window.tenon.view.figures.some((figure) => figure.items.length)");
    if (!drawn)
        return hold(
            "nothing is drawn, and the page does not say so",
            await browser.evaluate("document.querySelector('.scene.without .empty') !== null"),
        );
    const colors = await browser.evaluate(COLORS);
    hold(`the scene has ${colors} colours`, colors > 500);
}

/* A row in the middle of the first column that is plotted, zoomed in to it. */
async function checkValue(browser, { names, rows }) {
    const name = await browser.evaluate("window.tenon.plots.panes[0]?.names[0] ?? null"),
        k = names.indexOf(name);
    if (!name || !rows.length) return hold("it has rows, and no plot", !rows.length || names.length < 2);
    hold(`${name} is none of sensors.csv`, k > 0);
    const row = rows.length >> 1,
        [time, value] = [rows[row][0], rows[row][k]],
        step = rows.length > 1 ? rows[row][0] - rows[row - 1][0] || 1e-3 : 1e-3;
    const range = await browser.evaluate(
        `(({low, high}) => high - low)(window.tenon.head.runs[0].tables[0].columns.find((one) => one.name === ${JSON.stringify(name)}))`,
    );
    await browser.evaluate(`window.tenon.setRange(${time - step}, ${time + step})`);
    const [times, values] = await browser.evaluate(`window.tenon.plotted(${JSON.stringify(name)})`);
    const within = range * 2 ** -20 + Math.abs(value) * 2 ** -52; // round-off of a constant, too
    hold(
        `${name} of row ${row}, ${value} at ${time}, is not among ${times} ${values}`,
        times.some((one, i) => Math.abs(one - time) <= 1e-12 * Math.max(1, Math.abs(time)) && Math.abs(values[i] - value) <= within),
    );
    await browser.evaluate("window.tenon.showAll()");
}

async function checkKeys(browser) {
    const [start, end] = await browser.evaluate("[window.tenon.state.start, window.tenon.state.end]");
    await browser.press("End");
    hold("End goes to the end", (await browser.evaluate("window.tenon.state.time")) === end);
    await browser.until(`location.hash.includes('t=${Number(end.toPrecision(12))}&')`, 5000);
    const half = Number(((start + end) / 2).toPrecision(6));
    await browser.evaluate(`location.hash = '#t=${half}'`);
    await browser.until(`Math.abs(window.tenon.state.time - ${half}) < 1e-9 * Math.max(1, Math.abs(${half}))`, 5000);
}

const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "report.html")))
    .map((entry) => entry.name);
const browser = new Browser();
for (page of names)
    try {
        await browser.open(`file://${folder}/${page}/report.html`, SMALL);
        await checkScene(browser);
        await checkValue(browser, readTable(join(folder, page, "sensors.csv")));
        await checkKeys(browser);
        for (const line of browser.console.splice(0)) hold(line, !/^(error|assert|warning)/.test(line));
    } catch (fault) {
        hold(fault.stack, false);
    }
await browser.close();
console.log(`${names.length} pages`);
faults.forEach((fault) => console.log(fault));
process.exit(faults.length || !names.length ? 1 : 0);
