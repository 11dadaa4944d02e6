// Finders of periodic stalls, slow requests, growing memory and costly migrations. Each finds the cause that was put into a made recording,
// and nothing in random recordings.

#include "core/findings/findings.h"
#include "tests/core/correlators/machines/made_machines.h"
#include "tests/support/dice.h"
#include "tests/support/made_scheduling.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/opened_text.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::int64_t Ms = 1'000'000;
constexpr std::int64_t Length = 10'000 * Ms; ///< Length of the made recordings.

std::int64_t randomTime(Dice& dice, double mean)
{
    return std::int64_t(-std::log((double(dice.below(1'000'000)) + 1) / 1'000'001.0) * mean);
}

/// Makes the finding of one finder in a timeline; nullptr if there is none.
std::unique_ptr<Finding> findOf(std::string_view finder, std::shared_ptr<const Timeline> timeline)
{
    Findings findings = collectFindings({std::move(timeline), {Timestamp::min(), Timestamp::max()}, {}, {}});
    const auto found = std::ranges::find(findings.all, finder, &Finding::finder);
    return found == findings.all.end() ? nullptr : std::make_unique<Finding>(std::move(*found));
}
std::unique_ptr<Finding> findOf(std::string_view finder, MadeMachines& made)
{
    return findOf(finder, std::make_shared<const Timeline>(made.timeline()));
}

/// A wait of a thread that runs otherwise.
struct MadeWait {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Makes a trace in which thread 7 runs on CPU 0, except that it waits uninterruptibly. Waits that overlap an earlier one are left out.
std::shared_ptr<KvmScript> threadWith(std::vector<MadeWait> waits)
{
    std::ranges::sort(waits, {}, &MadeWait::begin);
    auto script = std::make_shared<KvmScript>();
    script->dump(0, 7, 7, 1, 0, 5);
    script->sw(10, 0, 0, 0, 7);
    std::int64_t until = 1'000;
    for (const MadeWait& it : waits) {
        if (it.begin <= until || it.end >= Length - Ms)
            continue;
        script->sw(it.begin, 0, 7, 2, 0).wakeup(it.end, 0, 7, 0).sw(it.end + 1'000, 0, 0, 0, 7);
        until = it.end + 2'000;
    }
    script->sw(Length - 10, 0, 7, 1, 0);
    return script;
}

/// A request of thread 7.
struct MadeRequest {
    std::int64_t begin = 0;
    std::int64_t length = 0;
    std::int64_t waited = 0; ///< Time that the thread waits in the request.
};

/// Adds a trace with requests of thread 7, and the waits in them.
void addRequests(MadeMachines& made, const std::vector<MadeRequest>& requests)
{
    std::vector<MadeWait> waits;
    for (const MadeRequest& it : requests)
        if (it.waited > 0)
            waits.push_back({it.begin + (it.length - it.waited) / 2, it.begin + (it.length + it.waited) / 2});
    const auto trace = made.add(threadWith(waits), "host", Length);
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    SegmentKind kind;
    kind.id = "order";
    kind.title = "Orders";
    const SegmentKindId id = *builder->segments().addKind(kind);
    Track row;
    row.view = "orders";
    row.key = "order";
    row.label = "orders";
    row.tid = 7;
    const TrackId track = builder->addTrack(row);
    for (const MadeRequest& it : requests)
        builder->segments().add({hostTime(it.begin), hostTime(it.begin + it.length), 0, builder->string("order"), track, id});
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(Length)};
    made.addStore(trace, *builder->finish(summary));
}

/// Adds a trace in which the memory of a process has the given sizes, at equal distances.
void addMemory(MadeMachines& made, const std::vector<double>& sizes)
{
    const auto trace = made.add(threadWith({}), "host", Length);
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    Track row;
    row.view = "resident-memory";
    row.kind = "process";
    row.key = "mm:1";
    row.label = "leaky (42)";
    row.pid = 42;
    const TrackId track = builder->addTrack(row);
    const auto series = *builder->counters().addSeries({"resident-memory", "mm:1/anonymous", "Anonymous memory", "B", {}, {}, track});
    const auto files = *builder->counters().addSeries({"resident-memory", "mm:1/file", "File pages", "B", {}, {}, track});
    builder->counters().addInteger(files, hostTime(0), 1'000'000);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        builder->counters().addInteger(series, hostTime(std::int64_t(i) * (Length / std::int64_t(sizes.size()))), std::int64_t(sizes[i]));
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(Length)};
    made.addStore(trace, *builder->finish(summary));
}

