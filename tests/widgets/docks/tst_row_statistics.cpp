#include "core/experiment/timeline.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/facts.h"
#include "tests/support/fake_trace.h"
#include "tests/support/opened_text.h"
#include "tests/support/run_times.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/docks/statistics/row_statistics.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <numeric>

using namespace helio;

class RowStatisticsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_timeline = test::sampleTimeline();
        QVERIFY(m_timeline);
    }

    void thePartsOfAThreadAreItsLifeInTheRange()
    {
        const TimeRange full = rangeOf(*m_timeline);
        const TimeRange range{full.begin + full.duration() / 5, full.begin + full.duration() / 3};

        const auto lines = rowStatistics(*m_timeline, range, {});

        QVERIFY(lines.size() > 3);
        const auto all = rows(*m_timeline, "control-flow");
        for (const RowStatistics& line : lines) {
            const auto row = std::ranges::find(all, line.track, &Row::ref);
            QVERIFY(row != all.end());
            Duration sum{};
            for (const auto& part : line.parts)
                sum += part.total;
            QCOMPARE(sum.count(), row->life.clippedTo(range).duration().count());
        }
    }

    /// Input: a log of ltrace, which has no names of threads. Property: the thread has the name that its row in the panels has; its TID is
    /// in a column of its own.
    void threadsWithoutNamesAreNamedLikeTheirRows()
    {
        const OpenedText opened("5 1700000000.000000 SYS_brk(0) = 0x10 <0.001000>\n5 1700000000.002000 SYS_close(1) = 0 <0.001000>\n",
                                "log.ltrace");
        QVERIFY2(opened.timeline, opened.error.c_str());
        const auto lines = rowStatistics(*opened.timeline, rangeOf(*opened.timeline), {});
        QCOMPARE(lines.size(), std::size_t(1));
        QCOMPARE(lines.front().name, QString("Thread"));
        QCOMPARE(lines.front().tid, 5);
    }

    void timeOnTheCpusIsNotMoreThanThereIs()
    {
        const TimeRange full = rangeOf(*m_timeline);

        Duration sum{};
        for (const RowStatistics& line : rowStatistics(*m_timeline, full, {}))
            sum += line.onCpu;

        const auto hosts = hostFacts(*m_timeline);
        QVERIFY(sum.count() > 0);
        QVERIFY(sum <= full.duration() * int(hosts.front().cpus));
    }

    void whatIsUnknownInARecordingOfSomeThreadsMakesTheRestTheLeast()
    {
        const TimeRange range = rangeOf(*m_timeline);
        Timeline part = *m_timeline;
        TraceInfo info = part.traces[0].trace->info();
        info.part.threads = {1};
        part.traces[0].trace =
            std::make_shared<test::FakeTrace>(info, std::vector<std::string>{}, std::vector<std::vector<test::FakeEvent>>{});
        int unknowns = 0;
        for (const RowStatistics& line : rowStatistics(part, range, {})) {
            const bool hasUnknown =
                std::ranges::any_of(line.parts, [](const auto& it) { return it.state->meaning == StateCategory::Unknown; });
            unknowns += hasUnknown;
            QCOMPARE(line.isLowerBound, hasUnknown);
        }
        QVERIFY(unknowns > 0);
        for (const RowStatistics& line : rowStatistics(*m_timeline, range, {}))
            QVERIFY(!line.isLowerBound);
    }

    /// Input: a recording without switches from idle threads, in which CPU 1's thread is hardly ever known. Property: times are lower
    /// bounds, although no events were lost.
    void whereSwitchesAreMissingTimeIsTheLeastThereWas()
    {
        const auto timeline = test::timelineOf("tests/fixtures/perf/group-unseen.data");
        QVERIFY(timeline);
        QVERIFY(losses(*timeline, rangeOf(*timeline)).empty());
        int unknowns = 0;
        for (const RowStatistics& line : rowStatistics(*timeline, rangeOf(*timeline), {})) {
            const bool hasUnknown =
                std::ranges::any_of(line.parts, [](const auto& it) { return it.state->meaning == StateCategory::Unknown; });
            unknowns += hasUnknown && line.onCpu > Duration(0);
            QCOMPARE(line.isLowerBound, hasUnknown);
        }
        QVERIFY(unknowns > 1);
    }

    void timeOnTheCpusIsAlsoKnownAtANominalFrequency()
    {
        const auto events = test::madeScheduling(3000, 9);
        const QTemporaryDir folder;
        QVERIFY(test::writeScheduling(folder.filePath("kernel"), events));
        const auto timeline = test::timelineOf(qPrintable(folder.filePath("kernel")));
        QVERIFY(timeline);
        const NominalTimes times(*timeline);

        auto lines = rowStatistics(*timeline, rangeOf(*timeline), {}, {}, false, &times);

        const auto derived = test::computeRunTimes(events);
        const auto highest = test::highestFrequencies(events);
        std::size_t threads = 0;
        for (const RowStatistics& line : lines) {
            QVERIFY(line.nominal);
            const auto ran = derived.find(line.tid);
            if (ran == derived.end())
                continue;
            ++threads;
            QCOMPARE(line.onCpu.count(), ran->second.total);
            QCOMPARE(line.nominal->known.count(), ran->second.total - ran->second.unknown);
            QVERIFY(std::abs(double(line.nominal->atNominal().count()) - test::computeNominalTime(ran->second, highest)) <= 1);
        }
        QCOMPARE(threads, derived.size());
        sortStatistics(lines, {StatisticsOrder::Nominal, true});
        QVERIFY(std::ranges::is_sorted(lines, std::ranges::greater(), [](const RowStatistics& line) { return line.nominal->ns; }));
        for (const RowStatistics& line : rowStatistics(*timeline, rangeOf(*timeline), {}))
            QVERIFY(!line.nominal);
    }

    void sumsOfProcessesAndNamesAddUpTheirThreads()
    {
        const TimeRange range = rangeOf(*m_timeline);
        const auto lines = rowStatistics(*m_timeline, range, {});
        std::map<TrackRef, Row> rows;
        for (const Row& row : threads(*m_timeline))
            rows.emplace(row.ref, row);
        // Expected time in each state. Keys of expected[0]: PID and name of the state. Keys of expected[1]: 0 and "THREAD/STATE".
        std::map<std::pair<std::int32_t, std::string>, Duration> expected[2];
        for (const RowStatistics& line : lines) {
            const Row& row = rows.at(line.track);
            for (const auto& part : line.parts) {
                expected[0][{row.pid, part.state->name}] += part.total;
                expected[1][{0, row.label + '/' + part.state->name}] += part.total;
            }
        }

        const auto processes = sumStatistics(*m_timeline, lines, StatisticsSum::Process);
        const auto names = sumStatistics(*m_timeline, lines, StatisticsSum::ThreadName);

        QVERIFY(std::ranges::any_of(processes, [](const RowStatistics& line) { return line.threads > 1; }));
        QVERIFY(processes.size() < lines.size() && names.size() < lines.size());
        decltype(expected) summed;
        for (const RowStatistics& line : processes)
            for (const auto& part : line.parts)
                summed[0][{line.tid, part.state->name}] += part.total;
        for (const RowStatistics& line : names)
            for (const auto& part : line.parts)
                summed[1][{0, line.name.toStdString() + '/' + part.state->name}] += part.total;
        QCOMPARE(summed[0], expected[0]);
        QCOMPARE(summed[1], expected[1]);
        for (const RowStatistics& line : processes) {
            QCOMPARE(rows.at(line.track).pid, line.tid);
            QCOMPARE(std::accumulate(line.parts.begin(), line.parts.end(), Duration(),
                                     [](Duration sum, const auto& part) { return sum + part.total; }),
                     line.covered);
        }
        QCOMPARE(sumStatistics(*m_timeline, lines, StatisticsSum::Row).size(), lines.size());
    }

    void theBusiestComesFirst()
    {
        const auto lines = rowStatistics(*m_timeline, rangeOf(*m_timeline), {});

        for (std::size_t i = 1; i < lines.size(); ++i)
            QVERIFY(lines[i - 1].onCpu >= lines[i].onCpu);
    }

    void samplesShowWhatStatesDoNot()
    {
        const auto timeline = test::timelineOf("tests/fixtures/perf/fp.data");
        QVERIFY(timeline);
        const TimeRange range{rangeOf(*timeline).begin, rangeOf(*timeline).end + Duration(1)};
        std::uint64_t samples = 0;
        for (const RowStatistics& line : rowStatistics(*timeline, range, {})) {
            samples += line.samples;
            Duration sum{};
            for (const auto& part : line.parts)
                sum += part.total;
            QVERIFY(line.samples == 0 || line.onCpu > Duration(0));
            QVERIFY(line.onCpu <= sum && sum <= range.duration());
            QVERIFY(line.samples == 0 || line.parts[0].total + line.parts[1].total == line.onCpu);
        }
        QCOMPARE(samples, sampleKinds(*timeline).front().samples);
    }

    void timeBesideLostEventsIsTheLeastThereWas()
    {
        const auto lossy = test::timelineOf("tests/fixtures/lossy-small");
        QVERIFY(lossy);
        const auto isLowerBound = [](const RowStatistics& line) { return line.isLowerBound; };

        const auto lines = rowStatistics(*lossy, rangeOf(*lossy), {});

        QVERIFY(std::ranges::any_of(lines, isLowerBound));
        QVERIFY(!std::ranges::all_of(lines, isLowerBound)); // The times of threads that slept while events were lost are exact.
        QVERIFY(std::ranges::none_of(rowStatistics(*m_timeline, rangeOf(*m_timeline), {}), isLowerBound));
    }

    void threadsOfUnknownStatesAreNotSaidToRest()
    {
        const auto user = test::timelineOf("tests/fixtures/ust-callstack/ust");
        QVERIFY(user);
        const auto lines = rowStatistics(*user, rangeOf(*user), {});
        QVERIFY(!lines.empty());
        for (const RowStatistics& line : lines)
            QVERIFY(line.isUnknown());
        QVERIFY(std::ranges::any_of(rowStatistics(*m_timeline, rangeOf(*m_timeline), {}),
                                    [](const RowStatistics& line) { return line.isInactive() && !line.isUnknown(); }));
        QCOMPARE(omittedRowsText(0, 0), QString());
        QCOMPARE(omittedRowsText(1, 0), QString("1 idle thread hidden"));
        QCOMPARE(omittedRowsText(2, 6), QString("2 idle threads hidden, 6 threads have no state data"));
        QCOMPARE(omittedRowsText(0, 6), QString("6 threads have no state data"));
    }

    void theRangeOfALineIsWhatItsTraceHas()
    {
        Timeline longer = *m_timeline;
        const Duration own = rangeOf(*m_timeline).duration();
        longer.range.end += own;
        for (const RowStatistics& line : rowStatistics(longer, longer.range, {}))
            QCOMPARE(line.covered, own);
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
};

HELIO_TEST(RowStatisticsTest)
#include "tst_row_statistics.moc"
