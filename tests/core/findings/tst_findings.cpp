// Findings: causes that were put into made recordings are found, with the numbers that they have; recordings without a cause have none.

#include "core/findings/finder.h"
#include "core/findings/finding_changes.h"
#include "core/findings/findings.h"
#include "core/findings/window_parts.h"
#include "tests/support/dice.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/simulated_scheduling.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <queue>

#include <cmath>
#include <deque>

using namespace helio;
using test::Simulation;

namespace {

constexpr qint64 Ms = 1'000'000;

Findings findingsOf(const Simulation& simulation, TimeRange window = {Timestamp::min(), Timestamp::max()})
{
    const QTemporaryDir folder;
    if (!test::writeScheduling(folder.filePath("trace"), simulation.events(), false))
        qFatal("not written");
    const test::OpenedExperiment opened({std::filesystem::path(folder.filePath("trace").toStdString())});
    return collectFindings({opened.timeline, window, {}, {}});
}

const Finding* findOf(const Findings& findings, std::string_view finder)
{
    const auto found = std::ranges::find(findings.all, finder, &Finding::finder);
    return found == findings.all.end() ? nullptr : &*found;
}

} // namespace

class FindingsTest : public QObject {
    Q_OBJECT

private slots:
    void quietRecordingsHaveNoFindings()
    {
        constexpr int Recordings = 200;
        int with = 0;
        for (quint64 seed = 1; seed <= Recordings; ++seed) {
            const Findings findings = findingsOf({.seed = seed, .threads = 6 + int(seed % 8)});
            with += !findings.all.empty();
            for (const Finding& it : findings.all)
                qInfo("seed %llu: %s: %s", static_cast<unsigned long long>(seed), it.finder.c_str(), it.text.c_str());
        }
        QVERIFY2(with <= Recordings / 100, qPrintable(QString::number(with)));
    }