std::unique_ptr<Finding> migrationFindingOf(const std::vector<MadeSchedulingEvent>& events)
{
    const QTemporaryDir folder;
    if (!writeScheduling(folder.filePath("trace"), events))
        qFatal("not written");
    const OpenedExperiment opened({std::filesystem::path(folder.filePath("trace").toStdString())});
    return findOf("migration", opened.timeline);
}

} // namespace

class FindersTest : public QObject {
    Q_OBJECT

private slots:
    void periodicWaitsAreFound()
    {
        Dice dice(1);
        std::vector<MadeWait> waits;
        for (int i = 1; i < 40; ++i)
            waits.push_back({i * 250 * Ms - 20 * Ms - std::int64_t(dice.below(10 * Ms)), i * 250 * Ms + std::int64_t(dice.below(2 * Ms))});
        MadeMachines made;
        made.add(threadWith(waits), "host", Length);
        const auto found = findOf("periodic-stalls", made);
        QVERIFY(found);
        QVERIFY2(QString::fromStdString(found->text).startsWith("Uninterruptible waits of t7 end every 250"), found->text.c_str());
        QVERIFY2(QString::fromStdString(found->text).endsWith("(100 % of 39 in phase)"), found->text.c_str());
        QVERIFY(found->explained > std::chrono::milliseconds(39 * 20));
        QCOMPARE(found->evidence.size(), std::size_t(39));
    }

    /// Property: a period that only half of the waits have does not name all of them.
    void halfPeriodicWaitsAreNotNamed()
    {
        Dice dice(1);
        std::vector<MadeWait> waits;
        for (int i = 1; i < 40; ++i) {
            waits.push_back({i * 250 * Ms - 20 * Ms - std::int64_t(dice.below(10 * Ms)), i * 250 * Ms + std::int64_t(dice.below(2 * Ms))});
            const std::int64_t at = i * 250 * Ms + 30 * Ms + std::int64_t(dice.below(150 * Ms));
            waits.push_back({at, at + 10 * Ms + std::int64_t(dice.below(30 * Ms))});
        }
        MadeMachines made;
        made.add(threadWith(waits), "host", Length);
        const auto found = findOf("periodic-stalls", made);
        QVERIFY2(!found, found ? found->text.c_str() : "");
    }

    void randomWaitsHaveNoPeriod()
    {
        for (quint64 seed = 1; seed <= 200; ++seed) {
            Dice dice(seed);
            std::vector<MadeWait> waits;
            for (std::int64_t at = 0; at < Length;) {
                at += randomTime(dice, 150e6);
                const std::int64_t length = Ms + randomTime(dice, 15e6);
                waits.push_back({at, at + length});
                at += length;
            }
            MadeMachines made;
            made.add(threadWith(waits), "host", Length);
            const auto found = findOf("periodic-stalls", made);
            QVERIFY2(!found, found ? found->text.c_str() : "");
        }
    }

    void slowRequestsAreFoundWithTheirCause()
    {
        std::vector<MadeRequest> requests;
        for (int i = 0; i < 200; ++i)
            requests.push_back({10 * Ms + i * 45 * Ms, i % 60 == 30 ? 41 * Ms : Ms, i % 60 == 30 ? 40 * Ms : 0});
        MadeMachines made;
        addRequests(made, requests);
        const auto found = findOf("slow-requests", made);
        QVERIFY(found);
        QCOMPARE(QString::fromStdString(found->text),
                 QString("The slowest 3 of 200 order take 40 ms longer than the median: blocked +40 ms"));
        QCOMPARE(found->explained, Duration(120 * Ms));
        QCOMPARE(found->evidence.size(), std::size_t(3));
    }

    /// Property: a long tail alone is no finding. Each request waits for a random part of its time, whatever its duration.
    void randomRequestsHaveNoCause()
    {
        for (quint64 seed = 1; seed <= 100; ++seed) {
            Dice dice(seed);
            std::vector<MadeRequest> requests;
            for (std::int64_t at = 10 * Ms;;) {
                const std::int64_t running = 100'000 + randomTime(dice, 4e6), waited = 100'000 + randomTime(dice, 8e6);
                if (at + running + waited > Length - 10 * Ms)
                    break;
                requests.push_back({at, running + waited, waited});
                at += running + waited + 100'000;
            }
            MadeMachines made;
            addRequests(made, requests);
            const auto found = findOf("slow-requests", made);
            QVERIFY2(!found, found ? (std::to_string(seed) + ": " + found->text).c_str() : "");
        }
    }

