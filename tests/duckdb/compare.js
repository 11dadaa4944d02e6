// Reads the files of `heliograph fleet export` with the statements for DuckDB of the guide's page fleet.md, and compares counts, sums and
// rows with those of `heliograph fleet sql` and `heliograph fleet run`.
//
// HELIOGRAPH is the program, HELIOGRAPH_SOURCE the folder of the source.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { DuckDBInstance } = require('@duckdb/node-api');

const source = process.env.HELIOGRAPH_SOURCE;
const traces = ['resources/samples/workers', 'tests/fixtures/kernel-small', 'tests/fixtures/two-hosts-small'];
const hosts = ['web-1', '../../etc/x=y', 'a b%20+', 'null', 'NULL', '__HIVE_DEFAULT_PARTITION__', 'é"\'#?:*', '007', '2026-11-28', 'true', ''];

/** Runs the program, and returns its standard output. */
function heliograph(...words) {
    const run = spawnSync(process.env.HELIOGRAPH, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
    assert.equal(run.status, 0, `${words.join(' ')}: ${run.stderr}`);
    return run.stdout;
}

/** Returns the rows that the program prints as JSON. */
const rowsOf = (...words) => heliograph(...words, '--format', 'json').split('\n').filter(Boolean).map(line => JSON.parse(line));

/** Writes summaries of made traces: those of real ones, of other hosts and days. */
function writeSummaries(file) {
    const recorded = path.join(path.dirname(file), 'recorded.jsonl');
    heliograph('index', ...traces.map(it => path.join(source, it)), '--summary', recorded, '--quiet');
    const lines = fs.readFileSync(recorded, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line));
    const text = [];
    for (let i = 0; i < 300; ++i) {
        const line = structuredClone(lines[i % lines.length]);
        line.identity += `-${i}`;
        line.path = `/traces/"${i}",\n`;
        line.host = hosts[i % hosts.length] || undefined;
        // Times in ns are more exact than numbers of JavaScript, which round them to a multiple of 256 ns.
        line.begin_ns += (i % 4) * 86_400e9;
        line.end_ns = line.begin_ns + 10e9;
        line.findings = [1, 2].slice(0, i % 3).map(rank => ({ finder: 'throttling', subject: 'app', text: `a "text",\r\nof two lines: ${i}`,
            detail: '', host: rank === 1 ? line.host : undefined, check: 'heliograph latency', color: 'thread.throttled',
            explained_ns: 1_000_003 * i, share: 1 / (i + rank), begin_ns: line.begin_ns, end_ns: line.end_ns, occurrences: i }));
        line.tags = { workload: i % 10 ? 'search' : '', number: `${i}` };
        if (i === 7)
            delete line.begin_ns, delete line.end_ns;
        text.push(JSON.stringify(line));
    }
    text.push(JSON.stringify({ summary: 1, path: '/traces/gone', machine: 'm', indexed_ns: 1, error: 'permission denied' }));
    fs.writeFileSync(file, text.join('\n') + '\n');
}

/** Returns the statements of the guide's section about DuckDB. */
function statementsOfTheGuide() {
    const page = fs.readFileSync(path.join(source, 'resources/guide/fleet.md'), 'utf8');
    const block = /\n### DuckDB\n[^]*?```sql\n([^]*?)```/.exec(page);
    assert.ok(block, 'the guide has no statements for DuckDB');
    const statements = block[1].split(/;\n/).filter(it => it.trim());
    assert.ok(statements.length >= 3);
    return statements;
}

const tables = {
    trace: ['id', 'identity', 'path', 'machine', 'host', 'boot', 'kernel', 'uuid', 'format', 'reader', 'begin_ns', 'end_ns', 'duration_ns',
        'traces', 'events', 'lost_events', 'lost_packets', 'gaps', 'streams', 'cpus', 'bytes', 'findings', 'error', 'indexed_ns', 'indexed_by',
        'store_version'],
    finding: ['trace_id', 'rank', 'finder', 'subject', 'text', 'detail', 'host', 'explained_ns', 'begin_ns', 'end_ns', 'occurrences', 'color',
        'check_with'],
    digest: ['trace_id', 'kind', 'name', 'count', 'total_ns', 'min_ns', 'p50_ns', 'p90_ns', 'p99_ns', 'max_ns', 'histogram'],
    quality: ['trace_id', 'text', 'is_problem'],
    tag: ['trace_id', 'name', 'value'],
};

