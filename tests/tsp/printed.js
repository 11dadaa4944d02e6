// What the command line prints about traces, for comparisons.
'use strict';

const { execFileSync } = require('node:child_process');

const program = process.env.HELIOGRAPH;

/** Splits a line of CSV into cells. */
function cellsOf(line) {
    const cells = [''];
    let isQuoted = false;
    for (let i = 0; i < line.length; ++i) {
        const c = line[i];
        if (c === '"' && isQuoted && line[i + 1] === '"')
            cells[cells.length - 1] += line[i++];
        else if (c === '"')
            isQuoted = !isQuoted;
        else if (c === ',' && !isQuoted)
            cells.push('');
        else
            cells[cells.length - 1] += c;
    }
    return cells;
}

/** Runs a command and returns its table: an array of objects by column. */
function printedRows(...args) {
    const text = execFileSync(program, [...args, '--format', 'csv', '--quiet'], { encoding: 'utf8', maxBuffer: 1 << 30 });
    const lines = text.split(/\r?\n/).filter(line => line !== '');
    const names = cellsOf(lines[0]);
    return lines.slice(1).map(line => {
        const cells = cellsOf(line);
        return Object.fromEntries(names.map((name, i) => [name, cells[i]]));
    });
}

function printedInfo(trace) {
    return JSON.parse(execFileSync(program, ['info', trace, '--format', 'json', '--quiet'], { encoding: 'utf8' }));
}

module.exports = { printedRows, printedInfo };