    void growingMemoryIsFound()
    {
        Dice dice(1);
        std::vector<double> sizes;
        for (int i = 0; i < 1'000; ++i)
            sizes.push_back(50e6 + i * 120e3 + double(dice.below(500'000)));
        MadeMachines made;
        addMemory(made, sizes);
        const auto found = findOf("memory-growth", made);
        QVERIFY(found);
        QVERIFY2(QString::fromStdString(found->text).startsWith("Memory of leaky (42) grew by 1"), found->text.c_str());
        QVERIFY2(QString::fromStdString(found->text).endsWith(" MB per second"), found->text.c_str());
        QVERIFY(found->explained > std::chrono::milliseconds(6'000) && found->explained < std::chrono::milliseconds(7'500));
    }

    void otherMemoryDoesNotGrow()
    {
        const auto isFound = [](const std::vector<double>& sizes) {
            MadeMachines made;
            addMemory(made, sizes);
            return findOf("memory-growth", made) != nullptr;
        };
        std::vector<double> filled, sawtooth, slowing;
        for (int i = 0; i < 1'000; ++i) {
            filled.push_back(std::min(200e6, 1e6 * (i + 1)));
            sawtooth.push_back(50e6 + 1e6 * (i % 100));
            slowing.push_back(20e6 + 100e6 * (1 - std::exp(-i / 50.0)) + 1e3 * i);
        }
        QVERIFY(!isFound(filled));
        QVERIFY(!isFound(sawtooth));
        QVERIFY(!isFound(slowing));
        int walks = 0;
        for (quint64 seed = 1; seed <= 100; ++seed) {
            Dice dice(seed);
            std::vector<double> walk{50e6};
            while (walk.size() < 1'000)
                walk.push_back(std::max(1e6, walk.back() + double(dice.below(2'000'001)) - 1e6));
            walks += isFound(walk);
        }
        QCOMPARE(walks, 0);
    }

    /// Input: a thread that blocks for 20 ms again and again; after each wait, perf counted a major page fault, or one at another time.
    void waitsInMajorFaultsAreFound()
    {
        const auto findingFor = [](bool areFaults) {
            QByteArray text;
            const auto line = [&](const char* comm, int tid, double at, const QByteArray& what) {
                text +=
                    QByteArray(comm) + "  " + QByteArray::number(tid) + " [000]  " + QByteArray::number(at, 'f', 6) + ": " + what + "\n";
            };
            const auto switchTo = [&](double at, const QByteArray& from, int fromTid, const char* state, const QByteArray& to, int toTid) {
                line(from, fromTid, at,
                     "sched:sched_switch: prev_comm=" + from + " prev_pid=" + QByteArray::number(fromTid) + " prev_prio=120 prev_state="
                         + state + " ==> next_comm=" + to + " next_pid=" + QByteArray::number(toTid) + " next_prio=120");
            };
            for (int i = 0; i < 20; ++i) {
                const double at = 1 + i * 0.05;
                switchTo(at, "db", 7, "D", "swapper/0", 0);
                line("swapper/0", 0, at + 0.02, "sched:sched_wakeup: comm=db pid=7 prio=120 target_cpu=000");
                switchTo(at + 0.0201, "swapper/0", 0, "R", "db", 7);
                line("db", 7, at + (areFaults ? 0.0202 : 0.03), "1 major-faults: ");
                text += "\n";
            }
            switchTo(2.1, "db", 7, "S", "swapper/0", 0);
            const OpenedText opened(text);
            return opened.timeline ? findOf("page-faults", opened.timeline) : nullptr;
        };
        const auto found = findingFor(true);
        QVERIFY(found);
        QVERIFY2(QString::fromStdString(found->text).endsWith("waited 20 times for pages from the disk: 20 major page faults"),
                 found->text.c_str());
        QVERIFY(found->explained >= std::chrono::milliseconds(399) && found->explained <= std::chrono::milliseconds(402));
        QVERIFY(!findingFor(false));
    }

    void costlyMigrationsAreFound()
    {
        const auto found = migrationFindingOf(madeScheduling(20'000));
        QVERIFY(found);
        QVERIFY2(QString::fromStdString(found->text).startsWith("After migrations, threads execute "), found->text.c_str());
        QVERIFY(found->explained > std::chrono::milliseconds(1));
    }

    void freeMigrationsAreNot()
    {
        for (quint64 seed = 1; seed <= 20; ++seed) {
            const auto found = migrationFindingOf(madeScheduling(5'000, seed, 0));
            QVERIFY2(!found, found ? found->text.c_str() : "");
        }
    }
};

HELIO_TEST(FindersTest)
#include "tst_finders.moc"
