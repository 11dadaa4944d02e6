#include "core/trace/merged_events.h"
#include "tests/support/perf_samples.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

using namespace helio;

namespace {

QString describe(const PrintedSample& sample)
{
    QString text = QString("%1 %2 [%3] %4 %5 %6:")
                       .arg(QString::fromStdString(sample.comm))
                       .arg(sample.tid)
                       .arg(sample.cpu)
                       .arg(sample.time)
                       .arg(sample.period)
                       .arg(QString::fromStdString(sample.event));
    for (const auto ip : sample.ips)
        text += " " + QString::number(ip, 16);
    return text;
}

std::map<std::string, std::uint64_t> countsOf(const Trace& trace)
{
    std::map<std::string, std::uint64_t> counts;
    MergedEvents events(trace);
    while (events.next())
        ++counts[events.event().type->name];
    return counts;
}

using Counts = std::map<std::string, std::uint64_t>;

} // namespace

Q_DECLARE_METATYPE(Counts)

/// Property: recordings of one program, alone and in parallel, equal perf's output for them.
class PerfRecordedTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: a recording with 40 gaps and a record with their sum at the end. Property: the losses count once.
    void whatWasLostCountsOnce()
    {
        const QString folder = realTrace("perf-cases");
        if (folder.isEmpty())
            QSKIP(qPrintable(missingTrace("perf-cases")));
        const auto trace = openPerfData((folder + "/lost.data").toStdString());
        QVERIFY(trace);
        MergedEvents events(*trace);
        std::vector<Loss> losses;
        const auto take = [&] { std::ranges::move(events.takeLosses(), std::back_inserter(losses)); };
        while (events.next())
            take();
        take();

        QCOMPARE(losses.size(), std::size_t(40));
        QCOMPARE(std::accumulate(losses.begin(), losses.end(), std::uint64_t(0),
                                 [](std::uint64_t sum, const Loss& loss) { return sum + loss.events; }),
                 std::uint64_t(1149));
        QVERIFY(std::ranges::all_of(losses, [](const Loss& loss) { return loss.cpu == 0 || loss.cpu == 1; }));
    }

    void everyEventIsThereOnce_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<Counts>("counts");
        QTest::newRow("solo") << "solo" << Counts{{"cpu-clock:ppp", 4419}};
        QTest::newRow("parallel4") << "parallel4" << Counts{{"cpu-clock:ppp", 18258}};
        QTest::newRow("compressed") << "solo-z" << Counts{{"cpu-clock:ppp", 4412}};
        QTest::newRow("dwarf") << "solo-dwarf" << Counts{{"cpu-clock:ppp", 430}};
        QTest::newRow("one process") << "solo-noa" << Counts{{"cpu-clock:u", 2797}};
        QTest::newRow("three events") << "parallel4-multi3"
                                      << Counts{{"page-faults", 1992}, {"context-switches", 390}, {"cpu-clock", 3169}};
        QTest::newRow("tracepoints") << "parallel4-sched" << Counts{{"sched:sched_switch", 1884}, {"sched:sched_wakeup", 368}};
        QTest::newRow("perf sched") << "parallel4-perfsched" << Counts{{"sched:sched_switch", 1926},    {"sched:sched_stat_runtime", 3481},
                                                                       {"sched:sched_waking", 392},     {"sched:sched_migrate_task", 17},
                                                                       {"sched:sched_process_fork", 4}, {"sched:sched_wakeup_new", 4}};
        QTest::newRow("perf lock") << "perflock-contention" << Counts{{"lock:contention_begin", 2966}, {"lock:contention_end", 2966}};
    }
    void everyEventIsThereOnce()
    {
        QFETCH(QString, file);
        QFETCH(Counts, counts);
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/" + file + ".data");
        std::string error;
        const auto trace = openPerfData(path.toStdString(), &error);
        QVERIFY2(trace, error.c_str());

        const Counts found = countsOf(*trace);

        std::uint64_t sum = 0;
        for (const auto& [name, count] : found) {
            sum += count;
            if (file != "perflock-contention")
                QCOMPARE(count, counts[name]);
        }
        std::uint64_t expected = 0;
        for (const auto& [name, count] : counts)
            expected += count;
        QCOMPARE(sum, expected);
        QVERIFY(trace->diagnostics().empty());
    }

    void everySampleIsWhatPerfPrints_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("isUnwound");
        for (const char* file : {"solo", "parallel4", "solo-z", "solo-noa", "parallel4-multi3", "parallel4-sched", "parallel4-perfsched"})
            QTest::newRow(file) << file << false;
        QTest::newRow("solo-dwarf") << "solo-dwarf" << true;
    }
    void everySampleIsWhatPerfPrints()
    {
        QFETCH(QString, file);
        QFETCH(bool, isUnwound);
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/" + file + ".data");
        HELIO_REQUIRE_TRACE(text, "solo-vs-parallel-perf", "text/" + file + ".script.txt");
        const auto printed = readPerfScript(text);
        const auto trace = openPerfData(path.toStdString());
        QVERIFY(trace);

        const auto ours = readSamples(*trace);

        QCOMPARE(ours.size(), printed.size());
        for (std::size_t i = 0; i < ours.size(); ++i) {
            PrintedSample sample = ours[i];
            PrintedSample expected = printed[i];
            sample.time -= sample.time % 1000; // perf script prints microseconds.
            if (expected.period == 0)
                sample.period = 0; // perf script prints no period of tracepoints.
            if (expected.ips.empty())
                sample.ips.clear();
            // perf script appends the unwound user part, which begins at the ip; Heliograph's trace has only the kernel part, if any.
            if (isUnwound) {
                std::erase_if(sample.ips, [](std::uint64_t ip) { return ip >> 63 == 0; });
                expected.ips.resize(std::min(expected.ips.size(), sample.ips.size()));
            }
            QCOMPARE(describe(sample), describe(expected));
        }
    }

    void stacksToUnwindComeWithTheirRegisters()
    {
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/solo-dwarf.data");
        const auto trace = openPerfData(path.toStdString());
        QVERIFY(trace && trace->samples());
        QCOMPARE(trace->samples()->machine(), "x86_64");
        QVERIFY(trace->samples()->events().front().hasUserState);

        MergedEvents events(*trace);
        int stacks = 0;
        while (events.next()) {
            SampleView sample;
            QVERIFY(trace->samples()->read(events.event(), sample));
            if (sample.user.stack.empty())
                continue;
            ++stacks;
            QCOMPARE(sample.user.abi, std::uint64_t(2));
            QCOMPARE(sample.user.registerMask, std::uint64_t(0xff0fff));
            QCOMPARE(sample.user.registers.size(), std::size_t(20));
            QVERIFY(sample.user.stack.size() <= 8192);
            const std::uint64_t stackPointer = sample.user.registers[7];
            QVERIFY(stackPointer > 0x7ff000000000 && stackPointer < 0x800000000000);
        }
        QVERIFY(stacks > 400);
    }

    void codeLiesInModules()
    {
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/solo.data");
        const auto trace = openPerfData(path.toStdString());
        QVERIFY(trace);
        const auto modules = trace->modules();
        const auto find = [&](std::string_view end) {
            return std::find_if(modules.begin(), modules.end(), [&](const Module& m) { return m.path.ends_with(end); });
        };
        const auto kernel = find("[kernel.kallsyms]");
        QVERIFY(kernel != modules.end());
        QCOMPARE(int(kernel->kind), int(Module::Kind::Kernel));
        QCOMPARE(kernel->referenceName, "_text");
        QCOMPARE(kernel->buildId, "4a5a9b0affb66c437abcd455d2738af879985fa9");
        const auto program = find("/bin/matinit");
        QVERIFY(program != modules.end());
        QCOMPARE(int(program->kind), int(Module::Kind::File));
        QCOMPARE(program->buildId.size(), std::size_t(40));

        bool isMapped = false;
        HostTimestamp last = HostTimestamp::min();
        for (const ProcessRecord& record : trace->processRecords()) {
            QVERIFY(record.time >= last);
            last = record.time;
            isMapped |= record.kind == ProcessRecord::Kind::Map && record.pid == 2652
                && static_cast<std::size_t>(record.mapping.module) == std::size_t(program - modules.begin());
        }
        QVERIFY(isMapped);
    }
};

HELIO_TEST(PerfRecordedTest)
#include "tst_perf_recorded.moc"
