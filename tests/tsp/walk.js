// Walks the endpoints of `heliograph serve --listen` with the client library of the trace viewers, and compares the answers with what the
// command line prints.
//
// HELIOGRAPH is the program, HELIOGRAPH_SOURCE the folder of the source.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const path = require('node:path');

const { HttpTspClient } = require('tsp-typescript-client/lib/protocol/http-tsp-client');
const { Query } = require('tsp-typescript-client/lib/models/query/query');
const { QueryHelper } = require('tsp-typescript-client/lib/models/query/query-helper');
const { printedRows, printedInfo } = require('./printed');

const source = process.env.HELIOGRAPH_SOURCE;
const sample = path.join(source, 'resources/samples/workers');
const fixture = name => path.join(source, 'tests/fixtures', name);
const mostTimes = 65536;

/** Starts the server on a free port. */
function startServer() {
    const server = spawn(process.env.HELIOGRAPH, ['serve', '--listen', '127.0.0.1:0', '--root', source], { stdio: ['ignore', 'pipe', 'inherit'] });
    return new Promise((resolve, reject) => {
        let text = '';
        server.stdout.on('data', part => {
            text += part;
            const address = /^Listening on (http:\S+)\n/.exec(text);
            if (address)
                resolve({ server, url: address[1] });
        });
        server.on('exit', status => reject(new Error(`the server ended with ${status}`)));
    });
}

/** Returns the model of a response, which must be successful. */
function modelOf(response, status = 200) {
    assert.equal(response.getStatusCode(), status, response.getText().slice(0, 500));
    const model = response.getModel();
    assert.notEqual(model, undefined, 'the client library cannot read the response');
    return model;
}

/** Returns the model inside of a GenericResponse, which must be complete. */
function contentOf(response) {
    const generic = modelOf(response);
    assert.equal(generic.status, 'COMPLETED', generic.statusMessage);
    return generic.model;
}

async function openExperiment(client, name, paths) {
    const traces = [];
    for (const uri of paths)
        traces.push(modelOf(await client.openTrace(new Query({ uri, name: `${name} ${path.basename(uri)}` }))));
    let experiment = modelOf(await client.createExperiment(new Query({ name, traces: traces.map(trace => trace.UUID) })));
    for (let i = 0; i < 600 && experiment.indexingStatus === 'RUNNING'; ++i) {
        await new Promise(resolve => setTimeout(resolve, 100));
        experiment = modelOf(await client.fetchExperiment(experiment.UUID));
    }
    assert.equal(experiment.indexingStatus, 'COMPLETED');
    return experiment;
}

const idsOf = tree => tree.entries.filter(entry => entry.hasData).map(entry => entry.id);

/** Checks that parents exist and come before their children, and that each entry has a label for each column. */
function checkTree(tree) {
    const known = new Set([-1]);
    for (const entry of tree.entries) {
        assert.ok(known.has(entry.parentId), `the parent of ${entry.id}`);
        assert.ok(!known.has(entry.id));
        assert.equal(entry.labels.length, tree.headers.length);
        known.add(entry.id);
    }
}

async function theServerIsUp(client) {
    assert.equal(modelOf(await client.checkHealth()).status, 'UP');
    const identifier = modelOf(await client.fetchIdentifier());
    assert.equal(identifier.productId, 'heliograph');
    assert.match(identifier.version, /^\d+\.\d+/);
    assert.deepEqual(modelOf(await client.fetchConfigurationSourceTypes()), []);
}

