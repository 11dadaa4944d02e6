// Property: the output of the command "locks" equals sums over the waits that the command "latency" lists.

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QMap>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace helio;

namespace {

struct Wait {
    qint64 begin, end;
    QByteArray row, wokenBy;
    /// True if the thread waits for work and not for a lock's owner, for example at a condition variable. Such a wait is not contention.
    bool isForWork;
};

/// Returns the waits for each lock, as the command "latency" lists them. Key: name of the lock.
QMap<QByteArray, std::vector<Wait>> waitsOf(const QString& path)
{
    QMap<QByteArray, std::vector<Wait>> all;
    const ProgramResult list = heliograph({"latency", path, "--of", "lock", "--list", "--format", "csv"});
    for (const QByteArray& line : list.lines().mid(1)) {
        const auto cells = csvCells(line);
        QByteArray wokenBy;
        for (const QByteArray& field : cells[9].split(';'))
            if (field.startsWith("woken_by="))
                wokenBy = field.mid(9);
        all[cells[4]].push_back(
            {cells[0].toLongLong(), cells[1].toLongLong(), cells[6], wokenBy, cells[9].split(';').contains("for=work")});
    }
    return all;
}

/// Returns the largest number of waits that overlap, counted at the beginning of each wait.
int mostAtOnce(const std::vector<Wait>& waits)
{
    std::ptrdiff_t most = 0;
    for (const Wait& at : waits)
        most = std::max(most, std::ranges::count_if(waits, [&](const Wait& it) { return it.begin <= at.begin && at.begin < it.end; }));
    return int(most);
}

/// Time in ns with at least two waiting threads.
qint64 crowdedNs(const std::vector<Wait>& waits)
{
    std::vector<qint64> moments;
    for (const Wait& it : waits)
        moments.insert(moments.end(), {it.begin, it.end});
    std::ranges::sort(moments);
    qint64 sum = 0;
    for (std::size_t i = 1; i < moments.size(); ++i)
        if (std::ranges::count_if(waits, [&](const Wait& it) { return it.begin <= moments[i - 1] && moments[i] <= it.end; }) >= 2)
            sum += moments[i] - moments[i - 1];
    return sum;
}

QStringList described(const QMap<QByteArray, std::vector<Wait>>& locks)
{
    QStringList all;
    for (const auto& [lock, allWaits] : locks.asKeyValueRange()) {
        std::vector<Wait> waits;
        qint64 total = 0, longest = 0, workTotal = 0;
        for (const Wait& it : allWaits) {
            if (it.isForWork)
                workTotal += it.end - it.begin;
            else
                waits.push_back(it);
        }
        QStringList rows;
        for (const Wait& it : waits) {
            total += it.end - it.begin;
            longest = std::max(longest, it.end - it.begin);
            rows << it.row;
        }
        rows.removeDuplicates();
        all << QString("%1: %2 %3 %4, %5 threads, %6 at once, %7, for work %8 %9")
                   .arg(QString(lock))
                   .arg(waits.size())
                   .arg(total)
                   .arg(waits.empty() ? QString() : QString::number(longest))
                   .arg(rows.size())
                   .arg(mostAtOnce(waits))
                   .arg(crowdedNs(waits))
                   .arg(allWaits.size() - waits.size())
                   .arg(workTotal);
    }
    all.sort();
    return all;
}

} // namespace

