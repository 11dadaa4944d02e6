// Property: the output of counters --ratio equals quotients computed from perf script's samples.

#include "tests/app/cli/program.h"
#include "tests/support/perf_samples.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace helio;

namespace {

const QString Group = SOURCE_DIR "/tests/fixtures/perf/group.data";

/// Total count of an event over time: one point for each sample, with linear interpolation between two points.
struct Total {
    std::vector<std::pair<std::int64_t, double>> points;

    double at(std::int64_t time) const
    {
        const auto next = std::ranges::lower_bound(points, time, {}, [](const auto& it) { return it.first; });
        if (next == points.begin() || next->first == time)
            return next->second;
        const auto before = std::prev(next);
        return before->second + (next->second - before->second) * double(time - before->first) / double(next->first - before->first);
    }
};

/// Totals of the fixture's only thread, by event.
std::map<std::string, Total> totals()
{
    std::map<std::string, Total> all;
    for (const PrintedSample& it : readPerfScript(SOURCE_DIR "/tests/fixtures/perf/group.script.txt")) {
        auto& points = all[it.event].points;
        points.emplace_back(it.time, (points.empty() ? 0 : points.back().second) + double(it.period));
    }
    return all;
}

std::int64_t clockOffset() { return openPerfData(Group.toStdString())->info().clock.offset; }

} // namespace

class CounterRatiosTest : public QObject {
    Q_OBJECT

private slots:
    void aRatioIsOfAllThatBothCountersKnow()
    {
        const auto all = totals();
        const Total& faults = all.at("page-faults");
        const Total& clock = all.at("cpu-clock");
        const std::int64_t begin = std::max(faults.points.front().first, clock.points.front().first);
        const std::int64_t end = std::min(faults.points.back().first, clock.points.back().first);
        const double expected = (faults.at(end) - faults.at(begin)) / ((clock.at(end) - clock.at(begin)) / 1e9);

        const ProgramResult answer =
            heliograph({"counters", Group, "--view", "counters-thread", "--ratio", "page-faults / cpu-clock", "--format", "csv"});

        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.lines().size(), 2);
        const auto cells = answer.lines()[1].split(',');
        QCOMPARE(cells[0].toLongLong(), begin + clockOffset());
        QVERIFY(cells[2].startsWith("tid:"));
        QCOMPARE(cells[3], "page-faults / cpu-clock");
        QVERIFY(std::abs(cells[4].toDouble() / expected - 1) < 1e-9);
    }

    void stepsAreRatiosOfTheirOwn()
    {
        const auto all = totals();
        const Total& faults = all.at("page-faults");
        const Total& clock = all.at("cpu-clock");
        const std::int64_t begin = std::max(faults.points.front().first, clock.points.front().first);
        const std::int64_t end = std::min(faults.points.back().first, clock.points.back().first);
        const std::int64_t step = 7'000'000;

        const ProgramResult answer = heliograph(
            {"counters", Group, "--ratio", "cpu_clock / \"page-faults\"", "--view", "counters-thread", "--step", "7ms", "--format", "csv"});

        QCOMPARE(answer.status, 0);
        int lines = 0;
        std::int64_t last = 0;
        for (const QByteArray& line : answer.lines().mid(1)) {
            const auto cells = line.split(',');
            const std::int64_t at = cells[0].toLongLong() - clockOffset();
            QVERIFY(++lines == 1 || (at - last) % step == 0);
            last = at;
            const std::int64_t from = std::max(at, begin);
            const std::int64_t to = std::min(at + step, end);
            const double expected = (clock.at(to) - clock.at(from)) / 1e9 / (faults.at(to) - faults.at(from));
            QVERIFY2(std::abs(cells.back().toDouble() / expected - 1) < 1e-9, line);
        }
        QVERIFY(lines > 3);
    }

    void whatIsWrongIsSaid()
    {
        const auto complaint = [](const QStringList& more) {
            const ProgramResult answer = heliograph(QStringList{"counters", Group, "--quiet"} + more);
            return answer.status == 2 ? answer.err : QByteArray("status ") + QByteArray::number(answer.status);
        };
        QVERIFY(complaint({"--ratio", "cycles / page-faults"})
                    .contains("no single counter is named \"cycles\"; there are: cpu-clock, page-faults"));
        QVERIFY(complaint({"--ratio", "a /"}).contains("--ratio: column 4: expected a value"));
        QVERIFY(complaint({"--by-state"}).contains("--ratio FORMULA"));
        QVERIFY(complaint({"--ratio", "a", "--by-state", "--step", "1ms"}).contains("--by-state"));
    }
};

HELIO_TEST(CounterRatiosTest)
#include "tst_counter_ratios.moc"
