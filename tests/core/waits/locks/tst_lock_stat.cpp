// Parser of /proc/lock_stat. Input: texts written for this test in the kernel's format (kernel/locking/lockdep_proc.c).

#include "core/waits/locks/lock_stat.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

constexpr const char* Header =
    "class name    con-bounces    contentions   waittime-min   waittime-max waittime-total   waittime-avg    acq-bounces   "
    "acquisitions   holdtime-min   holdtime-max holdtime-total   holdtime-avg\n";
constexpr const char* OldHeader = "class name    con-bounces    contentions   waittime-min   waittime-max waittime-total    acq-bounces   "
                                  "acquisitions   holdtime-min   holdtime-max holdtime-total\n";

QString words(const LockStatTimes& it)
{
    return QString("%1 %2 %3 %4").arg(it.least.count()).arg(it.most.count()).arg(it.total.count()).arg(it.mean ? it.mean->count() : -1);
}

/// Results as text: a line for each class, each contention point and each problem.
QStringList lines(const LockStat& stat)
{
    QStringList all;
    for (const LockStatClass& it : stat.classes)
        all << QString("%1: %2 of %3, %4; %5 of %6, %7")
                   .arg(it.name.c_str())
                   .arg(it.waitBounces)
                   .arg(it.contentions)
                   .arg(words(it.waits))
                   .arg(it.bounces)
                   .arg(it.acquisitions)
                   .arg(words(it.holds));
    for (const LockStatPoint& it : stat.points)
        all << QString("%1 %2 %3 at %4 %5")
                   .arg(it.name.c_str(), it.holds ? "holds" : "waits")
                   .arg(it.contentions)
                   .arg(it.address.c_str(), it.symbol.c_str());
    for (const LockStatProblem& it : stat.problems)
        all << QString("%1: %2").arg(it.line).arg(it.what.c_str());
    return all;
}

QStringList lines(const std::string& text)
{
    const auto stat = parseLockStat(text);
    return stat ? lines(*stat) : QStringList(QString::fromStdString(stat.error().what));
}

} // namespace

class LockStatTest : public QObject {
    Q_OBJECT

private slots:
    void aWholeFile()
    {
        const auto stat = readLockStat(SOURCE_DIR "/tests/fixtures/lock_stat_0.4.txt");
        QVERIFY2(bool(stat), stat ? "" : stat.error().what.c_str());
        QCOMPARE(stat->version, "0.4");
        QCOMPARE(lines(*stat),
                 QStringList({"&mm->mmap_lock-W: 31 of 45, 310 812440 9021500 200470; 3120 of 88121, 120 1830221070 51230110420 581360",
                              "&mm->mmap_lock-R: 12 of 19, 1020 2103900 6120330 322120; 9921 of 441120, 90 6612180 1120450910 2540",
                              "(work_completion)(&vc->w 2): 1 of 2, 500 750 1250 630; 9 of 10, 100 1000 5500 550",
                              "&rq->__lock#2: 0 of 0, 0 0 0 0; 3 of 512, 50 2200 100000 200",
                              "&mm->mmap_lock waits 40 at 0xffffffff8112f0a3 vm_mmap_pgoff+0x83/0x150",
                              "&mm->mmap_lock waits 24 at 0x00000000c4e2f91b do_user_addr_fault+0x1c4/0x690",
                              "&mm->mmap_lock holds 38 at 0xffffffff8112f0a3 vm_mmap_pgoff+0x83/0x150",
                              "&mm->mmap_lock holds 26 at 0xffffffff8111c2d7 __vm_munmap+0x67/0x110",
                              "(work_completion)(&vc->w 2) waits 2 at 0xffffffff8106aa10 process_one_work+0x1a0/0x3c0",
                              "(work_completion)(&vc->w 2) holds 2 at 0xffffffff8106aa10 process_one_work+0x1a0/0x3c0"}));
    }

    /// Input: a text without the columns of means, as old kernels print it.
    void ofAnOldKernel()
    {
        QCOMPARE(lines(std::string("lock_stat version 0.3\n") + OldHeader + "net/core/sock.c:42: 1 2 0.10 0.20 0.30 4 5 0.40 0.50 0.90\n"),
                 QStringList("net/core/sock.c:42: 1 of 2, 100 200 300 -1; 4 of 5, 400 500 900 -1"));
    }