async function main() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'heliograph-duckdb-'));
    process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
    process.chdir(folder);
    writeSummaries(path.join(folder, 'traces.jsonl'));
    heliograph('fleet', 'add', 'fleet.db', 'traces.jsonl', '--quiet');
    heliograph('fleet', 'export', 'fleet.db', '-o', 'lake');

    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const ask = async statement => (await connection.runAndReadAll(statement)).getRowObjectsJson();
    const [macro, ...examples] = statementsOfTheGuide();
    await connection.run(macro);
    for (const example of examples)
        assert.ok((await ask(example)).length > 0, `no rows: ${example}`);

    // Rows, as text: integers have more digits than numbers of JavaScript.
    for (const [table, columns] of Object.entries(tables)) {
        const order = columns.map((_, i) => i + 1).join(', ');
        const sorted = rows => rows.map(row => JSON.stringify(Object.values(row))).sort();
        const own = sorted(rowsOf('fleet', 'sql', 'fleet.db',
            `SELECT ${columns.map((it, i) => `CAST("${it}" AS TEXT) AS c${i}`).join(', ')} FROM ${table} ORDER BY ${order}`));
        const theirs = sorted(await ask(`SELECT ${columns.map((it, i) => `CAST("${it === 'host' ? 'host_name' : it}" AS VARCHAR) AS c${i}`).join(', ')}
            FROM lake('${table}') ORDER BY ${order}`));
        assert.ok(own.length >= 300);
        assert.deepEqual(theirs, own, table);
    }

    // The partitions: each value is read as the text that it is.
    assert.deepEqual(await ask(`SELECT DISTINCT host FROM lake('trace') WHERE host IS DISTINCT FROM host_name`), []);
    const groups = `count(*) AS n, sum(events) AS events, sum(lost_events) AS lost, max(begin_ns) AS last, count(error) AS errors`;
    const text = rows => rows.map(row => Object.values(row).map(it => it === null ? 'NULL' : String(it)).join('|')).sort();
    const cast = names => names.map(it => `CAST(${it} AS VARCHAR) AS ${it}`).join(', ');
    const names = ['day', 'host', 'n', 'events', 'lost', 'last', 'errors'];
    assert.deepEqual(
        text(await ask(`SELECT ${cast(names)} FROM (SELECT day, host, ${groups} FROM lake('trace') GROUP BY day, host)`)),
        text(rowsOf('fleet', 'sql', 'fleet.db', `SELECT ${cast(names)} FROM (SELECT date(begin_ns / 1000000000, 'unixepoch') AS day, host, ${groups}
            FROM trace GROUP BY day, host)`)));
    const sums = ['sum(share)', 'sum(explained_ns)', 'count(DISTINCT finder)'];
    for (const sum of sums) {
        const [own] = rowsOf('fleet', 'sql', 'fleet.db', `SELECT ${sum} AS s FROM finding`);
        const [theirs] = await ask(`SELECT CAST(${sum} AS DOUBLE) AS s FROM lake('finding')`);
        assert.ok(own.s > 0 && Math.abs(theirs.s - own.s) <= 1e-9 * own.s, `${sum}: ${theirs.s} instead of ${own.s}`);
    }
    const [own] = rowsOf('fleet', 'sql', 'fleet.db', 'SELECT sum(cpu_busy_share) AS s, count(cpu_busy_share) AS n FROM trace');
    const [theirs] = await ask(`SELECT CAST(sum(cpu_busy_share) AS DOUBLE) AS s, count(cpu_busy_share)::INTEGER AS n FROM lake('trace')`);
    assert.ok(own.n > 0 && own.n === theirs.n && Math.abs(own.s - theirs.s) <= 1e-9 * own.s);

    // Rows of a statement over each trace.
    heliograph('fleet', 'add', 'real.db', ...traces.map(it => path.join(source, it)), '--quiet');
    const statement = 'SELECT state, count(*) AS n, sum(dur) AS ns, NULL AS none FROM thread_state GROUP BY state';
    fs.rmSync('lake', { recursive: true });
    heliograph('fleet', 'export', 'real.db', statement, '-o', 'lake');
    const run = rowsOf('fleet', 'run', 'real.db', statement);
    const result = await ask(`SELECT trace, state, n::VARCHAR AS n, ns::VARCHAR AS ns, none FROM lake('result')`);
    assert.ok(run.length > 10);
    assert.deepEqual(text(result), text(run));
    console.log('PASS');
}

main().catch(error => {
    console.error(error);
    process.exit(1);
});
