/* check.mjs - the pages that test_page.c makes, in a headless Chromium. usage: node check.mjs FOLDER; prints what is wrong and returns 1. */
import { Browser } from "./browser.mjs";
import { countColors, readPng } from "./png.mjs";

const folder = process.argv[2];
const faults = [];
const hold = (what, is) => {
    if (!is) faults.push(what);
};
const page = (name, hash = "") => `file://${folder}/${name}.html${hash}`;

/* The columns of tests/support/test_recording.h. */
function valueOf(rows, row, column) {
    const time = row * (10 / (rows - 1));
    if (column === 0) return time;
    if (column === 1) return row === Math.floor(rows / 2) ? 1 : 0;
    if (column === 2) return row < Math.floor(rows / 2) ? Math.sin(time) : null;
    if (column === 3) return row;
    return (1 + column) * Math.sin(0.3 * column * time) + Math.cos(0.1 * time);
}

async function checkValues(browser, rows, exact) {
    for (const [name, column] of [
        ["gap", 2],
        ["count", 3],
        ["wave4", 4],
    ])
        for (const row of [0, 1, 17, rows >> 1, rows - 2, rows - 1]) {
            const [time, value] = await browser.evaluate(
                `window.tenon.row(${JSON.stringify(name)}, ${row}).then(([t, v]) => [t, Number.isFinite(v) ? v : null])`,
            );
            const wanted = valueOf(rows, row, column),
                range = await browser.evaluate(
                    `(({low, high}) => high - low)(window.tenon.head.runs[0].tables[0].columns.find((one) => one.name === "${name}"))`,
                );
            hold(`time of row ${row} is ${time}`, Math.abs(time - valueOf(rows, row, 0)) <= (exact ? 0 : 1e-14));
            // the sine of this program and that of the C library may differ in their last bit
            const error = wanted === null || value === null ? (wanted === value ? 0 : Infinity) : Math.abs(value - wanted);
            hold(
                `${name}, row ${row}: ${value}, not ${wanted}`,
                error <= (exact ? 4e-16 * Math.max(1, Math.abs(wanted)) : range * 2 ** -20),
            );
        }
}

async function checkLook(browser) {
    const box = await browser.evaluate(
        "(({left, top, right, bottom}) => [left, top, right, bottom].map(Math.round))(document.querySelector('.scene canvas').getBoundingClientRect())",
    );
    const colors = countColors(readPng(await browser.picture(process.env.PICTURE)), box);
    hold(`the scene has ${colors} colours`, colors > 200);
    for (const selector of ["button", "input", "select"])
        hold(
            `a ${selector} has no name`,
            await browser.evaluate(
                `[...document.querySelectorAll("${selector}")].every((one) => (one.getAttribute("aria-label") || one.textContent || one.placeholder || one.closest("label")?.textContent || "").trim())`,
            ),
        );
    hold(
        "the warning's text is whole",
        await browser.evaluate(
            `document.getElementById("panel-messages").textContent.includes('a </script> & "quoted" warning')`,
        ),
    );
    hold(
        "the model's text is whole",
        await browser.evaluate(`document.querySelector(".toml").textContent.includes("# </script>")`),
    );
}

async function checkKeys(browser) {
    const time = () => browser.evaluate("window.tenon.state.time");
    await browser.press("End");
    hold("End goes to the end", (await time()) === 10);
    await browser.press("Home");
    await browser.press("ArrowRight");
    hold("an arrow goes to the next frame", Math.abs((await time()) - 10 / 399) < 1e-12);
    await browser.evaluate(
        "window.tenon.setTime(0); document.querySelector('select.speed').value = 1; window.tenon.state.speed = 1",
    );
    await browser.press(" ");
    await browser.until("window.tenon.state.time > 0.05");
    await browser.press(" ");
    hold("Space stops", !(await browser.evaluate("window.tenon.state.playing")));
    await browser.press("?");
    hold("? shows the help", await browser.evaluate("document.querySelector('dialog.help').open"));
    await browser.evaluate("document.querySelector('dialog.help').close()");
}

