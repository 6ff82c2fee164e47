/* check_study.mjs - the pages that test_study_page.c makes, in a headless Chromium. usage: node check_study.mjs FOLDER; prints what is wrong and
 * returns 1. */
import { Browser } from "./browser.mjs";
import { countColors, readPng } from "./png.mjs";

const folder = process.argv[2];
const faults = [];
const hold = (what, is) => {
    if (!is) faults.push(what);
};
const page = (name) => `file://${folder}/report_${name}.html`;
const browser = new Browser();
const ask = (expression) => browser.evaluate(expression);
const frame = () => ask("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))");

async function open(name) {
    const taken = await browser.open(page(name));
    hold(`${name} has no alert`, !(await ask("document.querySelector('[role=alert]')")));
    return taken;
}

async function show(tab) {
    await ask(`window.tenon.tab(${JSON.stringify(tab)})`);
    await frame();
}

/* Where something is drawn: the middle of a mark in the page's pixels. */
const click = (x, y) =>
    ask(`(() => {
        const canvas = [...document.querySelectorAll("canvas")].find((one) => one.clientHeight), box = canvas.getBoundingClientRect();
        for (const type of ["pointerdown", "pointerup"])
            canvas.dispatchEvent(new PointerEvent(type, { clientX: box.left + ${x}, clientY: box.top + ${y}, pointerId: 1, bubbles: true }));
    })()`);
const drag = (x, from, to) =>
    ask(`(() => {
        const canvas = [...document.querySelectorAll("canvas")].find((one) => one.clientHeight), box = canvas.getBoundingClientRect();
        canvas.setPointerCapture = () => {};
        for (const [type, y] of [["pointerdown", ${from}], ["pointermove", ${to}], ["pointerup", ${to}]])
            canvas.dispatchEvent(new PointerEvent(type, { clientX: box.left + ${x}, clientY: box.top + y, pointerId: 1, bubbles: true }));
    })()`);
const picked = () => ask("window.tenon.state.picked === null ? null : window.tenon.table.number[window.tenon.state.picked]");
const command = () => ask("document.querySelector('.command')?.value ?? null");

async function checkTable() {
    const lines = await ask("[...document.querySelectorAll('tr.case')].map((one) => one.textContent)");
    hold(`${lines.length} rows are elements`, lines.length > 20 && lines.length < 80);
    hold(`the failed one says why: ${lines[4]}`, lines[4].includes("crashed") && lines[4].includes("SIGSEGV </script> in `whim` (spring)"));
    hold("the first row has its values", lines[1].includes("100") && lines[1].includes("77.6") && lines[1].includes("{type = \"radau\"} </script>"));
    await ask("document.querySelector('tr.case:nth-child(5)').click()");
    hold(`a click names the command: ${await command()}`, (await command()) === "tenon case '/tmp/it'\\''s <here>' 3");
    await ask("document.querySelectorAll('.cases th button')[5].click()");
    hold("sorted by the response", (await ask("window.tenon.table.number[window.tenon.views.cases.rows[0]]")) === 777);
    const last = await ask("window.tenon.views.cases.rows.slice(-90).every((row) => !window.tenon.table.ok[row])");
    hold("rows without a value are the last", last);
    await ask("document.querySelectorAll('.cases th button')[5].click()");
    hold("sorted the other way", (await ask("window.tenon.table.number[window.tenon.views.cases.rows[0]]")) === 0);
    await ask(`(() => { const select = document.querySelector(".toolbar select"); select.value = "crashed"; select.dispatchEvent(new Event("change")); })()`);
    hold("filtered by status", (await ask("window.tenon.views.cases.rows.length")) === 90);
    await ask(`(() => { const select = document.querySelector(".toolbar select"); select.value = ""; select.dispatchEvent(new Event("change")); })()`);
    await ask(`(() => { const find = document.querySelector(".toolbar .filter"); find.value = "614"; find.dispatchEvent(new Event("input")); })()`);
    hold("found by its number", (await picked()) === 614 && (await command()).endsWith(" 614"));
}

async function checkTexts() {
    const side = await ask("document.querySelector('aside').textContent");
    for (const text of ["810", "90", "SIGSEGV </script> in `whim` (spring)", "7 cases </script> are left out", "total effect", "0.6 to 0.8", "optimum"])
        hold(`the side has ${text}`, side.includes(text));
    hold(
        "an answer of a list is a value",
        await ask(`[...document.querySelectorAll(".answers tr")].some((one) => one.textContent.startsWith("optimumsolver{type"))`),
    );
    hold("there is one sentence", (await ask("document.querySelectorAll('.sentence').length")) === 1);
    hold("the title is whole", (await ask("document.title")) === '</script> & "study" €');
    hold("nothing of it has become an element", await ask("!document.querySelector('#page i')"));
    await ask("[...document.querySelectorAll('.answers button')].find((one) => one.textContent === '777').click()");
    hold("an answer picks its case", (await picked()) === 777);
    await show("study");
    hold("the study's text is whole", await ask("document.querySelector('.toml').textContent.includes('# </script>')"));
    for (const selector of ["button", "input", "select"])
        hold(
            `a ${selector} has no name`,
            await ask(
                `[...document.querySelectorAll("${selector}")].every((one) => (one.getAttribute("aria-label") || one.textContent || one.placeholder || one.closest("label")?.textContent || "").trim())`,
            ),
        );
}

