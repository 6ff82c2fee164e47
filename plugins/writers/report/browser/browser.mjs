/* browser.mjs - a headless Chromium by its debugging pipe: opens a page, waits until it is ready, evaluates, presses keys, takes
 * pictures. What the page says on its console is kept. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const flags = [
    "--headless=new",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--mute-audio",
];

export class Browser {
    constructor(program = process.env.CHROMIUM || "chromium", more = []) {
        this.folder = mkdtempSync(join(tmpdir(), "tenon_browser_"));
        this.process = spawn(program, [...flags, ...more, `--user-data-dir=${this.folder}`, "about:blank"], {
            stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
        });
        this.failed = new Promise((_, reject) => {
            this.process.on("error", reject);
            this.process.on("exit", (code) => reject(new Error(`chromium ended (${code})`)));
        });
        this.failed.catch(() => {});
        this.waiting = new Map();
        this.console = [];
        this.next = 1;
        let rest = Buffer.alloc(0);
        this.process.stdio[4].on("data", (data) => {
            rest = Buffer.concat([rest, data]);
            for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1))
                this.take(JSON.parse(rest.subarray(0, end).toString()));
        });
    }

    take(message) {
        if (message.id) {
            const { resolve, reject } = this.waiting.get(message.id);
            this.waiting.delete(message.id);
            if (message.error) reject(new Error(message.error.message));
            else resolve(message.result);
        } else if (message.method === "Runtime.consoleAPICalled")
            this.console.push(
                message.params.type + ": " + message.params.args.map((one) => one.value ?? one.description).join(" "),
            );
        else if (message.method === "Runtime.exceptionThrown")
            this.console.push(
                "error: " + (message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text),
            );
        else if (message.method === "Log.entryAdded" && message.params.entry.level === "error")
            this.console.push("error: " + message.params.entry.text);
    }

    send(method, params = {}) {
        const id = this.next++;
        this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + "\0");
        return Promise.race([this.failed, new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }))]);
    }

    /* Opens a page and waits for its data-ready; the milliseconds that it took. */
    async open(address, { width = 1600, height = 1000, longest = 60000 } = {}) {
        if (!this.session) {
            const { targetInfos } = await this.send("Target.getTargets");
            const page = targetInfos.find((target) => target.type === "page");
            this.session = (await this.send("Target.attachToTarget", { targetId: page.targetId, flatten: true })).sessionId;
            for (const domain of ["Page", "Runtime", "Log"]) await this.send(domain + ".enable");
        }
        await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
        await this.send("Page.navigate", { url: "about:blank" });
        await this.until("location.href === 'about:blank'", longest);
        const start = performance.now();
        await this.send("Page.navigate", { url: address });
        await this.until("document.documentElement.dataset.ready === '1'", longest);
        return performance.now() - start;
    }

    async until(expression, longest = 20000) {
        for (
            const start = performance.now();
            performance.now() - start < longest;
            await new Promise((resolve) => setTimeout(resolve, 30))
        )
            if (await this.evaluate(expression).catch(() => false)) return;
        throw new Error(`after ${longest / 1000} s not yet: ${expression}\n${this.console.join("\n")}`);
    }

    async evaluate(expression) {
        const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
            expression,
            awaitPromise: true,
            returnByValue: true,
        });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    async press(key, text = key.length === 1 ? key : undefined) {
        await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key, text });
        await this.send("Input.dispatchKeyEvent", { type: "keyUp", key });
    }

    async picture(path) {
        const { data } = await this.send("Page.captureScreenshot", { format: "png" });
        const bytes = Buffer.from(data, "base64");
        if (path) writeFileSync(path, bytes);
        return bytes;
    }

    async close() {
        const ended = new Promise((resolve) => this.process.once("exit", resolve));
        this.send("Browser.close").catch(() => {});
        const timer = setTimeout(() => this.process.kill("SIGKILL"), 5000);
        await ended;
        clearTimeout(timer);
        rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
}
