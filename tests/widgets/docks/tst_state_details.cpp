#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/state_causes.h"
#include "core/waits/locks/lock_contention.h"
#include "core/xml_analysis/catalog.h"
#include "tests/support/files.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/docks/details/event_fields.h"
#include "widgets/docks/details/state_details.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

class StateDetailsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_timeline = test::sampleTimeline();
        QVERIFY(m_timeline);
    }

    void aStateTouchesItsNeighbours()
    {
        const TimeRange full = rangeOf(*m_timeline);
        int seen = 0;
        for (const Row& row : rows(*m_timeline, "control-flow")) {
            const Timestamp at = row.life.begin + row.life.duration() / 2;
            const auto it = row.ref.isValid() ? stateDetails(m_timeline, row.ref, at) : std::nullopt;
            if (!it)
                continue;
            ++seen;
            QVERIFY(it->range.contains(at));
            QVERIFY(!it->before || it->before->range.end == it->range.begin);
            QVERIFY(!it->after || it->after->range.begin == it->range.end);
        }
        QVERIFY(seen > 3);
        QVERIFY(!full.isEmpty());
    }

    void aWakeUpEndsTheWaitItIsShownFor()
    {
        int checked = 0;
        for (const Row& row : rows(*m_timeline, "control-flow"))
            for (const Interval& interval :
                 row.ref.isValid() ? intervals(*m_timeline, row.ref, rangeOf(*m_timeline)) : std::vector<Interval>{}) {
                if (stateName(*m_timeline, row.ref, interval.state) != "sleeping" || checked >= 50)
                    continue;
                const auto it = stateDetails(m_timeline, row.ref, interval.range.begin);
                QVERIFY(it);
                const auto woken = std::ranges::find(it->facts, QString("Woken at"), &StateDetails::Fact::name);
                if (woken == it->facts.end())
                    continue;
                ++checked;
                QCOMPARE(woken->at, it->range.end);
            }
        QVERIFY(checked > 10);
    }

    /// Input: a trace of LTTng. Property: the details of a system call contain its arguments (fields of the entry event) and its result
    /// (fields of the exit event).
    void systemCallsShowArgumentsAndResults()
    {
        int withArguments = 0;
        int withResult = 0;
        for (const Row& row : rows(*m_timeline, "control-flow"))
            for (const Interval& interval :
                 row.ref.isValid() ? intervals(*m_timeline, row.ref, rangeOf(*m_timeline)) : std::vector<Interval>{}) {
                if (stateName(*m_timeline, row.ref, interval.state) != "running-syscall" || withArguments + withResult >= 60)
                    continue;
                const auto it = stateDetails(m_timeline, row.ref, interval.range.begin);
                QVERIFY(it);
                withArguments += std::ranges::count(it->facts, QString("Arguments"), &StateDetails::Fact::name);
                const auto result = std::ranges::find(it->facts, QString("Result"), &StateDetails::Fact::name);
                withResult += result != it->facts.end();
                QVERIFY(result == it->facts.end() || result->value.contains(QRegularExpression("^-?\\d+")));
            }
        QVERIFY(withArguments > 10);
        QVERIFY(withResult > 10);
    }

    /// Input: a log of strace. Property: the details of a system call contain the arguments, result and call stack that the log's lines
    /// contain.
    void callsOfLogsShowTheirLines()
    {
        QTemporaryDir folder;
        const QString log =
            test::writeFile(folder.filePath("log.strace"),
                            "5 1700000000.000000 openat(AT_FDCWD, \"/nope\", O_RDONLY) = -1 ENOENT (No such file or directory) <0.100000>\n"
                            " > /lib/libc.so.6(open+0x1) [0x10]\n > /bin/prog(main+0x2) [0x20]\n"
                            "5 1700000000.200000 close(3) = 0 <0.100000>\n5 1700000000.400000 getpid() = 5 <0.100000>\n");
        const test::OpenedExperiment opened({log.toStdString()});
        const Timeline& timeline = *opened.timeline;
        QStringList found;
        for (const Row& row : rows(timeline, "control-flow"))
            for (const Interval& interval : row.ref.isValid() ? intervals(timeline, row.ref, rangeOf(timeline)) : std::vector<Interval>{}) {
                const auto it = stateDetails(opened.timeline, row.ref, interval.range.begin);
                for (const StateDetails::Fact& fact : it->facts)
                    found << fact.name + ": " + fact.value;
            }
        QCOMPARE(found,
                 QStringList({"Arguments: AT_FDCWD, \"/nope\", O_RDONLY", "Result: -1 ENOENT (No such file or directory)",
                              "Call stack: open < main", "Arguments: 3", "Result: 0", "Result: 5"}));
    }

    /// Property: the state of a lock, or of a thread below it, names who holds the lock and who waits, as findLockUse() knows them.
    void aLockNamesItsHolderAndWaiters()
    {
        int waiting = 0;
        for (const Row& row : rows(*m_timeline, "locks")) {
            const auto all = row.ref.isValid() ? intervals(*m_timeline, row.ref, rangeOf(*m_timeline)) : std::vector<Interval>{};
            for (const Interval& interval : all) {
                const auto use = findLockUse(*m_timeline, row.ref, interval.range.begin);
                if (!use)
                    continue;
                const auto it = stateDetails(m_timeline, row.ref, interval.range.begin);
                QVERIFY(it);
                const auto valueOf = [&](const QString& name) {
                    const auto fact = std::ranges::find(it->facts, name, &StateDetails::Fact::name);
                    return fact == it->facts.end() ? QString() : fact->value;
                };
                waiting += !use->waiters.empty() || !use->workWaiters.empty();
                QCOMPARE(valueOf("Held by"), QString::fromStdString(use->holder));
                for (const std::string& waiter : use->waiters)
                    QVERIFY(valueOf("Waiting").contains(QString::fromStdString(waiter)));
                for (const std::string& waiter : use->workWaiters)
                    QVERIFY(valueOf("Waiting for work").contains(QString::fromStdString(waiter)));
            }
        }
        QVERIFY(waiting > 0);
    }

    /// Input: an MPI program whose ranks an analysis shows, without a kernel trace. Property: the state of a rank names the event that
    /// started it and the event's thread, which has no row with states.
    void aRowOfAnAnalysisNamesTheEventThatStartedItsState()
    {
        auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
        xml::addAnalyses(xml::listAnalyses(xml::findAnalysisFiles({}), *analyses), *analyses);
        QTemporaryDir cache;
        ExperimentOptions options;
        options.analyses = analyses;
        options.storeDirectory = cache.path().toStdString();
        const auto opened = Experiment::open({SOURCE_DIR "/tests/fixtures/ust-per-pid"}, options);
        QVERIFY(opened);
        (*opened)->start();
        QVERIFY((*opened)->wait());
        const auto timeline = (*opened)->timeline();
        int checked = 0;
        for (const Row& row : rows(*timeline, "mpi-states-rows"))
            for (const Interval& interval :
                 row.ref.isValid() ? intervals(*timeline, row.ref, rangeOf(*timeline)) : std::vector<Interval>{}) {
                const auto it = stateDetails(timeline, row.ref, interval.range.begin);
                QVERIFY(it);
                if (!it->start)
                    continue;
                ++checked;
                QVERIFY2(it->start->event.startsWith("mpi:"), qPrintable(it->start->event));
                QVERIFY(it->start->thread.toInt() > 0 && !it->start->row.isValid());
                QCOMPARE(it->facts.back().value, QString("%1 in %2").arg(it->start->event, it->start->thread));
            }
        QVERIFY(checked > 3);
    }

    /// Property: the CPUs and occupants in the details of a thread's states agree with the CPUs' rows.
    void linesNameCpusAndThreads()
    {
        QMap<QString, int> named;
        for (const Row& row : rows(*m_timeline, "control-flow"))
            for (const Interval& interval :
                 row.ref.isValid() ? intervals(*m_timeline, row.ref, rangeOf(*m_timeline)) : std::vector<Interval>{}) {
                const std::string_view state = stateName(*m_timeline, row.ref, interval.state);
                const bool isOneOfFew = state.starts_with("running-user") && named["CPU"] < 100;
                if (state != "preempted" && !isOneOfFew)
                    continue;
                const auto it = stateDetails(m_timeline, row.ref, interval.range.begin);
                QVERIFY(it);
                for (const StateDetails::Fact& fact : it->facts) {
                    ++named[fact.name];
                    if (fact.name == "CPU" || fact.name == "Preempted on" || fact.name == "Resumed on")
                        QCOMPARE(threadOn(*m_timeline, row.trace, rowOf(*m_timeline, fact.row)->cpu, fact.at), row.ref);
                    if (fact.name == "Replaced by")
                        QCOMPARE(cpuOf(*m_timeline, fact.row, fact.at), cpuOf(*m_timeline, row.ref, interval.range.begin - Duration(1)));
                    if (fact.name == "prev_state")
                        QVERIFY(!fact.value.isEmpty());
                }
            }
        for (const char* name : {"CPU", "Preempted on", "Replaced by", "Resumed on", "prev_state", "Priority"})
            QVERIFY2(named[name] > 3, name);
    }

    void aCpuNamesItsThreadAndBack()
    {
        int checked = 0;
        for (const Row& row : rows(*m_timeline, "resources")) {
            if (row.kind != "cpu")
                continue;
            for (const Interval& interval : intervals(*m_timeline, row.ref, rangeOf(*m_timeline))) {
                const std::string_view state = stateName(*m_timeline, row.ref, interval.state);
                if (checked > 100 || (state != "user" && state != "syscall"))
                    continue;
                const auto it = stateDetails(m_timeline, row.ref, interval.range.begin);
                QVERIFY(it && !it->facts.empty());
                QCOMPARE(it->facts[0].name, QString("Thread"));
                QCOMPARE(cpuOf(*m_timeline, it->facts[0].row, it->facts[0].at), row.cpu);
                ++checked;
            }
        }
        QVERIFY(checked > 50);
    }

    void whereThereIsNoStateThereAreNoDetails()
    {
        const auto all = rows(*m_timeline, "control-flow");
        const auto row = std::ranges::find_if(all, [](const Row& r) { return r.ref.isValid(); });
        QVERIFY(row != all.end());

        QVERIFY(!stateDetails(m_timeline, row->ref, rangeOf(*m_timeline).end + std::chrono::hours(1)));
        QVERIFY(!stateDetails(m_timeline, TrackRef{}, row->life.begin));
    }

    void nestedFieldsAreIndentedAndCut()
    {
        FieldValue one;
        one.value = std::int64_t(1);
        FieldValue list;
        list.value = std::vector<FieldValue>{one, one};
        FieldValue structure;
        structure.value = std::vector<NamedValue>{{"a", one}, {"b", list}};
        EventRow row;
        row.context = {{"tid", one}};
        row.fields = {{"s", structure}};

        const auto lines = fieldLines(row);
        const auto cut = fieldLines(row, 3);

        QCOMPARE(lines.size(), std::size_t(6));
        QCOMPARE(lines[0].name, QString("tid"));
        QCOMPARE(lines[3].name, QString("b"));
        QCOMPARE(lines[3].depth, 1);
        QCOMPARE(lines[5].name, QString("[1]"));
        QCOMPARE(lines[5].depth, 2);
        QCOMPARE(cut.size(), std::size_t(4));
        QCOMPARE(cut.back().value, QString("3 more"));
    }

    /// Property: arguments in JSON are one line each, in recorded order and with their exact numbers; other texts stay as they are.
    void argumentsAreALineEach()
    {
        const auto linesOf = [](const char* json) {
            FieldValue text;
            text.value = std::string(json);
            EventRow row;
            row.fields = {{"args", text}};
            QStringList lines;
            for (const FieldLine& it : fieldLines(row))
                lines << QString(it.depth, ' ') + it.name + '=' + it.value;
            return lines;
        };
        QCOMPARE(linesOf("{\"url\":\"a\\\"b\",\"size\":18446744073709551615,\"data\":{\"y\":[1,{\"z\":2}],\"x\":{}},\"b\":true}"),
                 QStringList({"args=", " url=a\"b", " size=18446744073709551615", " data=", "  y=[1,{\"z\":2}]", "  x={}", " b=true"}));
        for (const char* other :
             {"{}", "{\"a\":1", "{\"a\":1,}", "{\"a\"}", "{\"a\":}", "plain", "[1]", "{\"a\":1} b", "{\"a\":\"", "{\"a"})
            QCOMPARE(linesOf(other), QStringList({QString("args=") + other}));
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
};

HELIO_TEST(StateDetailsTest)
#include "tst_state_details.moc"