    void saturatedCpusAreFound()
    {
        const Findings findings = findingsOf({.cpus = 2, .threads = 8, .runMs = 3, .sleepMs = 0.5});
        const Finding* const found = findOf(findings, "cpu-saturation");
        QVERIFY(found);
        QVERIFY2(QString::fromStdString(found->text).startsWith("Both CPUs were 99 % busy for 2 s; 8 threads waited "),
                 found->text.c_str());
        QVERIFY(found->explained > std::chrono::milliseconds(1'900));
        QVERIFY(found->explained <= std::chrono::milliseconds(2'000));
        QCOMPARE(found->rows.size(), std::size_t(8));
    }

    /// Property: CPUs and threads of a host that are in two recordings of the same time are counted once.
    void saturatedCpusOfTwoRecordingsAreCountedOnce()
    {
        const QTemporaryDir folder;
        const Simulation simulation{.cpus = 2, .threads = 8, .runMs = 3, .sleepMs = 0.5};
        std::vector<std::filesystem::path> paths;
        for (const char* name : {"a", "b"}) {
            QVERIFY(test::writeScheduling(folder.filePath(name), simulation.events(), false));
            paths.emplace_back(folder.filePath(name).toStdString());
        }
        const test::OpenedExperiment opened(paths);
        QCOMPARE(opened.timeline->hosts.size(), std::size_t(1));
        const Findings findings = collectFindings({opened.timeline, {Timestamp::min(), Timestamp::max()}, {}, {}});
        const Finding* const found = findOf(findings, "cpu-saturation");
        QVERIFY(found);
        QVERIFY2(QString::fromStdString(found->text).startsWith("Both CPUs were 99 % busy for 2 s; 8 threads waited "),
                 found->text.c_str());
        QCOMPARE(found->rows.size(), std::size_t(8));
    }

    void oneLongWaitIsFound()
    {
        QVERIFY(!findOf(findingsOf({.seed = 3}), "scheduling-tail"));
        const Findings findings = findingsOf({.seed = 3, .longWait = 40 * Ms});
        const Finding* const found = findOf(findings, "scheduling-tail");
        QVERIFY(found);
        QVERIFY2(QString::fromStdString(found->text).startsWith("1 of "), found->text.c_str());
        QVERIFY2(QString::fromStdString(found->detail).startsWith("worst: t101 (101), 4"), found->detail.c_str());
        QVERIFY(found->explained >= std::chrono::milliseconds(40));
        QCOMPARE(found->evidence.size(), std::size_t(1));
        QCOMPARE(found->evidence.front().range.duration(), found->explained);
    }

    void onlyTheWindowCounts()
    {
        const Simulation simulation{.seed = 3, .longWait = 40 * Ms};
        const Timestamp begin = timestamp(1'700'000'000'000'000'000);
        const Findings findings = findingsOf(simulation, {begin, begin + std::chrono::milliseconds(900)});
        QVERIFY(!findOf(findings, "scheduling-tail"));
    }

    void findersWithoutEventsAreNamed()
    {
        const Findings findings = findingsOf({.length = 100 * Ms});
        QVERIFY(std::ranges::find(findings.unable, "Memory", &UnableFinder::title) != findings.unable.end());
        QVERIFY(std::ranges::find(findings.unable, "Scheduling tail", &UnableFinder::title) == findings.unable.end());
        QVERIFY(!std::ranges::find(findings.unable, "Memory", &UnableFinder::title)->command.empty());
        QCOMPARE(findings.quality.size(), std::size_t(1));
        QVERIFY(!findings.quality.front().isProblem);
    }

    void changesAreNewAndGoneFindings()
    {
        const TimeRange window{timestamp(0), timestamp(2'000 * Ms)};
        const WindowFindings quiet{findingsOf({.seed = 3}), window}, loud{findingsOf({.seed = 3, .longWait = 40 * Ms}), window};
        const auto wordsOf = [](const std::vector<FindingChange>& changes) {
            QStringList words;
            for (const FindingChange& it : changes)
                words << QString("%1 %2").arg(it.word(), it.shown().finder.c_str());
            return words.join(", ");
        };
        QCOMPARE(wordsOf(compareFindings(quiet, loud)), QString("new scheduling-tail"));
        QCOMPARE(wordsOf(compareFindings(loud, quiet)), QString("gone scheduling-tail"));
        QCOMPARE(wordsOf(compareFindings(loud, loud)), QString());
    }

    /// Property: findings with the same subject correspond to each other, and only clear changes of their shares are listed.
    void changesOfTheSameFindingAreShares()
    {
        const TimeRange window{timestamp(0), timestamp(1'000)}, twice{timestamp(0), timestamp(2'000)};
        const auto withShares = [](Duration fsync, Duration sync) {
            Findings findings;
            for (const auto& [name, explained] : {std::pair("fsync", fsync), std::pair("sync", sync)}) {
                Finding finding;
                finding.finder = "slow-storage";
                finding.subject = name;
                finding.explained = explained;
                findings.all.push_back(finding);
            }
            return findings;
        };
        const auto changes =
            compareFindings({withShares(Duration(100), Duration(500)), window}, {withShares(Duration(500), Duration(1'050)), twice});
        QCOMPARE(changes.size(), std::size_t(1)); // The share of sync grew from 50 % to 52.5 %.
        QCOMPARE(changes.front().shown().subject, std::string("fsync"));
        QCOMPARE(QString(changes.front().word()), QString("more"));
        QCOMPARE(changes.front().shareBefore, 0.1);
        QCOMPARE(changes.front().shareAfter, 0.25);
    }

    void findingsComeOneFinderAfterTheOther()
    {
        const QTemporaryDir folder;
        QVERIFY(test::writeScheduling(folder.filePath("trace"), Simulation{.seed = 3, .longWait = 40 * Ms}.events(), false));
        const test::OpenedExperiment opened({std::filesystem::path(folder.filePath("trace").toStdString())});
        std::vector<std::size_t> done;
        std::size_t last = 0;
        const auto progress = [&](const Findings& soFar) {
            done.push_back(soFar.done);
            QVERIFY(soFar.all.size() >= last);
            last = soFar.all.size();
        };
        const Findings findings = collectFindings({opened.timeline, {Timestamp::min(), Timestamp::max()}, {}, {}}, progress);
        QCOMPARE(done.size(), builtinFinders().size());
        QVERIFY(std::ranges::is_sorted(done));
        QCOMPARE(findings.done, builtinFinders().size());
        QCOMPARE(findings.all.size(), last);
    }

    void stopsAreObeyed()
    {
        const QTemporaryDir folder;
        QVERIFY(test::writeScheduling(folder.filePath("trace"), Simulation{}.events(), false));
        const test::OpenedExperiment opened({std::filesystem::path(folder.filePath("trace").toStdString())});
        std::stop_source stop;
        std::size_t first = 0;
        const auto progress = [&](const Findings& soFar) {
            if (!stop.stop_requested())
                first = soFar.done;
            stop.request_stop();
        };
        const Findings findings = collectFindings({opened.timeline, {Timestamp::min(), Timestamp::max()}, {}, stop.get_token()}, progress);
        QVERIFY(findings.isStopped);
        QCOMPARE(first, std::size_t(1));
        QVERIFY(findings.done < builtinFinders().size());
        QVERIFY(findings.quality.empty());
    }

    void overlappingOccurrencesCountOnce()
    {
        Occurrences occurrences;
        const auto add = [&](int begin, int end) { occurrences.add({timestamp(begin), timestamp(end)}, {}); };
        add(10, 20);
        add(15, 18);
        add(30, 40);
        add(5, 12);
        QCOMPARE(occurrences.covered(), Duration(25));
        QCOMPARE(occurrences.total(), Duration(30));
        Finding finding;
        occurrences.fill(finding, [](const Occurrences::Occurrence&) { return std::string("x"); });
        QCOMPARE(nanoseconds(finding.range.begin), std::int64_t(5));
        QCOMPARE(nanoseconds(finding.range.end), std::int64_t(40));
        QCOMPARE(finding.occurrences, std::uint64_t(4));
        QCOMPARE(nanoseconds(finding.evidence.front().range.begin), std::int64_t(5));
    }

    void partsCoverTheWindow()
    {
        Dice dice(7);
        for (int round = 0; round < 200; ++round) {
            const auto begin = std::int64_t(dice.below(1'000'000'000'000)), length = 1 + std::int64_t(dice.below(200'000'000'000));
            const WindowParts parts({timestamp(begin), timestamp(begin + length)});
            QCOMPARE(parts[0].begin, timestamp(begin));
            QCOMPARE(parts[parts.count() - 1].end, timestamp(begin + length));
            for (std::size_t i = 0; i < parts.count(); ++i) {
                QVERIFY(i == 0 || parts[i - 1].end == parts[i].begin);
                QCOMPARE(parts.indexOf(parts[i].begin), i);
                QCOMPARE(parts.indexOf(parts[i].end - Duration(1)), i);
            }
            QCOMPARE(parts.rangesOf([](std::size_t) { return true; }).count(), std::uint64_t(1));
        }
    }

    void numbersHaveThreeDigits_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        test::addRow("nothing", qint64(0), QString("0 ns"));
        test::addRow("ns", qint64(999), QString("999 ns"));
        test::addRow("us", qint64(1'000), QString("1 µs"));
        test::addRow("rounded up to the next unit", qint64(999'960), QString("1 ms"));
        test::addRow("ms", qint64(39'695'401), QString("39.7 ms"));
        test::addRow("ten", qint64(10'000'000), QString("10 ms"));
        test::addRow("hundreds", qint64(249'930'000), QString("250 ms"));
        test::addRow("seconds", qint64(8'403'896'344), QString("8.4 s"));
    }
    void numbersHaveThreeDigits()
    {
        QFETCH(qint64, ns);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(shortDuration(Duration(ns))), text);
    }
};

HELIO_TEST(FindingsTest)
#include "tst_findings.moc"
