/* live.mjs - the page of a run that goes on, in a headless Chromium: it grows, follows the end, tells how the run has ended, gives way to
 * another run, and says where the server is gone. usage: node live.mjs ADDRESS; asks on its standard output for what is to happen, and
 * returns 1 after what is wrong. */
import { Browser } from "./browser.mjs";

const faults = [];
const hold = (what, is) => {
    if (!is) faults.push(what);
};
const browser = new Browser();
const badge = "document.querySelector('.badge').textContent";
const LONGEST = 60000;

async function checkGrowth() {
    const rows = () => browser.evaluate("window.tenon.rows('x.x')");
    await browser.until("window.tenon.state.end > window.tenon.state.start", LONGEST);
    const before = await rows();
    await browser.until(`window.tenon.rows('x.x') > ${before} + 20`, LONGEST);
    const [time, end, from, to] = await browser.evaluate(
        "[window.tenon.state.time, window.tenon.state.end, ...window.tenon.state.range]",
    );
    hold(`the scene is at the end: ${time}, ${end}`, time === end);
    hold(`the plots show all: ${from} to ${to}`, from === 0 && to === end);
    // curves get their rows a moment behind
    await browser.until(`window.tenon.plots.panes[0].curves[0].data.value.length > ${before}`, LONGEST);
    const [values, times, frames, last] = await browser.evaluate(`(() => {
        const { data } = window.tenon.plots.panes[0].curves[0], { frames } = window.tenon.view.figures[0];
        return [data.value.length, data.time.length, frames.count, frames.time.at(-1)];
    })()`);
    hold(`the plot has ${values} values of ${times} times`, values === times && values > before);
    hold(`there are ${frames} frames up to ${last}`, frames > 20 && last > 0);
    // a sine that was not damped much: its amplitude, and the pose of the mass, are what they were
    const [low, high] = await browser.evaluate("(({value}) => [Math.min(...value), Math.max(...value)])(window.tenon.plots.panes[0].curves[0].data)");
    hold(`x is between ${low} and ${high}`, low > 0.949 && high < 1.051);
    const pose = await browser.evaluate("(window.tenon.view.render(), window.tenon.poses()[0])");
    hold(`the mass is at ${pose}`, pose > 0.948 && pose < 1.052);
    hold("it is said to run", /^running \d+ %/.test(await browser.evaluate(badge)));
    hold(
        "statistics grow",
        await browser.evaluate(
            "(document.getElementById('tab-statistics').click(), document.querySelector('.statistics').textContent.includes('x.x'))",
        ),
    );
}

/* Who looks at another time stays there, and channels that are plotted later have all rows. */
async function checkElsewhere() {
    await browser.evaluate("window.tenon.setTime(1), window.tenon.setRange(0.5, 2)");
    const end = await browser.evaluate("window.tenon.state.end");
    await browser.until(`window.tenon.state.end > ${end}`, LONGEST);
    const [time, ...range] = await browser.evaluate("[window.tenon.state.time, ...window.tenon.state.range]");
    hold(`the time stays: ${time}, ${range}`, time === 1 && range[0] === 0.5 && range[1] === 2);
    await browser.evaluate("window.tenon.show([['x.y']])");
    hold(
        "a channel that is plotted later has all rows",
        await browser.evaluate(
            "(({value}) => value.length === window.tenon.rows('x.y') && value.every((one) => one === 0))(window.tenon.plots.panes[0].curves[0].data)",
        ),
    );
    await browser.press("End");
}

try {
    await browser.open(process.argv[2], { longest: LONGEST });
    await checkGrowth();
    await checkElsewhere();
    console.log("end the run");
    await browser.until(`${badge} === "interrupted"`, LONGEST);
    hold(
        "the texts tell the end",
        await browser.evaluate(
            "(document.getElementById('tab-run').click(), document.getElementById('panel-run').textContent.includes('interrupted'))",
        ),
    );
    console.log("begin another");
    await browser.until("document.documentElement.dataset.ready === '1' && window.tenon.state.end === 20", LONGEST);
    hold("the other run has finished", (await browser.evaluate(badge)) === "finished");
    hold("it is all right so far", !browser.console.some((line) => /^(error|assert)/.test(line) && !/410|503/.test(line)));
    console.log("end the server");
    await browser.until(`${badge} === "no answer"`, LONGEST);
} catch (fault) {
    faults.push(fault.stack);
}
await browser.close();
faults.forEach((fault) => console.log(fault));
if (faults.length) console.log(browser.console.join("\n"));
process.exit(faults.length ? 1 : 0);