async function checkScatter() {
    await show("scatter");
    const [x, y] = await ask("window.tenon.views.scatter.panels[0].at(700)");
    await click(x, y);
    const found = await picked();
    hold(`a point near case 700 was picked: ${found}`, found !== null && found % 4 === 0 && Math.abs(found - 700) < 30);
    hold("the command follows", (await command()).endsWith(` ${found}`));
    const [left, below] = await ask("window.tenon.views.scatter.panels[1].below(104)"); // one that has failed
    await click(left, below);
    const failed = await picked();
    hold(`a case that has failed was picked: ${failed}`, failed % 10 === 4 && Math.abs(Math.sin(failed) - Math.sin(104)) < 0.05);
}

async function checkParallel() {
    await show("parallel");
    const axis = (k) => ask(`(({x, y}) => [x, y(60), y(140)])(window.tenon.views.parallel.axes[${k}])`);
    const [x, low, high] = await axis(0);
    await drag(x, low, high); // of 50, 100, 150, 200 the second one
    await frame();
    const shown = await ask("window.tenon.filteredRows().map((row) => window.tenon.table.number[row])");
    hold(`${shown.length} cases are brushed`, shown.length === 225 && shown.every((number) => number % 4 === 1));
    await show("cases");
    hold("the table follows", (await ask("window.tenon.views.cases.rows.length")) === 225);
    await ask("window.tenon.brush(0, null)");
    hold("all are there again", (await ask("window.tenon.views.cases.rows.length")) === 900);
}

async function checkPlots() {
    await show("tornado");
    hold("bars of the design", await ask("window.tenon.views.tornado.shown.name === 'total effect' && window.tenon.views.tornado.bars.length === 2"));
    const one = await ask("window.tenon.rankCorrelation([1, 2, 3, 4, 5], [2, 4, 8, 16, 32])"),
        other = await ask("window.tenon.rankCorrelation([1, 2, 2, 4], [4, 3, 3, 1])"),
        some = await ask("window.tenon.rankCorrelation([1, 2, 3, 4, 5], [1, 3, 2, 5, 4])");
    hold(`rank correlations ${one} ${other} ${some}`, Math.abs(one - 1) < 1e-12 && Math.abs(other + 1) < 1e-12 && Math.abs(some - 0.8) < 1e-12);
    await show("history");
    const { points, lines } = await ask("(({points, lines}) => ({points, lines}))(window.tenon.views.history.contents())");
    hold(`${points.length} points of cases that are ok`, points.length === 810);
    hold("those beyond the limit are hollow", points.every((point) => point.hollow === point.y > 50));
    hold("the best is case 777", JSON.stringify(lines[0].points.at(-2)) === "[777,0]" && lines[0].points[0][1] <= 50);
    hold("it says so", (await ask("window.tenon.views.history.best.textContent")) === "best: 0\u202fmm, case 777");
    await show("precision");
    const precision = await ask("(({points, lines}) => ({points, lines}))(window.tenon.views.precision.contents())");
    hold("two cases and their front", precision.points.length === 2 && JSON.stringify(precision.lines[0].points) === "[[0.1,0.001],[0.9,0.000001]]");
    for (const tab of ["scatter", "parallel", "tornado", "history", "precision"]) {
        await show(tab);
        const box = await ask(
            "(({left, top, right, bottom}) => [left, top, right, Math.min(bottom, innerHeight - 60)].map(Math.round))([...document.querySelectorAll('canvas')].find((one) => one.clientHeight).getBoundingClientRect())",
        );
        const colors = countColors(readPng(await browser.picture()), box);
        hold(`${tab} has ${colors} colours`, colors > 15);
    }
}

try {
    await open("small");
    await checkTable();
    await checkTexts();
    await checkScatter();
    await checkParallel();
    await checkPlots();

    const taken = await open("large"),
        rows = await ask("window.tenon.table.count");
    console.log(`100 000 cases, ${rows} on the page: ready after ${Math.round(taken)} ms`);
    hold(`${rows} rows`, rows > 19000 && rows < 22000);
    hold("the page says how many it has", await ask(`document.querySelector(".notes").textContent.startsWith("This page has ${rows} of 100000 cases")`));
    hold("counts are those of all", await ask("document.querySelector('aside').textContent.includes('97297')"));
    hold("the best one is there", (await ask("window.tenon.views.history.contents().lines[0].points.at(-2)[0]")) === 777);
    for (const tab of ["scatter", "parallel", "history"]) {
        const start = performance.now();
        await show(tab);
        console.log(`${tab}: ${Math.round(performance.now() - start)} ms`);
    }

    await open("empty");
    hold("a study without cases says so", await ask("document.querySelector('.empty').textContent.startsWith('This design answers nothing')"));
    for (const tab of ["scatter", "parallel", "tornado", "history", "study", "cases"]) await show(tab);
} catch (fault) {
    faults.push(fault.stack);
}
faults.push(...browser.console.filter((line) => /^(error|assert|warning)/.test(line)));
await browser.close();
faults.forEach((fault) => console.log(fault));
process.exit(faults.length ? 1 : 0);
