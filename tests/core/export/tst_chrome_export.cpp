// Property: an export in Chrome's format is valid JSON whose slices, counters and context switches are those of the tables of SQL.

#include "tests/core/export/exported.h"
#include "tests/support/files.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/sample.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QStandardPaths>
#include <QTest>

#include <algorithm>

using namespace helio;
using helio::test::Exported;
using helio::test::joined;
using helio::test::queryRows;
using helio::test::runPython;
using Rows = std::vector<std::string>;

namespace {

const char* const SliceQuery = "SELECT s.ts || ' ' || s.dur || ' ' || ifnull(s.name, '') FROM slice s ORDER BY s.ts, s.dur, s.name";

/// Prints the slices of a file by the rules of the format: complete events, and asynchronous events that nest by their category and id.
const char* const ReadSlices = R"(
import json, sys
from collections import defaultdict
from decimal import Decimal
trace = json.load(open(sys.argv[1], encoding='utf-8'), parse_float=Decimal, parse_int=Decimal)
lines = []
open_slices = defaultdict(list)
events = sorted(trace['traceEvents'], key=lambda it: it.get('ts', 0))
for event in events:
    ns = int(event.get('ts', 0) * 1000)
    if event['ph'] == 'X':
        lines.append((ns, int(event['dur'] * 1000), event['name']))
    elif event['ph'] == 'b':
        open_slices[event['cat'], event['id']].append((ns, event['name']))
    elif event['ph'] == 'e':
        begin, name = open_slices[event['cat'], event['id']].pop()
        assert name == event['name']
        lines.append((begin, ns - begin, name))
    elif event['ph'] == 'B':
        lines.append((ns, -1, event['name']))
lines += [(begin, -1, name) for rest in open_slices.values() for begin, name in rest]
print('\n'.join('%d %d %s' % it for it in sorted(lines)))
)";

/// Prints the flows of a file by the rules of the format (an event belongs to the innermost slice around it) and by those of Perfetto's
/// importer (it belongs to the last slice before it in the order of time and of the file that later events have not closed yet).
const char* const ReadFlows = R"(
import json, sys
from decimal import Decimal
trace = json.load(open(sys.argv[1], encoding='utf-8'), parse_float=Decimal, parse_int=Decimal)
events = sorted(trace['traceEvents'], key=lambda it: it.get('ts', 0))
slices = [it for it in events if it['ph'] == 'X']
def around(event):
    found = [it for it in slices if it['tid'] == event['tid'] and it['ts'] <= event['ts'] <= it['ts'] + it['dur']]
    return min(found, key=lambda it: it['dur'])['name']
stacks, begun = {}, {}
for event in events:
    stack = stacks.setdefault(event.get('tid'), [])
    if event['ph'] == 'X':
        while stack and stack[-1]['ts'] + stack[-1]['dur'] <= event['ts']:
            stack.pop()
        stack.append(event)
    elif event['ph'] == 's':
        begun[event['id']] = (around(event), stack[-1]['name'])
    elif event['ph'] == 'f':
        assert event['bp'] == 'e'
        print('%s -> %s' % (begun[event['id']][0], around(event)), '(%s -> %s)' % (begun[event['id']][1], stack[-1]['name']))
)";

} // namespace

class ChromeExportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable("python3").isEmpty())
            QSKIP("whole test: python3 is not installed");
        m_timeline = test::sampleTimeline();
        QVERIFY(m_timeline);
        m_database = test::databaseOf(m_timeline);
        m_file = std::make_unique<Exported>(m_timeline, "chrome-json");
    }

    void slicesAreEqual() { QCOMPARE(runPython(ReadSlices, {m_file->path()}), joined(queryRows(*m_database, SliceQuery))); }
    void readerFindsTheSlices()
    {
        const test::OpenedExperiment copy({std::filesystem::path(m_file->path().toStdString())});
        const auto database = test::databaseOf(copy.timeline);
        QCOMPARE(joined(queryRows(*database, SliceQuery)), joined(queryRows(*m_database, SliceQuery)));
    }
    void contextSwitchesAreATextOfFtrace()
    {
        QTemporaryDir folder;
        const QByteArray text =
            runPython("import json, sys; print(json.load(open(sys.argv[1]))['systemTraceEvents'], end='')", {m_file->path()});
        const QString path = test::writeFile(folder.filePath("system.txt"), text);
        const test::OpenedExperiment copy({std::filesystem::path(path.toStdString())});
        const auto database = test::databaseOf(copy.timeline);
        const char* const runs = "SELECT s.ts, s.dur, s.cpu, t.tid, nullif(s.end_state, 'X') FROM sched_slice s JOIN thread t USING (utid) "
                                 "ORDER BY s.ts, s.cpu";
        QCOMPARE(joined(queryRows(*database, runs)), joined(queryRows(*m_database, runs)));
    }
    void countersAndSlicesKeepTheirProcess()
    {
        const test::OpenedExperiment made = open(R"({"traceEvents":[
{"ph":"C","pid":5,"ts":1,"name":"level","args":{"value":1}},
{"ph":"C","pid":6,"ts":2,"name":"level","args":{"value":2}},
{"ph":"b","pid":6,"ts":3,"name":"request","cat":"c","id":"1"},
{"ph":"e","pid":6,"ts":4,"name":"request","cat":"c","id":"1"}]})");
        const Exported file(made.timeline, "chrome-json");
        const QByteArray printed = runPython("import json, sys\nfor e in json.load(open(sys.argv[1]))['traceEvents']: "
                                             "e['ph'] == 'M' or print(*[e[k] for k in ('ph', 'pid', 'name', 'ts')])",
                                             {file.path()});
        QCOMPARE(printed, QByteArray("C 5 level 1.0\nC 6 level 2.0\nb 6 request 3.0\ne 6 request 4.0\n"));
    }
    void flowsBindToTheirSlices()
    {
        // The slice "server" begins before the slice whose flow it receives, and had a child before.
        const test::OpenedExperiment made = open(R"({"traceEvents":[
{"ph":"X","pid":5,"tid":1,"ts":10,"dur":20,"name":"first"},
{"ph":"X","pid":5,"tid":1,"ts":12,"dur":2,"name":"child"},
{"ph":"s","pid":5,"tid":1,"ts":20,"name":"flow","cat":"f","id":1},
{"ph":"X","pid":5,"tid":2,"ts":40,"dur":10,"name":"second"},
{"ph":"f","pid":5,"tid":2,"ts":45,"name":"flow","cat":"f","id":1,"bp":"e"},
{"ph":"X","pid":5,"tid":3,"ts":100,"dur":100,"name":"server"},
{"ph":"X","pid":5,"tid":1,"ts":150,"dur":10,"name":"client"},
{"ph":"s","pid":5,"tid":1,"ts":155,"name":"flow","cat":"f","id":2},
{"ph":"f","pid":5,"tid":3,"ts":160,"name":"flow","cat":"f","id":2,"bp":"e"}]})");
        const Exported file(made.timeline, "chrome-json");
        QCOMPARE(runPython(ReadFlows, {file.path()}),
                 QByteArray("first -> second (first -> second)\nclient -> server (client -> server)\n"));
    }
    void countersHaveAValueAtTheBeginOfTheRange()
    {
        const test::OpenedExperiment made = open(R"({"traceEvents":[
{"ph":"C","pid":5,"ts":1,"name":"level","args":{"value":1}},
{"ph":"C","pid":5,"ts":2,"name":"level","args":{"value":2}},
{"ph":"C","pid":5,"ts":4,"name":"level","args":{"value":4}}]})");
        ExportSelection selection;
        selection.range = {timestamp(3'000), timestamp(5'000)};
        const Exported file(made.timeline, "chrome-json", selection);
        QCOMPARE(runPython("import json, sys\nfor e in json.load(open(sys.argv[1]))['traceEvents']: "
                           "e['ph'] == 'M' or print(e['ts'], e['args']['value'])",
                           {file.path()}),
                 QByteArray("3.0 2\n4.0 4\n"));
    }
    void runsEndWithTheRange()
    {
        const std::int64_t begin = nanoseconds(m_timeline->range.begin) + 500'000'000;
        ExportSelection selection;
        selection.range = {timestamp(begin), timestamp(begin + 50'000'000)};
        const Exported part(m_timeline, "chrome-json", selection);
        QTemporaryDir folder;
        const QByteArray text =
            runPython("import json, sys; print(json.load(open(sys.argv[1]))['systemTraceEvents'], end='')", {part.path()});
        const QString path = test::writeFile(folder.filePath("system.txt"), text);
        const test::OpenedExperiment copy({std::filesystem::path(path.toStdString())});
        const auto database = test::databaseOf(copy.timeline);
        const std::string from = " FROM sched_slice s JOIN thread t USING (utid) WHERE t.tid > 0";
        const std::string range =
            " AND s.ts < " + std::to_string(begin + 50'000'000) + " AND (s.dur < 0 OR s.ts + s.dur > " + std::to_string(begin) + ")";
        // The run that ends with the last line may go on, for all that the text says.
        const std::string last = queryRows(*m_database, "SELECT max(s.ts + s.dur)" + from + range).front();
        const Rows expected = queryRows(
            *m_database, "SELECT s.ts, iif(s.ts + s.dur = " + last + ", -1, s.dur), s.cpu, t.tid" + from + range + " ORDER BY s.ts, s.cpu");
        QVERIFY(expected.size() > 1);
        QCOMPARE(joined(queryRows(*database, "SELECT s.ts, s.dur, s.cpu, t.tid" + from + " ORDER BY s.ts, s.cpu")), joined(expected));
        // Lines are in the order of time.
        QCOMPARE(runPython("import re, sys\ntimes = [float(t) for t in re.findall(r' (\\d+\\.\\d+): sched', open(sys.argv[1]).read())]\n"
                           "print(times == sorted(times), len(times) > 1)",
                           {path}),
                 QByteArray("True True\n"));
    }
    void textsAreEscaped()
    {
        const QByteArray trace = R"({"traceEvents":[
{"ph":"M","pid":5,"tid":6,"name":"thread_name","args":{"name":"a \"quoted\" \\ name\n"}},
{"ph":"X","pid":5,"tid":6,"ts":1,"dur":2.5,"name":"\u00e4 \"x\"","cat":"c,d","args":{"k\"":"v\\","n":3}},
{"ph":"C","pid":5,"ts":1,"name":"level","args":{"value":1.5}}]})";
        const test::OpenedExperiment made = open(trace);
        const Exported file(made.timeline, "chrome-json");
        const QByteArray printed = runPython("import json, sys\nfor e in json.load(open(sys.argv[1], encoding='utf-8'))['traceEvents']: "
                                             "print(ascii([e.get(k) for k in ('ph', 'name', 'cat', 'ts', 'dur', 'args')]))",
                                             {file.path()});
        QVERIFY2(printed.contains(R"(['X', '\xe4 "x"', 'c,d', 1.0, 2.5, {'k"': 'v\\', 'n': 3}])"), printed.constData());
        QVERIFY2(printed.contains(R"(['M', 'thread_name', None, None, None, {'name': 'a "quoted" \\ name\n'}])"), printed.constData());
        QVERIFY2(printed.contains("['C', 'level', None, 1.0, None, {'value': 1.5}]"), printed.constData());
    }

private:
    /// Opens a trace in Chrome's format.
    test::OpenedExperiment open(const QByteArray& trace)
    {
        const QString path = test::writeFile(m_folder.filePath(QString("made %1.json").arg(++m_made)), trace);
        return test::OpenedExperiment({std::filesystem::path(path.toStdString())});
    }

    QTemporaryDir m_folder;
    int m_made = 0; ///< Number of opened traces.

    std::shared_ptr<const Timeline> m_timeline;
    std::unique_ptr<sql::Database> m_database;
    std::unique_ptr<Exported> m_file;
};

HELIO_TEST(ChromeExportTest)
#include "tst_chrome_export.moc"