async function tracesAndExperimentsAreManaged(client) {
    assert.deepEqual(modelOf(await client.fetchTraces()), []);
    const trace = modelOf(await client.openTrace(new Query({ uri: sample })));
    assert.equal(trace.name, 'workers');
    assert.equal(trace.path, sample);
    assert.equal(trace.properties.format, 'ctf');
    assert.equal(modelOf(await client.openTrace(new Query({ uri: sample }))).UUID, trace.UUID);
    assert.equal((await client.openTrace(new Query({ uri: fixture('kernel-small'), name: 'workers' }))).getStatusCode(), 409);
    assert.equal((await client.openTrace(new Query({ uri: path.join(source, 'LICENSE') }))).getStatusCode(), 406);
    assert.equal((await client.openTrace(new Query({ uri: '/etc' }))).getStatusCode(), 403);
    assert.deepEqual(modelOf(await client.fetchTrace(trace.UUID)), trace);

    const experiment = await openExperiment(client, 'managed', [sample]);
    const info = printedInfo(sample);
    assert.equal(experiment.nbEvents, printedRows('events', sample).length);
    assert.equal(experiment.traces[0].nbEvents, experiment.nbEvents);
    assert.equal(experiment.start, BigInt(printedRows('events', sample)[0].time_ns));
    assert.equal(String(experiment.end), printedRows('events', sample).at(-1).time_ns);
    assert.equal(experiment.traces[0].properties.hostname, info.traces[0].hostname ?? experiment.traces[0].properties.hostname);
    assert.ok(modelOf(await client.fetchExperiments()).some(each => each.UUID === experiment.UUID));
    assert.equal((await client.createExperiment(new Query({ name: 'managed', traces: [trace.UUID] }))).getStatusCode(), 409);
    assert.equal((await client.deleteTrace(experiment.traces[0].UUID)).getStatusCode(), 409);
    assert.equal(modelOf(await client.deleteExperiment(experiment.UUID)).indexingStatus, 'CLOSED');
    assert.equal((await client.fetchExperiment(experiment.UUID)).getStatusCode(), 404);
    for (const each of modelOf(await client.fetchTraces()))
        assert.equal(modelOf(await client.deleteTrace(each.UUID, true, true)).UUID, each.UUID);
    assert.equal((await client.fetchTrace(trace.UUID)).getStatusCode(), 404);
    assert.equal(modelOf(await client.openTrace(new Query({ uri: sample }))).UUID, trace.UUID); // The file is still there.
}

