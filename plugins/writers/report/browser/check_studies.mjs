/* check_studies.mjs - pages of studies, one after the other in one headless Chromium: each is ready without an error in its console, draws all of
 * its views, and names the command of a case. usage: node check_studies.mjs FOLDER, which has NAME/study.html; prints what is wrong and returns 1. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "./browser.mjs";

const [folder] = process.argv.slice(2);
const faults = [];
let page = "";
const hold = (what, is) => {
    if (!is) faults.push(`${page}: ${what}`);
};

/* Distinct colours of the canvas in sight. */
const COLORS = `(() => {
    const canvas = [...document.querySelectorAll("canvas")].find((one) => one.clientHeight),
        pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, colors = new Set();
    for (let k = 0; k < pixels.length; k += 4) colors.add(pixels[k] << 24 | pixels[k + 1] << 16 | pixels[k + 2] << 8 | pixels[k + 3]);
    return colors.size;
})()`;

async function checkViews(browser) {
    const views = await browser.evaluate("Object.keys(window.tenon.views)");
    hold(`it has ${views}`, views.includes("cases") && views.includes("history"));
    hold("accuracy over time is of tolerances alone", views.includes("precision") === (page === "tolerances"));
    for (const view of views) {
        await browser.evaluate(`window.tenon.tab(${JSON.stringify(view)})`);
        await browser.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))");
        if (view === "cases") continue;
        const colors = await browser.evaluate(COLORS);
        hold(`${view} has ${colors} colours`, colors > 5);
    }
}

async function checkCases(browser) {
    const { cases, rows, lines } = await browser.evaluate(
        "(window.tenon.tab('cases'), { cases: window.tenon.head.cases, rows: window.tenon.views.cases.rows.length, lines: document.querySelectorAll('tr.case').length })",
    );
    hold(`${rows} rows of ${cases} cases, ${lines} lines`, rows === cases && cases > 0 && lines > 0);
    await browser.evaluate("document.querySelector('tr.case').click()");
    const command = await browser.evaluate("document.querySelector('.command').value");
    hold(`its command: ${command}`, command.startsWith("tenon case ") && command.endsWith(`${page} 0`));
}

const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "study.html")))
    .map((entry) => entry.name);
const browser = new Browser();
for (page of names)
    try {
        await browser.open(`file://${folder}/${page}/study.html`);
        await checkViews(browser);
        await checkCases(browser);
        for (const line of browser.console.splice(0)) hold(line, !/^(error|assert|warning)/.test(line));
    } catch (fault) {
        hold(fault.stack, false);
    }
await browser.close();
console.log(`${names.length} pages`);
faults.forEach((fault) => console.log(fault));
process.exit(faults.length || !names.length ? 1 : 0);
