/* picture.mjs - a picture of a page that is ready. usage: node picture.mjs ADDRESS FILE.png [WIDTHxHEIGHT] */
import { Browser } from "./browser.mjs";

const [address, file, size = "1600x900"] = process.argv.slice(2),
    [width, height] = size.split("x").map(Number);
const browser = new Browser();
let fault = null;
try {
    await browser.open(address, { width, height });
    await browser.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))");
    await browser.picture(file);
} catch (error) {
    fault = error;
}
await browser.close();
if (fault) console.error(fault);
process.exit(fault ? 1 : 0);