async function everyOutputAnswers(client, experiment) {
    const outputs = modelOf(await client.experimentOutputs(experiment.UUID));
    const types = new Set(outputs.map(output => output.type));
    assert.deepEqual([...types].sort(), ['DATA_TREE', 'TABLE', 'TIME_GRAPH', 'TREE_TIME_XY']);
    assert.equal(new Set(outputs.map(output => output.id)).size, outputs.length);
    const whole = QueryHelper.timeRangeQuery(experiment.start, experiment.end);
    for (const { id, type } of outputs) {
        assert.deepEqual(contentOf(await client.fetchMarkerSets(experiment.UUID)), []);
        assert.deepEqual(contentOf(await client.fetchAnnotationsCategories(experiment.UUID, id)).annotationCategories, []);
        assert.deepEqual(contentOf(await client.fetchAnnotations(experiment.UUID, id, whole)).annotations, {});
        assert.deepEqual(modelOf(await client.fetchOutputConfigurationTypes(experiment.UUID, id)), []);
        const styles = contentOf(await client.fetchStyles(experiment.UUID, id, QueryHelper.query())).styles;
        if (type === 'TIME_GRAPH') {
            const tree = contentOf(await client.fetchTimeGraphTree(experiment.UUID, id, whole));
            checkTree(tree);
            const range = QueryHelper.selectionTimeRangeQuery(experiment.start, experiment.end, 1000, idsOf(tree));
            const model = contentOf(await client.fetchTimeGraphStates(experiment.UUID, id, range));
            assert.equal(model.rows.length, idsOf(tree).length);
            for (const row of model.rows)
                for (const state of row.states)
                    assert.match(styles[state.style.parentKey].values['background-color'], /^#[0-9a-f]{6}$/);
            for (const arrow of contentOf(await client.fetchTimeGraphArrows(experiment.UUID, id, range)))
                assert.match(styles[arrow.style.parentKey].values.color, /^#[0-9a-f]{6}$/);
        } else if (type === 'TREE_TIME_XY') {
            const tree = contentOf(await client.fetchXYTree(experiment.UUID, id, whole));
            checkTree(tree);
            const range = QueryHelper.selectionTimeRangeQuery(experiment.start, experiment.end, 100, idsOf(tree));
            const model = contentOf(await client.fetchXY(experiment.UUID, id, range));
            assert.equal(model.series.length, idsOf(tree).length);
            for (const series of model.series) {
                assert.equal(series.xValues.length, 100);
                assert.equal(series.yValues.length, 100);
            }
        } else if (type === 'DATA_TREE') {
            checkTree(contentOf(await client.fetchDataTree(experiment.UUID, id, QueryHelper.query())));
            checkTree(contentOf(await client.fetchDataTree(experiment.UUID, id, whole)));
        } else {
            assert.ok(contentOf(await client.fetchTableColumns(experiment.UUID, id, QueryHelper.query())).length > 3);
        }
    }
}

/** Compares the states of all rows of a view in a range of 65,535 ns, where every interval is a state. */
async function statesEqualThoseOfTheCommand(client, experiment, view) {
    const tree = contentOf(await client.fetchTimeGraphTree(experiment.UUID, view, QueryHelper.query()));
    const rows = new Map(tree.entries.map(entry => [entry.id, entry.metadata.row[0]]));
    const printed = printedRows('states', sample, '--view', view);
    let compared = 0;
    for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        const start = BigInt(printed[Math.floor(printed.length * part)].begin_ns) - 20000n;
        const end = start + BigInt(mostTimes - 1);
        const query = QueryHelper.selectionTimeRangeQuery(start, end, mostTimes, idsOf(tree));
        const states = [];
        for (const row of contentOf(await client.fetchTimeGraphStates(experiment.UUID, view, query)).rows)
            for (const state of row.states)
                states.push([rows.get(row.entryId), state.start, state.end, state.style.parentKey.replace(/^[^.]*\./, ''), state.label ?? ''].join(' '));
        const expected = [];
        const [first, last] = [start > experiment.start ? start : experiment.start, end + 1n < experiment.end + 1n ? end + 1n : experiment.end + 1n];
        for (const it of printed) {
            const [begin, finish] = [BigInt(it.begin_ns), BigInt(it.end_ns)];
            if (begin < last && finish > first)
                expected.push([it.row, begin > first ? begin : first, finish < last ? finish : last, it.state, it.detail].join(' '));
        }
        assert.deepEqual(states.sort(), expected.sort());
        compared += states.length;
    }
    assert.ok(compared > 100, `${compared} states`);
}

/** Property: at a coarse resolution, there are few states, they cover the same time as the intervals, and long intervals stay whole. */
async function coarseStatesCoverTheSameTime(client, experiment, view) {
    const times = 50;
    const tree = contentOf(await client.fetchTimeGraphTree(experiment.UUID, view, QueryHelper.query()));
    const query = QueryHelper.selectionTimeRangeQuery(experiment.start, experiment.end, times, idsOf(tree));
    const rows = new Map(tree.entries.map(entry => [entry.id, entry.metadata.row[0]]));
    const covered = new Map();
    const long = new Set();
    const step = (experiment.end - experiment.start) / BigInt(times - 1);
    for (const it of printedRows('states', sample, '--view', view)) {
        const length = BigInt(it.end_ns) - BigInt(it.begin_ns);
        covered.set(it.row, (covered.get(it.row) ?? 0n) + length);
        if (length > 2n * step)
            long.add([it.row, it.begin_ns, it.end_ns].join(' '));
    }
    assert.ok(long.size > 3);
    let folded = 0;
    for (const row of contentOf(await client.fetchTimeGraphStates(experiment.UUID, view, query)).rows) {
        assert.ok(row.states.length <= 2 * (times + 1) + 1);
        const sum = row.states.reduce((all, state) => all + state.end - state.start, 0n);
        assert.equal(sum, covered.get(rows.get(row.entryId)));
        for (const state of row.states)
            long.delete([rows.get(row.entryId), state.start, state.end].join(' '));
        folded += row.states.length;
    }
    assert.deepEqual([...long], []);
    assert.ok(folded < printedRows('states', sample, '--view', view).length / 4);
}

async function filtersDimAndExclude(client, experiment, view) {
    const tree = contentOf(await client.fetchTimeGraphTree(experiment.UUID, view, QueryHelper.query()));
    const printed = printedRows('states', sample, '--view', view);
    const start = BigInt(printed[Math.floor(printed.length / 2)].begin_ns);
    const query = map => QueryHelper.selectionTimeRangeQuery(start, start + BigInt(mostTimes - 1), mostTimes, idsOf(tree),
        { filter_query_parameters: { strategy: 'SAMPLED', filter_expressions_map: map } }, false);
    const all = async map => contentOf(await client.fetchTimeGraphStates(experiment.UUID, view, query(map))).rows.flatMap(row => row.states);
    const whole = await all({});
    const name = state => state.style.parentKey.replace(/^[^.]*\./, '');
    const wanted = name(whole[0]);
    const dimmed = await all({ 1: [`state == "${wanted}"`] });
    assert.equal(dimmed.length, whole.length);
    for (const state of dimmed)
        assert.equal(state.tags ?? 0, name(state) === wanted ? 0 : 1);
    const left = await all({ 4: [`state == "${wanted}"`] });
    assert.equal(left.length, whole.filter(state => name(state) === wanted).length);
    assert.ok(left.length > 0 && left.length < whole.length);
    assert.equal((await client.fetchTimeGraphStates(experiment.UUID, view, query({ 1: ['a =='] }))).getStatusCode(), 400);
}

async function arrowsEqualThoseOfTheCommand(client, experiment, view) {
    const tree = contentOf(await client.fetchTimeGraphTree(experiment.UUID, view, QueryHelper.query()));
    const rows = new Map(tree.entries.map(entry => [entry.id, entry.metadata.row[0]]));
    const range = QueryHelper.timeRangeQuery(experiment.start, experiment.end, 1000);
    const arrows = contentOf(await client.fetchTimeGraphArrows(experiment.UUID, view, range));
    const kinds = new Set(arrows.map(arrow => arrow.style.parentKey.replace(/^link\./, '')));
    const text = arrow => [arrow.style.parentKey.replace(/^link\./, ''), rows.get(arrow.sourceId), arrow.start, rows.get(arrow.targetId), arrow.end].join(' ');
    const expected = printedRows('links', sample, '--view', view)
        .filter(it => kinds.has(it.kind) && it.from_row !== '' && it.to_row !== '')
        .map(it => [it.kind, it.from_row, it.from_ns, it.to_row, it.to_ns].join(' '));
    assert.deepEqual(arrows.map(text).sort(), expected.sort());
    assert.ok(arrows.length > 20, `${arrows.length} arrows`);

    const arrow = arrows[Math.floor(arrows.length / 2)];
    const element = { elementType: 'arrow', time: arrow.start, duration: arrow.end - arrow.start, entryId: arrow.sourceId, destinationId: arrow.targetId };
    const query = QueryHelper.selectionTimeQuery([arrow.start], [arrow.sourceId], { requested_element: element });
    const tooltip = contentOf(await client.fetchTimeGraphTooltip(experiment.UUID, view, query));
    assert.ok(tooltip.Link && tooltip.From && tooltip.To && tooltip.Duration, JSON.stringify(tooltip));
}

async function tooltipsNameTheState(client, experiment, view) {
    const tree = contentOf(await client.fetchTimeGraphTree(experiment.UUID, view, QueryHelper.query()));
    const printed = printedRows('states', sample, '--view', view);
    const it = printed[Math.floor(printed.length / 2)];
    const entry = tree.entries.find(each => each.metadata.row[0] === it.row);
    const at = (BigInt(it.begin_ns) + BigInt(it.end_ns)) / 2n;
    const element = { elementType: 'state', time: BigInt(it.begin_ns), duration: BigInt(it.end_ns) - BigInt(it.begin_ns) };
    const query = QueryHelper.selectionTimeQuery([at], [entry.id], { requested_element: element });
    const tooltip = contentOf(await client.fetchTimeGraphTooltip(experiment.UUID, view, query));
    assert.ok(tooltip.Row.includes(entry.labels[0]), JSON.stringify(tooltip));
    assert.ok(tooltip.State && tooltip.Begin && tooltip.End && tooltip.Duration, JSON.stringify(tooltip));
}

async function statisticsEqualThoseOfTheCommand(client, experiment) {
    const counts = contentOf(await client.fetchDataTree(experiment.UUID, 'heliograph.event-counts', QueryHelper.query()));
    const byType = printedRows('events', sample, '--by-type').map(it => `${it.name} ${it.count}`).sort();
    assert.deepEqual(counts.entries.slice(1).map(entry => `${entry.labels[0]} ${entry.labels[1]}`).sort(), byType);
    assert.equal(Number(counts.entries[0].labels[1]), experiment.nbEvents);

    const middle = (experiment.start + experiment.end) / 2n;
    const half = contentOf(await client.fetchDataTree(experiment.UUID, 'heliograph.event-counts', QueryHelper.timeRangeQuery(experiment.start, middle)));
    assert.equal(Number(half.entries[0].labels[1]), printedRows('events', sample, '--end', String(middle + 1n)).length);

    for (const [query, options] of [[QueryHelper.query(), []],
        [QueryHelper.timeRangeQuery(middle, middle + 1000000n), ['--begin', String(middle), '--end', String(middle + 1000001n)]]]) {
        const tree = contentOf(await client.fetchDataTree(experiment.UUID, 'heliograph.state-times.control-flow', query));
        const names = new Map(tree.entries.map(entry => [entry.id, entry.labels[0]]));
        const found = tree.entries.filter(entry => entry.parentId >= 0)
            .map(entry => [names.get(entry.parentId), ...entry.labels].join(' '));
        const expected = printedRows('stats', sample, '--view', 'control-flow', ...options)
            .map(it => [it.label || it.row, it.state, it.count, it.total_ns, it.min_ns, it.mean_ns, it.max_ns].join(' '));
        assert.deepEqual(found, expected);
        assert.ok(found.length > 10);
    }
}

async function linesEqualThoseOfTheCommand(client, experiment) {
    const id = 'heliograph.events';
    const columns = contentOf(await client.fetchTableColumns(experiment.UUID, id, QueryHelper.query()));
    const columnOf = name => columns.find(column => column.name === name).id;
    const printed = printedRows('events', sample);
    const asked = [columnOf('Timestamp ns'), columnOf('CPU'), columnOf('Event type')];
    const linesOf = async (index, count, more) => contentOf(await client.fetchTableLines(experiment.UUID, id, QueryHelper.tableQuery(asked, index, count, more)));
    const compare = (model, first, count) => {
        assert.equal(model.size, printed.length);
        assert.equal(model.lowIndex, first);
        assert.deepEqual(model.columnIds, asked);
        assert.deepEqual(model.lines.map(line => line.cells.map(cell => cell.content).join(' ')),
            printed.slice(first, first + count).map(it => [it.time_ns, it.cpu, it.name].join(' ')));
        assert.deepEqual(model.lines.map(line => line.index), model.lines.map((line, i) => first + i));
    };
    for (const first of [0, 1, 9000, printed.length - 5])
        compare(await linesOf(first, 200), first, 200);
    assert.deepEqual((await linesOf(printed.length, 10)).lines, []);

    const at = Math.floor(printed.length / 3);
    const first = printed.findIndex(it => it.time_ns >= printed[at].time_ns);
    const byTime = QueryHelper.timeQuery([BigInt(printed[at].time_ns)], { requested_table_count: 20, requested_table_column_ids: asked });
    compare(contentOf(await client.fetchTableLines(experiment.UUID, id, byTime)), first, 20);

    const isSwitch = it => /^sched_switch$/.test(it.name);
    const search = direction => ({ table_search_expressions: { [columnOf('Event type')]: '^sched_switch$' }, table_search_direction: direction });
    const next = printed.findIndex((it, i) => i >= at && isSwitch(it));
    const found = await linesOf(at, 5, search('NEXT'));
    compare(found, next, 5);
    assert.deepEqual(found.lines.map(line => (line.tags ?? 0) !== 0), printed.slice(next, next + 5).map(isSwitch));
    compare(await linesOf(at, 5, search('PREVIOUS')), printed.findLastIndex((it, i) => i <= at && isSwitch(it)), 5);
    const none = { table_search_expressions: { [columnOf('Event type')]: 'no such event' }, table_search_direction: 'NEXT' };
    assert.deepEqual((await linesOf(0, 5, none)).lines, []);
    const broken = { table_search_expressions: { [columnOf('Event type')]: '(' }, table_search_direction: 'NEXT' };
    assert.equal((await client.fetchTableLines(experiment.UUID, id, QueryHelper.tableQuery(asked, 0, 5, broken))).getStatusCode(), 400);
}

async function curvesAddUp(client, experiment) {
    const curves = async id => {
        const tree = contentOf(await client.fetchXYTree(experiment.UUID, id, QueryHelper.query()));
        const query = QueryHelper.selectionTimeRangeQuery(experiment.start, experiment.end, 1000, idsOf(tree));
        return contentOf(await client.fetchXY(experiment.UUID, id, query)).series;
    };
    const [events] = await curves('org.eclipse.tracecompass.internal.tmf.core.histogram.HistogramDataProvider');
    const sum = values => values.reduce((all, value) => all + value, 0);
    assert.ok(Math.abs(sum(events.yValues) - experiment.nbEvents) < experiment.nbEvents / 500, `${sum(events.yValues)} events`);

    // The busy share of all CPUs, from the durations of the CPUs' states other than idle and unknown.
    const usage = await curves('heliograph.cpu-usage');
    const busy = usage.filter(series => !series.seriesName.endsWith('unknown')).reduce((all, series) => all + sum(series.yValues) / 1000, 0);
    const rows = printedRows('stats', sample, '--view', 'resources').filter(it => /^cpu:\d+$/.test(it.row));
    const cpus = new Set(rows.map(it => it.row)).size;
    const time = rows.filter(it => it.state !== 'idle' && it.state !== 'unknown').reduce((all, it) => all + Number(it.total_ns), 0);
    const expected = 100 * time / cpus / Number(experiment.end - experiment.start);
    assert.ok(Math.abs(busy - expected) < 0.5, `${busy} % instead of ${expected} %`);
}

/** Compares each value that a counter has for a while: a counter has this value, or, if it grows, the growth that leads to it. */
async function countersEqualThoseOfTheCommand(client) {
    const trace = fixture('ust-counters');
    const quiet = 2000n; // Shortest time before and after a change, in ns.
    const isClose = (a, b) => Math.abs(a - b) <= Math.max(Math.abs(b) * 1e-6, 1e-12);
    const experiment = await openExperiment(client, 'counters', [trace]);
    const outputs = modelOf(await client.experimentOutputs(experiment.UUID));
    let [levels, growths] = [0, 0];
    for (const output of outputs.filter(each => each.type === 'TREE_TIME_XY' && !/^(heliograph|org\.eclipse)\./.test(each.id))) {
        const tree = contentOf(await client.fetchXYTree(experiment.UUID, output.id, QueryHelper.query()));
        const seriesIn = async (first, last, count) =>
            contentOf(await client.fetchXY(experiment.UUID, output.id, QueryHelper.selectionTimeRangeQuery(first, last, count, idsOf(tree)))).series;
        const bySeries = new Map();
        for (const it of printedRows('counters', trace, '--view', output.id)) {
            const key = `${it.row}/${it.series}`;
            bySeries.set(key, [...bySeries.get(key) ?? [], { time: BigInt(it.time_ns), value: Number(it.value) }]);
        }
        assert.equal(idsOf(tree).length, bySeries.size);
        for (const points of bySeries.values()) {
            const changes = points.filter((point, i) => i > 0 && i + 1 < points.length && point.time - points[i - 1].time > quiet
                && points[i + 1].time - point.time > quiet);
            for (const change of changes.slice(0, 10)) {
                const before = points[points.indexOf(change) - 1].value;
                const constant = await seriesIn(change.time + 10n, change.time + 20n, 11);
                const around = await seriesIn(change.time - 500n, change.time + 500n, 11); // Columns of 100 ns.
                const isLevel = constant.some(each => each.yValues.every(y => isClose(y, change.value)));
                const isGrowth = around.some(each => isClose(each.yValues.reduce((sum, y) => sum + y, 0) * 100 / 1e9, change.value - before));
                assert.ok(isLevel || isGrowth, `${output.id} at ${change.time}: ${before}, ${change.value}`);
                levels += isLevel ? 1 : 0;
                growths += isGrowth ? 1 : 0;
            }
        }
        const tooltip = contentOf(await client.fetchXYToolTip(experiment.UUID, output.id, String(experiment.end), undefined, String(idsOf(tree)[0])));
        assert.ok(tooltip.Time && Object.keys(tooltip).length === 2, JSON.stringify(tooltip));
    }
    assert.ok(levels + growths > 10, `${levels} levels, ${growths} growths`);
}

async function lostEventsAreAnnotations(client) {
    const experiment = await openExperiment(client, 'losses', [fixture('lossy-small')]);
    assert.match(experiment.traces[0].properties.warnings, /lost/);
    const id = 'heliograph.events';
    assert.deepEqual(contentOf(await client.fetchAnnotationsCategories(experiment.UUID, id)).annotationCategories, ['Lost events']);
    const query = QueryHelper.timeRangeQuery(experiment.start, experiment.end, mostTimes);
    const losses = contentOf(await client.fetchAnnotations(experiment.UUID, id, query)).annotations['Lost events'];
    assert.ok(losses.length > 0);
    for (const loss of losses) {
        assert.match(loss.label, /^\d+ events? lost/);
        assert.ok(loss.time <= experiment.end && loss.time + loss.duration >= experiment.start);
    }
}

async function severalHostsAreGroups(client) {
    const experiment = await openExperiment(client, 'hosts', [fixture('two-hosts-small/web'), fixture('two-hosts-small/db')]);
    const columns = contentOf(await client.fetchTableColumns(experiment.UUID, 'heliograph.events', QueryHelper.query()));
    assert.ok(columns.some(column => column.name === 'Host') && columns.some(column => column.name === 'Trace'));
    const tree = contentOf(await client.fetchTimeGraphTree(experiment.UUID, 'control-flow', QueryHelper.query()));
    checkTree(tree);
    assert.equal(tree.entries.filter(entry => entry.parentId === -1 && !entry.hasData).length, 2);
}

async function main() {
    const { server, url } = await startServer();
    try {
        const client = new HttpTspClient(url);
        await theServerIsUp(client);
        await tracesAndExperimentsAreManaged(client);
        const experiment = await openExperiment(client, 'sample', [sample]);
        await everyOutputAnswers(client, experiment);
        for (const view of ['control-flow', 'resources']) {
            await statesEqualThoseOfTheCommand(client, experiment, view);
            await coarseStatesCoverTheSameTime(client, experiment, view);
            await tooltipsNameTheState(client, experiment, view);
        }
        await filtersDimAndExclude(client, experiment, 'control-flow');
        await arrowsEqualThoseOfTheCommand(client, experiment, 'control-flow');
        await statisticsEqualThoseOfTheCommand(client, experiment);
        await linesEqualThoseOfTheCommand(client, experiment);
        await curvesAddUp(client, experiment);
        await countersEqualThoseOfTheCommand(client);
        await lostEventsAreAnnotations(client);
        await severalHostsAreGroups(client);
        server.removeAllListeners('exit');
        const ended = new Promise(resolve => server.on('exit', (status, signal) => resolve(signal ?? status)));
        server.kill('SIGINT');
        assert.equal(await ended, 0);
        console.log('all endpoints agree with the command line');
    } finally {
        server.kill('SIGKILL');
    }
}

main().catch(error => {
    console.error(error);
    process.exit(1);
});