class LocksOutputTest : public QObject {
    Q_OBJECT

private slots:
    void allLocksAreThoseOfTheWaits_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("below");
        test::addRow("plain", "lttng-kernel", "plain");
        test::addRow("mpi", "mpi-imbalance", "mpi-imbalance/kernel");
        test::addRow("perf", "solo-vs-parallel-perf", "data/perflock-contention.data");
    }
    void allLocksAreThoseOfTheWaits()
    {
        QFETCH(QString, collection);
        QFETCH(QString, below);
        HELIO_REQUIRE_TRACE(path, collection, below);
        const auto waits = waitsOf(path);
        const ProgramResult answer = heliograph({"locks", path, "--format", "csv"});
        QCOMPARE(answer.status, 0);
        QStringList found;
        for (const QByteArray& line : answer.lines().mid(1)) {
            const auto cells = csvCells(line);
            found << QString("%1: %2 %3 %4, %5 threads, %6 at once, %7, for work %8 %9")
                         .arg(QString(cells[0]), QString(cells[2]), QString(cells[3]), QString(cells[4]), QString(cells[6]),
                              QString(cells[7]), QString(cells[9]), QString(cells[15]), QString(cells[16]));
        }
        found.sort();
        QVERIFY(!found.isEmpty());
        QCOMPARE(found, described(waits));

        // Waiting time in ns that a thread caused for others, by thread and lock: added up from the list of waits, and as --culprits prints
        // it.
        QMap<QByteArray, qint64> expected, madeWait;
        for (const auto& [lock, all] : waits.asKeyValueRange())
            for (const Wait& it : all)
                if (!it.wokenBy.isEmpty() && !it.isForWork)
                    expected[it.wokenBy.mid(it.wokenBy.lastIndexOf('(')) + ' ' + lock] += it.end - it.begin;
        const ProgramResult culprits = heliograph({"locks", path, "--culprits", "--format", "csv"});
        for (const QByteArray& line : culprits.lines().mid(1)) {
            const auto cells = csvCells(line);
            madeWait[cells[0].mid(cells[0].lastIndexOf('(')) + ' ' + cells[3]] += cells[5].toLongLong();
        }
        QCOMPARE(madeWait, expected);
    }

    void whoHoldsLocksOfTheKernelIsNotRecorded()
    {
        HELIO_REQUIRE_TRACE(perf, "solo-vs-parallel-perf", "data/perflock-contention.data");
        HELIO_REQUIRE_TRACE(futexes, "lttng-kernel", "plain");
        const auto said = [](const QByteArray& what) { return what.indexOf(" waits for kernel locks are not listed"); };
        std::size_t waits = 0;
        for (const auto& ofLock : waitsOf(perf))
            waits += ofLock.size();

        const ProgramResult answer = heliograph({"locks", perf, "--culprits", "--format", "csv"});
        QCOMPARE(answer.lines(), QByteArrayList{"who,host,did,lock,times,made_wait_ns"});
        QVERIFY2(said(answer.err) > 0, answer.err.constData());
        QCOMPARE(answer.err.left(said(answer.err)).split(' ').last().toULongLong(), qulonglong(waits));
        QVERIFY(said(heliograph({"locks", perf, "--culprits", "--quiet"}).err) < 0);
        QVERIFY(said(heliograph({"locks", perf}).err) < 0);
        QVERIFY(said(heliograph({"locks", futexes, "--culprits"}).err) < 0);
    }

    /// Property: a waiter has its thread's last recorded name, even if it got the CPU under an earlier name.
    void waitersHaveTheirNamesAndProcess()
    {
        const QString trace = SOURCE_DIR "/tests/fixtures/perf/calls-part.data";
        const QStringList asked{"latency", trace, "--of", "lock", "--list", "--format", "csv", "--quiet"};
        const auto all = csvRows(heliograph(asked));
        int rivals = 0;
        for (const CsvRow& it : all) {
            // Threads 12868 and 12873 start the threads named "rival-...". Their own name is "rivals".
            const bool isOther = it["tid"] == "12868" || it["tid"] == "12873";
            QVERIFY2(it["fields"].contains(isOther ? "comm=rivals" : "comm=rival-"), it["fields"].constData());
            rivals += !isOther;
        }
        QVERIFY(rivals > 5);
        QCOMPARE(csvRows(heliograph(asked + QStringList{"--process", "rivals"})).size(), all.size());
        QCOMPARE(csvRows(heliograph(asked + QStringList{"--filter", "pid == 12868"})).size(), all.size());
    }

    void tracesWithoutLocksAreReported()
    {
        const ProgramResult answer = heliograph({"locks", SOURCE_DIR "/tests/fixtures/perf/fp.data"});
        QVERIFY(answer.status != 0);
        QVERIFY2(answer.err.contains("no lock events were recorded"), answer.err.constData());
    }

    void lockStatIsPrintedInAllFormats()
    {
        const QString file = SOURCE_DIR "/tests/fixtures/lock_stat_0.4.txt";
        const ProgramResult answer = heliograph({"lock-stat", file, "--format", "csv"});
        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.lines().size(), 5);
        QCOMPARE(answer.lines()[1], "&mm->mmap_lock-W,45,310,812440,9021500,200470,88121,120,1830221070,51230110420,581360,31,3120");
        const ProgramResult points = heliograph({"lock-stat", file, "--points", "--json"});
        QCOMPARE(points.lines().size(), 6);
        QCOMPARE(
            points.lines()[2],
            R"({"class":"&mm->mmap_lock","what":"holds","contentions":38,"address":"0xffffffff8112f0a3","symbol":"vm_mmap_pgoff+0x83/0x150"})");
    }

    /// Property: an error names the file and line; all other lines are printed.
    void damagedLockStatLinesAreReported()
    {
        QTemporaryDir folder;
        QFile from(SOURCE_DIR "/tests/fixtures/lock_stat_0.4.txt"), to(folder.filePath("some.txt"));
        QVERIFY(from.open(QIODevice::ReadOnly) && to.open(QIODevice::WriteOnly));
        to.write(from.readAll().replace("812.44", "much"));
        to.close();
        const ProgramResult answer = heliograph({"lock-stat", to.fileName(), "--format", "csv"});
        QCOMPARE(answer.status, 1);
        QCOMPARE(answer.lines().size(), 4);
        QVERIFY2(answer.err.contains("some.txt:6: not a class line: \"much\" is not a time in "), answer.err.constData());
        QCOMPARE(heliograph({"lock-stat", from.fileName(), to.fileName()}).status, 2);
        QCOMPARE(heliograph({"lock-stat"}).status, 2);
    }
};

HELIO_TEST(LocksOutputTest)

#include "tst_locks_output.moc"