async function checkAddress(browser) {
    await browser.open(page("small", "#t=1.25&plots=wave4+gap,count&zoom=1,3&follow=car.wheel"));
    const found = await browser.evaluate(
        "[window.tenon.state.time, window.tenon.plots.lists(), window.tenon.state.range, window.tenon.state.follow]",
    );
    hold(
        `the address is restored: ${JSON.stringify(found)}`,
        JSON.stringify(found) === '[1.25,[["wave4","gap"],["count"]],[1,3],"car.wheel"]',
    );
    await browser.evaluate("window.tenon.setTime(2.5), window.tenon.show([['spike']])");
    await browser.until("location.hash.startsWith('#t=2.5&plots=spike&zoom=1,3')");
    const pose = await browser.evaluate("(window.tenon.view.render(), window.tenon.poses())");
    for (const [k, wanted] of [
        [0, 0.5 * Math.cos(2.5)],
        [2, -0.5 * Math.sin(2.5)],
        [4, Math.sin(1.25)],
        [14, 5],
    ])
        hold(`pose ${k} is ${pose[k]}, not ${wanted}`, Math.abs(pose[k] - wanted) < 2e-3);
}

async function checkMillion(browser) {
    const taken = await browser.open(page("million", "#plots=spike,wave4"));
    console.log(`a million rows: ready after ${Math.round(taken)} ms`);
    const [, values] = await browser.evaluate("window.tenon.plotted('spike')");
    hold(`of 1e6 rows ${values.length} points are drawn`, values.length < 8000 && values.length > 500);
    hold("the spike is seen", values.includes(1) && values.filter((value) => value === 1).length === 1);
    const step = 10 / 999999;
    await browser.evaluate(`window.tenon.setRange(${(500000 - 50.5) * step}, ${(500000 + 49.5) * step})`);
    const [times, wave] = await browser.evaluate("window.tenon.plotted('wave4')"),
        spikes = (await browser.evaluate("window.tenon.plotted('spike')"))[1];
    hold(`100 rows: ${times.length}`, times.length === 100);
    times.forEach((time, k) => {
        const row = 500000 - 50 + k;
        hold(`row ${row} at ${time}`, Math.abs(time - row * step) < 1e-14);
        hold(`row ${row} is ${wave[k]}`, Math.abs(wave[k] - valueOf(1000000, row, 4)) < 12 * 2 ** -20);
        hold(`row ${row} has the spike ${spikes[k]}`, spikes[k] === (row === 500000 ? 1 : 0));
    });
}

async function checkTwo(browser) {
    await browser.open(page("two", "#plots=wave4"));
    hold("there are two scenes", (await browser.evaluate("window.tenon.view.scenes.length")) === 2);
    await browser.evaluate("window.tenon.plots.panes[0].differ(true)");
    const [, values] = await browser.evaluate("window.tenon.plotted('wave4')");
    hold("equal signals of other rows differ little", values.length > 100 && values.every((value) => Math.abs(value) < 1e-3));
}

async function checkOdd(browser) {
    await browser.open(page("empty"));
    hold("a failed run says so", await browser.evaluate("document.querySelector('.badge').textContent === 'failed'"));
    await browser.open(page("broken"));
    hold(
        "frames that are not finite are told",
        await browser.evaluate("document.getElementById('panel-run').textContent.includes('20 frames were not finite')"),
    );
    hold("one row is a point", await browser.evaluate("window.tenon.plotted('count')[0].length === 1"));
}

const browser = new Browser();
try {
    await browser.open(page("small"));
    await checkLook(browser);
    await checkValues(browser, 2000, false);
    await checkKeys(browser);
    await checkAddress(browser);
    await browser.open(page("exact"));
    await checkValues(browser, 2000, true);
    await checkMillion(browser);
    await checkTwo(browser);
    await checkOdd(browser);
} catch (fault) {
    faults.push(fault.stack);
}
faults.push(...browser.console.filter((line) => /^(error|assert|warning)/.test(line)));
await browser.close();

const plain = new Browser(undefined, ["--disable-3d-apis"]);
try {
    await plain.open(page("small"));
    hold(
        "without WebGL there are plots",
        await plain.evaluate("window.tenon.view === null && window.tenon.plotted('gap')[0].length > 100"),
    );
} catch (fault) {
    faults.push(fault.stack);
}
await plain.close();
faults.forEach((fault) => console.log(fault));
process.exit(faults.length ? 1 : 0);
