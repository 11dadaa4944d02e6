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
    void textsAreEscaped()
    {
        QTemporaryDir folder;
        const QByteArray trace = R"({"traceEvents":[
{"ph":"M","pid":5,"tid":6,"name":"thread_name","args":{"name":"a \"quoted\" \\ name\n"}},
{"ph":"X","pid":5,"tid":6,"ts":1,"dur":2.5,"name":"\u00e4 \"x\"","cat":"c,d","args":{"k\"":"v\\","n":3}},
{"ph":"C","pid":5,"ts":1,"name":"level","args":{"value":1.5}}]})";
        const QString path = test::writeFile(folder.filePath("made.json"), trace);
        const test::OpenedExperiment made({std::filesystem::path(path.toStdString())});
        const Exported file(made.timeline, "chrome-json");
        const QByteArray printed = runPython("import json, sys\nfor e in json.load(open(sys.argv[1], encoding='utf-8'))['traceEvents']: "
                                             "print(ascii([e.get(k) for k in ('ph', 'name', 'cat', 'ts', 'dur', 'args')]))",
                                             {file.path()});
        QVERIFY2(printed.contains(R"(['X', '\xe4 "x"', 'c,d', 1.0, 2.5, {'k"': 'v\\', 'n': 3}])"), printed.constData());
        QVERIFY2(printed.contains(R"(['M', 'thread_name', None, None, None, {'name': 'a "quoted" \\ name\n'}])"), printed.constData());
        QVERIFY2(printed.contains("['C', 'level', None, 1.0, None, {'value': 1.5}]"), printed.constData());
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
    std::unique_ptr<sql::Database> m_database;
    std::unique_ptr<Exported> m_file;
};

HELIO_TEST(ChromeExportTest)
#include "tst_chrome_export.moc"