    void badLinesAreNamedAndTheOthersRead()
    {
        const std::string good = "a: 1 2 0.10 0.20 0.30 0.15 4 5 0.40 0.50 0.90 0.18\n";
        QCOMPARE(lines("lock_stat version 0.4\n*WARNING* lock debugging disabled!! - possibly due to a lockdep warning\n" + good + Header
                       + "b: 1 2 0.10 0.20 0.30 0.15 4 5 0.40 0.50 0.90 x\n" + "c: 1 2 0.10 0.2 0.30 0.15 4 5 0.40 0.50 0.90 0.18\n"
                       + "d 1 2 0.10 0.20 0.30 0.15 4 5 0.40 0.50 0.90 0.18\n" + "e: 1 -2 0.10 0.20 0.30 0.15 4 5 0.40 0.50 0.90 0.18\n"
                       + "f: 1 2 0.10\n" + good + "-----\n a x [<12>] f+0x1/0x2\n a 3 [<(null)>] f+0x1/0x2\n"
                       + "g: 1 2 99999999999999999999.00 0.20 0.30 0.15 4 5 0.40 0.50 0.90 0.18\n"),
                 QStringList({"a: 1 of 2, 100 200 300 150; 4 of 5, 400 500 900 180", "a waits 3 at (null) f+0x1/0x2",
                              "2: the kernel says: *WARNING* lock debugging disabled!! - possibly due to a lockdep warning",
                              "3: the line precedes the header line",
                              "5: not a class line: \"x\" is not a time in µs with two decimals, in column holdtime-avg",
                              "6: not a class line: \"0.2\" is not a time in µs with two decimals, in column waittime-max",
                              "7: not a class line: no name with a colon before its numbers",
                              "8: not a class line: \"-2\" is not a number, in column contentions",
                              "9: not a class line: \"2\" is not a time in µs with two decimals, in column holdtime-total",
                              "12: not a contention point: expected NAME COUNT [<ADDRESS>] SYMBOL",
                              "14: not a class line: \"99999999999999999999.00\" is not a time in µs with two decimals, in column "
                              "waittime-min"}));
    }

    void whatIsNone()
    {
        QCOMPARE(lines(""), QStringList("not a lock_stat text: it does not begin with \"lock_stat version\""));
        QCOMPARE(lines("lock_stat version 0.4\n"), QStringList("missing header line, which begins with \"class name\""));
        QVERIFY(!readLockStat("/nonexistent"));
        QVERIFY(!readLockStat("/"));
        QVERIFY(!readLockStat("/dev/zero")); // The file is refused, because /dev/zero has no end.
        std::string text = std::string("lock_stat version 0.4\n") + Header;
        for (int i = 0; i < 1000; ++i)
            text += "x\n";
        QCOMPARE(lines(text).size(), qsizetype(LockStat::MostProblems));
    }

    void placesAreOfTheClassesRightBeforeThem()
    {
        const std::string numbers = ": 1 2 0.10 0.20 0.30 0.15 4 5 0.40 0.50 0.90 0.18\n";
        const std::string place = " 1 [<12>] f+0x1/0x2\n";
        const auto stat = parseLockStat(std::string("lock_stat version 0.4\n") + Header + "a-W" + numbers + "a-R" + numbers + "---\na"
                                        + place + "---\na" + place + "....\nb-W" + numbers + "b" + numbers + "---\nb" + place + "....\na-R"
                                        + numbers + "---\na" + place + "c" + place);
        QVERIFY(stat && stat->problems.empty());
        QStringList all;
        for (std::size_t at = 0; at < stat->classes.size(); ++at) {
            QString line = QString::fromStdString(stat->classes[at].name);
            for (std::size_t point = 0; point < stat->points.size(); ++point)
                if (isOf(stat->points[point], *stat, at))
                    line += QString(" %1").arg(point);
            all << line;
        }
        // The last contention point is for class "c", which has no line of its own. It belongs to none of the classes.
        QCOMPARE(all, QStringList({"a-W 0 1", "a-R 0 1", "b-W", "b 2", "a-R 3"}));
    }

