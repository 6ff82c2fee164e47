/* build.mjs - bundles the pages of runs and of studies: page.js and study.js, each a script that needs nothing else, page.css and study.css. usage: node build.mjs PACKAGES OUT */
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [packages, out] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const { buildSync } = createRequire(join(packages, "package.json"))("esbuild");
const common = {
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2022"],
    charset: "utf8",
    legalComments: "none",
    nodePaths: [join(packages, "node_modules")],
    logLevel: "warning",
};

// The worker's program is a text within the page's: a page of one file has no other place for it.
const worker = buildSync({ ...common, entryPoints: [join(here, "worker.js")] }).outputFiles[0].text;
const bundle = (entry, define = {}) => buildSync({ ...common, entryPoints: [join(here, entry)], define }).outputFiles[0].text;

// Their licences ask for their texts to go along.
const licences = ["three", "uplot"].map((name) => {
    const folder = join(packages, "node_modules", name),
        { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `${name} ${version}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`.replaceAll("*/", "* /");
});
mkdirSync(out, { recursive: true });
// What ends a script or a style must not stand within it.
const writeProgram = (name, text) => writeFileSync(join(out, name), text.replaceAll("</script", "<\\/script"));
const writeStyle = (name, text) => writeFileSync(join(out, name), text.replaceAll("</style", "<\\/style"));
writeProgram(
    "page.js",
    `/* This page contains\n\n${licences.join("\n")}*/\n` + bundle("main.js", { WORKER_PROGRAM: JSON.stringify(worker) }),
);
writeStyle("page.css", bundle("page.css"));
writeProgram("study.js", bundle("study/main.js"));
writeStyle("study.css", bundle("study/study.css"));
