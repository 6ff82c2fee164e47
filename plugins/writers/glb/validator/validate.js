// Prints errors and warnings of the Khronos validator on glTF files. usage: node validate.js MODULES FILE ...
const fs = require("fs");
const path = require("path");
const [modules, ...files] = process.argv.slice(2);
const validator = require(path.join(path.resolve(modules), "gltf-validator"));
(async () => {
    let faults = 0;
    for (const file of files) {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 100 });
        for (const issue of report.issues.messages.filter((issue) => issue.severity < 2)) {
            console.log(`${file}: ${issue.code} ${issue.pointer}: ${issue.message}`);
            faults++;
        }
        faults += report.issues.truncated ? 1 : 0;
    }
    process.exit(faults ? 1 : 0);
})();