    /// Input: contention points below a damaged class line. Property: they are read, but belong to no class.
    void placesBelowADamagedClass()
    {
        const auto stat =
            parseLockStat(std::string("lock_stat version 0.4\n") + Header + "a: 1 2 0.10 0.20 0.30 0.15 4 5 0.40 0.50 0.90 0.18\n"
                          + "b: x\n---\nb 1 [<12>] f+0x1/0x2\n---\nb 2 [<12>] f+0x1/0x2\n");
        QVERIFY(bool(stat));
        QCOMPARE(stat->problems.size(), std::size_t(1));
        QCOMPARE(stat->points.size(), std::size_t(2));
        QVERIFY(!stat->points[0].holds && stat->points[1].holds);
        QVERIFY(!isOf(stat->points[0], *stat, 0));
    }

    void sums()
    {
        const auto stat = readLockStat(SOURCE_DIR "/tests/fixtures/lock_stat_0.4.txt");
        QVERIFY(bool(stat));
        std::vector<const LockStatClass*> all;
        for (const LockStatClass& it : stat->classes)
            all.push_back(&it);
        QVERIFY(sumOf(all) == (LockStatSum{66, Duration(15'143'080), 529'763, Duration(52'350'666'830)}));
        LockStatClass most;
        most.contentions = INT64_MAX;
        most.waits.total = Duration::max();
        all = {&most, &most, all[0]};
        QVERIFY(sumOf(all) == (LockStatSum{INT64_MAX, Duration::max(), 88'121, Duration(51'230'110'420)}));
        QVERIFY(sumOf({}) == LockStatSum());
    }

    void meansAreTheFilesOrAddedUp()
    {
        QVERIFY(meanOf({{}, {}, Duration(300), Duration(150)}, 3) == Duration(150));
        QVERIFY(meanOf({{}, {}, Duration(300), {}}, 3) == Duration(100));
        QVERIFY(!meanOf({{}, {}, Duration(0), {}}, 0));
    }

    /// Property: a line of megabytes is reported and skipped; its text is never shown in full.
    void longLinesAreNamedAndLeftOut()
    {
        const std::string numbers = ": 1 2 0.10 0.20 0.30 0.15 4 5 0.40 0.50 0.90 0.18\n";
        const std::string word(1 << 20, 'x');
        const auto stat =
            parseLockStat("lock_stat version " + word + '\n' + Header + word + numbers + "a: 1 " + word + '\n' + "b" + numbers);
        QVERIFY(bool(stat));
        QVERIFY(stat->version.size() < 10'000);
        QCOMPARE(
            lines(*stat),
            QStringList({"b: 1 of 2, 100 200 300 150; 4 of 5, 400 500 900 180", "3: the line is longer than any line of /proc/lock_stat",
                         "4: the line is longer than any line of /proc/lock_stat"}));
    }

    /// Input: one lock class more than the maximum that is read. Property: the last class is skipped, and a problem is reported.
    void tooMany()
    {
        std::string text = std::string("lock_stat version 0.4\n") + Header;
        for (std::size_t i = 0; i <= LockStat::MostClasses; ++i)
            text += "a: 1 2 0.10 0.20 0.30 0.15 4 5 0.40 0.50 0.90 0.18\n";
        const auto stat = parseLockStat(text);
        QVERIFY(bool(stat));
        QCOMPARE(stat->classes.size(), LockStat::MostClasses);
        QCOMPARE(stat->problems.size(), std::size_t(1));
        QCOMPARE(stat->problems[0].what, "too many classes: the line is skipped");
    }

    /// Input: a text that is cut at every position. Property: complete lines before the cut are read.
    void truncatedTextIsReadUpToTheCut()
    {
        QFile file(SOURCE_DIR "/tests/fixtures/lock_stat_0.4.txt");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string whole = file.readAll().toStdString();
        std::size_t classes = 0;
        for (std::size_t size = 0; size <= whole.size(); ++size) {
            const auto stat = parseLockStat(std::string_view(whole).substr(0, size));
            if (!stat)
                continue;
            QVERIFY(stat->classes.size() >= classes && stat->problems.size() <= 1);
            classes = stat->classes.size();
        }
        QCOMPARE(classes, std::size_t(4));
    }
};

HELIO_TEST(LockStatTest)

#include "tst_lock_stat.moc"
