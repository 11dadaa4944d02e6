// Runs compare.js with DuckDB, which npm installs below the folder of the build.
//
// Usage: node run.js NPM FOLDER. Skips the test, and says so, if npm or its registry is not there.
'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const [npm, folder] = process.argv.slice(2);

fs.mkdirSync(folder, { recursive: true });
for (const file of ['package.json', 'package-lock.json', 'compare.js'])
    fs.copyFileSync(path.join(__dirname, file), path.join(folder, file));
const installed = spawnSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 240_000,
});
if (installed.status !== 0) {
    console.log(`SKIP   : npm cannot install @duckdb/node-api, whole test\n${installed.stderr || installed.error || ''}`);
    process.exit(0); // ctest reports the line above as a skipped test.
}
process.exit(spawnSync(process.execPath, [path.join(folder, 'compare.js')], { stdio: 'inherit' }).status ?? 1);
