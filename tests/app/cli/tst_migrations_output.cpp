// Property: the output of migrations equals results that the test computes from the events.

#include "tests/app/cli/program.h"
#include "tests/support/made_scheduling.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <cmath>
#include <map>
#include <optional>

using namespace helio;
using namespace helio::test;

namespace {

using Event = MadeSchedulingEvent;

/// The last switch-out of a thread.
struct Left {
    int cpu = 0; ///< CPU that the thread left.
    qint64 at = 0;
    std::optional<qint64> runnableSince;
};

struct Line {
    qint64 count = 0, off = 0, wait = 0, longest = 0;
    std::vector<std::array<double, 3>> measured; ///< Instructions, cycles and seconds after each switch-in that could be measured.
};

const char* distanceOf(int a, int b)
{
    return a == b ? "same-cpu" : a / 2 == b / 2 && a < 2 ? "same-core" : a / 3 == b / 3 ? "same-package" : "other-package";
}

/// Returns the instructions, cycles and seconds of the CPU in the first `first` ns after a switch-in, as long as the thread keeps the CPU.
/// The end of this time lies between two readings of the counters: the values are interpolated if the readings are at most a quarter of
/// `first` apart; otherwise they end at the earlier reading. Empty if less than half of `first` is covered.
std::optional<std::array<double, 3>> countedFirst(const std::vector<Event>& events, std::size_t from, qint64 first)
{
    const Event& begin = events[from];
    std::vector<const Event*> readings;
    for (std::size_t i = from; i < events.size(); ++i)
        if (events[i].cpu == begin.cpu) {
            readings.push_back(&events[i]);
            if (i != from && (events[i].kind == Event::Switch || events[i].time >= begin.time + first))
                break;
        }
    const qint64 until = std::min(begin.time + first, readings.back()->time);
    const Event& after = *readings.back();
    const Event& before = after.time <= until || readings.size() < 2 ? after : *readings[readings.size() - 2];
    const bool isEven = after.time - before.time <= first / 4;
    const qint64 to = after.time == until ? until : isEven ? until : before.time;
    if (2 * (to - begin.time) < first)
        return {};
    const double part = after.time > before.time ? double(to - before.time) / double(after.time - before.time) : 0;
    const auto at = [&](quint64 a, quint64 b) { return double(a) + part * double(b - a); };
    return {{at(before.instructions, after.instructions) - double(begin.instructions),
             at(before.cycles, after.cycles) - double(begin.cycles), double(to - begin.time) / 1e9}};
}

/// Returns the expected lines of the command's output, computed event by event. Key: TID, and distance between the thread's previous and
/// new CPU ("same-core").
std::map<std::pair<int, std::string>, Line> derived(const std::vector<Event>& events, qint64 first)
{
    std::map<std::pair<int, std::string>, Line> lines;
    std::map<int, Left> left;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Event& it = events[i];
        if (it.kind == Event::Wakeup) {
            if (const auto sleeper = left.find(it.a); sleeper != left.end() && !sleeper->second.runnableSince)
                sleeper->second.runnableSince = it.time;
            continue;
        }
        if (it.kind != Event::Switch)
            continue;
        if (const auto before = left.find(it.c); before != left.end() && it.c != 0) {
            Line& line = lines[{it.c, distanceOf(before->second.cpu, it.cpu)}];
            const qint64 wait = it.time - *before->second.runnableSince;
            ++line.count;
            line.off += it.time - before->second.at;
            line.wait += wait;
            line.longest = std::max(line.longest, wait);
            if (const auto counts = countedFirst(events, i, first))
                line.measured.push_back(*counts);
        }
        if (it.a != 0)
            left[it.a] = {it.cpu, it.time, it.b == 0 ? std::optional(it.time) : std::nullopt};
        left.erase(it.c);
    }
    return lines;
}

/// An estimate from n values; its standard error is computed by omitting each value in turn (jackknife).
struct Estimate {
    double value = 0, error = 0;
};
template <typename Without> Estimate estimateOf(std::size_t n, const Without& without)
{
    double mean = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i)
        mean += without(i) / double(n);
    for (std::size_t i = 0; i < n; ++i)
        squares += (without(i) - mean) * (without(i) - mean);
    return {without(n), std::sqrt(double(n - 1) / double(n) * squares)};
}

/// Returns the ratio of two sums over the measured switch-ins of a line, with the ratio's error. `over` and `under` select the sums: 0 for
/// instructions, 1 for cycles, 2 for seconds.
Estimate ratioOf(const Line& line, int over, int under)
{
    return estimateOf(line.measured.size(), [&](std::size_t skipped) {
        double a = 0, b = 0;
        for (std::size_t i = 0; i < line.measured.size(); ++i)
            if (i != skipped) {
                a += line.measured[i][std::size_t(over)];
                b += line.measured[i][std::size_t(under)];
            }
        return a / b;
    });
}

/// Instructions per cycle over all threads' lines; the error is computed by omitting each thread in turn.
Estimate ratioOfAll(const std::vector<Line>& threads)
{
    return estimateOf(threads.size(), [&](std::size_t skipped) {
        Line sum;
        for (std::size_t i = 0; i < threads.size(); ++i)
            if (i != skipped)
                sum.measured.insert(sum.measured.end(), threads[i].measured.begin(), threads[i].measured.end());
        return ratioOf(sum, 0, 1).value;
    });
}

/// Returns the mean difference between a thread's instructions per cycle after migrations over `distance` and without migrations, weighted
/// by the number of measurements. Empty if no thread has at least ten measurements of each.
std::optional<Estimate> differenceOf(const std::map<std::pair<int, std::string>, Line>& lines, const std::string& distance)
{
    struct Own {
        double weight = 0;
        Estimate difference;
    };
    std::vector<Own> all;
    if (distance == "same-cpu")
        return {};
    for (const auto& [key, line] : lines) {
        const auto stayed = lines.find({key.first, "same-cpu"});
        if (key.second != distance || stayed == lines.end() || line.measured.size() < 10 || stayed->second.measured.size() < 10)
            continue;
        const Estimate a = ratioOf(line, 0, 1), b = ratioOf(stayed->second, 0, 1);
        all.push_back({double(line.measured.size()), {a.value - b.value, std::hypot(a.error, b.error)}});
    }
    if (all.size() == 1)
        return all.front().difference;
    if (all.empty())
        return {};
    return estimateOf(all.size(), [&](std::size_t skipped) {
        double weight = 0, sum = 0;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (i != skipped) {
                weight += all[i].weight;
                sum += all[i].weight * all[i].difference.value;
            }
        return sum / weight;
    });
}

/// Threads with constant instructions per cycle, each on CPU 0 or 1 for 60 us at a time.
class SteadyThreads {
public:
    /// Lets the thread run `count` times. With `isMoving`, the thread changes between CPU 0 and CPU 1 each time; otherwise, it stays on the
    /// CPU where it ran last.
    SteadyThreads& run(int tid, double perCycle, int count, bool isMoving)
    {
        for (int i = 0; i < count; ++i) {
            const int cpu = m_at[tid] = isMoving ? 1 - m_at[tid] : m_at[tid];
            add(cpu, 0, tid);
            m_instructions[std::size_t(cpu)] += quint64(179'900 * perCycle) - 10;
            m_cycles[std::size_t(cpu)] += 179'900;
            m_now += 60'000;
            add(cpu, tid, 0);
            m_now += 10'000;
        }
        return *this;
    }
    std::vector<Event> events;

private:
    void add(int cpu, int from, int to)
    {
        for (const std::size_t i : {0, 1}) { // The counters of both CPUs grow with each event.
            m_instructions[i] += 10;
            m_cycles[i] += 100;
        }
        events.push_back({m_now, cpu, Event::Switch, from, 0, to, m_instructions[std::size_t(cpu)], m_cycles[std::size_t(cpu)]});
    }

    qint64 m_now = 1'700'000'000'000'000'000;
    std::map<int, int> m_at;
    std::array<quint64, 2> m_instructions{}, m_cycles{};
};

/// True if the printed number equals the expected one, except for rounding of numbers as large as `scale`.
bool isNear(const QByteArray& printed, double expected, double scale)
{
    return std::abs(printed.toDouble() - expected) <= 1e-7 * std::abs(scale);
}

QString written(const QTemporaryDir& folder, const std::vector<Event>& events, bool hasCounters = true)
{
    const QString path = folder.filePath("kernel");
    if (!writeScheduling(path, events, hasCounters))
        qFatal("cannot write");
    return path;
}

} // namespace

class MigrationsOutputTest : public QObject {
    Q_OBJECT

private slots:
    void linesAreWhatTheEventsSay_data()
    {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<QString>("ratio");
        QTest::addColumn<int>("under");
        for (const quint64 seed : {1, 2}) {
            QTest::addRow("instructions a cycle, seed %d", int(seed)) << seed << QString() << 1;
            QTest::addRow("instructions a second, seed %d", int(seed)) << seed << QStringLiteral("instructions / time") << 2;
        }
    }
    void linesAreWhatTheEventsSay()
    {
        QFETCH(quint64, seed);
        QFETCH(QString, ratio);
        QFETCH(int, under);
        const auto events = madeScheduling(4000, seed);
        const QTemporaryDir folder;
        QStringList arguments{"migrations", written(folder, events), "--format", "csv", "--first", "40us"};
        if (!ratio.isEmpty())
            arguments << "--ratio" << ratio;

        const ProgramResult answer = heliograph(arguments);

        QCOMPARE(answer.status, 0);
        auto expected = derived(events, 40'000);
        const auto rows = csvRows(answer);
        QCOMPARE(std::size_t(rows.size()), expected.size());
        QVERIFY(expected.size() > 20);
        const QByteArray name = ratio.isEmpty() ? QByteArray("instructions / cycles") : ratio.toUtf8();
        bool isDifferenceSeen = false;
        for (const CsvRow& row : rows) {
            const int tid = row["tid"].toInt();
            const Line& line = expected.at({tid, row["distance"].toStdString()});
            QCOMPARE(row["count"].toLongLong(), line.count);
            QCOMPARE(row["off_ns"].toLongLong(), line.off);
            QCOMPARE(row["waits"].toLongLong(), line.count);
            QCOMPARE(row["wait_ns"].toLongLong(), line.wait);
            QCOMPARE(row["wait_max_ns"].toLongLong(), line.longest);
            QCOMPARE(row["measured"].toULongLong(), quint64(line.measured.size()));
            QCOMPARE(row[name].isEmpty(), line.measured.size() < 10);
            if (line.measured.size() < 10)
                continue;
            const auto [value, error] = ratioOf(line, 0, under);
            QVERIFY(isNear(row[name], value, value));
            QVERIFY(isNear(row["error"], error, value));
            const Line& stayed = expected.at({tid, "same-cpu"});
            const bool isCompared = row["distance"] != "same-cpu" && stayed.measured.size() >= 10;
            QCOMPARE(row["difference"].isEmpty(), !isCompared);
            if (!isCompared)
                continue;
            isDifferenceSeen = true;
            const auto [base, baseError] = ratioOf(stayed, 0, under);
            QVERIFY(isNear(row["difference"], value - base, value));
            QVERIFY(isNear(row["difference_error"], std::hypot(error, baseError), value));
            QVERIFY(value < base); // Migrations reduce the instructions per cycle in the synthetic trace.
        }
        QVERIFY(isDifferenceSeen);
    }

    void distancesAreSumsOfTheirThreads()
    {
        const auto events = madeScheduling(6000, 3);
        const QTemporaryDir folder;
        const ProgramResult answer =
            heliograph({"migrations", written(folder, events), "--by", "distance", "--format", "csv", "--first", "40us"});

        QCOMPARE(answer.status, 0);
        const auto lines = derived(events, 40'000);
        // Expected lines of the threads with measurements, one line per thread, keyed by the distance of the migrations.
        std::map<std::string, std::vector<Line>> expected;
        std::map<std::string, std::pair<Line, int>> sums;
        for (const auto& [key, line] : lines) {
            auto& [sum, threads] = sums[key.second];
            sum.count += line.count;
            sum.off += line.off;
            sum.wait += line.wait;
            sum.longest = std::max(sum.longest, line.longest);
            sum.measured.insert(sum.measured.end(), line.measured.begin(), line.measured.end());
            if (!line.measured.empty())
                expected[key.second].push_back(line);
            ++threads;
        }
        QCOMPARE(answer.lines().first(),
                 "host,distance,threads,count,off_ns,waits,wait_ns,wait_mean_ns,wait_max_ns,wait_max_at_ns,measured,instructions / cycles,"
                 "error,difference,difference_error");
        const auto rows = csvRows(answer);
        QCOMPARE(rows.size(), qsizetype(4));
        QCOMPARE(sums.size(), std::size_t(4));
        int compared = 0;
        for (const CsvRow& row : rows) {
            const std::string distance = row["distance"].toStdString();
            const auto& [line, threads] = sums.at(distance);
            QCOMPARE(row["threads"].toInt(), threads);
            QCOMPARE(row["count"].toLongLong(), line.count);
            QCOMPARE(row["off_ns"].toLongLong(), line.off);
            QCOMPARE(row["waits"].toLongLong(), line.count);
            QCOMPARE(row["wait_ns"].toLongLong(), line.wait);
            QCOMPARE(row["wait_max_ns"].toLongLong(), line.longest);
            QCOMPARE(row["measured"].toULongLong(), quint64(line.measured.size()));
            QVERIFY(line.measured.size() >= 10 && expected.at(distance).size() >= 2);
            const Estimate ratio = ratioOfAll(expected.at(distance));
            QVERIFY(isNear(row["instructions / cycles"], ratio.value, ratio.value));
            QVERIFY(isNear(row["error"], ratio.error, ratio.value));
            const auto difference = differenceOf(lines, distance);
            QCOMPARE(row["difference"].isEmpty(), !difference);
            QCOMPARE(row["difference_error"].isEmpty(), !difference);
            if (!difference)
                continue;
            QVERIFY(isNear(row["difference"], difference->value, ratio.value));
            QVERIFY(isNear(row["difference_error"], difference->error, ratio.value));
            QVERIFY(difference->value < 0); // Migrations reduce the instructions per cycle in the synthetic trace.
            ++compared;
        }
        QCOMPARE(compared, 3);
        QVERIFY(answer.err.contains("only cores and packages of CPUs were recorded"));
    }

    /// Input: two threads. Thread 101 always has four times as many instructions per cycle as thread 102; one thread mostly stays on its
    /// CPU, the other mostly migrates. Property: the difference between migrations and stays is 0, because it compares each thread with
    /// itself.
    void differenceIgnoresWhichThreadsMigrate_data()
    {
        QTest::addColumn<int>("movesOfStaying");
        QTest::addColumn<int>("staysOfMoving");
        QTest::addColumn<bool>("isKnown");
        QTest::newRow("too seldom") << 9 << 9 << false;
        QTest::newRow("enough") << 20 << 20 << true;
    }
    void differenceIgnoresWhichThreadsMigrate()
    {
        QFETCH(int, movesOfStaying);
        QFETCH(int, staysOfMoving);
        QFETCH(bool, isKnown);
        SteadyThreads threads;
        threads.run(101, 2, 1000, false).run(101, 2, movesOfStaying, true);
        threads.run(102, 0.5, 101, true).run(102, 0.5, staysOfMoving, false);
        const QTemporaryDir folder;
        const QString path = written(folder, threads.events);

        const ProgramResult answer = heliograph({"migrations", path, "--by", "distance", "--format", "csv", "--first", "60us", "--quiet"});

        const auto rows = csvRows(answer);
        QCOMPARE(rows.size(), qsizetype(2));
        QCOMPARE(rows[0]["distance"], "same-cpu");
        QCOMPARE(rows[0]["measured"].toInt(), 999 + staysOfMoving);
        QCOMPARE(rows[0]["difference"], "");
        QCOMPARE(rows[1]["distance"], "unknown");
        QCOMPARE(rows[1]["measured"].toInt(), 100 + movesOfStaying);
        QVERIFY(rows[1]["instructions / cycles"].toDouble() < 1 && rows[0]["instructions / cycles"].toDouble() > 1.9);
        QCOMPARE(rows[1]["difference"].isEmpty(), !isKnown);
        QCOMPARE(rows[1]["difference_error"].isEmpty(), !isKnown);
        QVERIFY(std::abs(rows[1]["difference"].toDouble()) < 1e-9 && rows[1]["difference_error"].toDouble() < 1e-9);
    }

    /// Property: two traces, in either order, give the lines that each trace gives alone.
    void twoRecordingsOfAHostAreBothMeasured()
    {
        const QTemporaryDir folder;
        const QStringList paths = writeSplitScheduling(folder.path(), madeScheduling(6000, 6));
        QCOMPARE(paths.size(), qsizetype(2));
        const auto linesOf = [](const QStringList& traces) {
            QMap<QByteArray, QList<CsvRow>> byTrace;
            const QStringList rest{"--format", "csv", "--first", "40us", "--quiet"};
            for (CsvRow row : csvRows(heliograph(QStringList{"migrations"} + traces + rest)))
                byTrace[row.take("trace")].append(row);
            return byTrace.values();
        };
        const QList<QList<CsvRow>> early = linesOf({paths[0]}), late = linesOf({paths[1]});
        for (const auto& alone : {early, late})
            QVERIFY(std::ranges::any_of(alone.value(0), [](const CsvRow& it) { return !it["difference"].isEmpty(); }));
        QCOMPARE(linesOf({paths[0], paths[1]}), early + late);
        QCOMPARE(linesOf({paths[1], paths[0]}), late + early);
    }

    void whatIsNotRecordedIsSaid()
    {
        auto events = madeScheduling(1000, 4);
        std::erase_if(events, [](const Event& it) { return it.kind == Event::Topology; });
        const QTemporaryDir folder;
        const QString path = written(folder, events, false);

        const ProgramResult answer = heliograph({"migrations", path, "--by", "distance", "--format", "csv"});

        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.lines().first(), "host,distance,threads,count,off_ns,waits,wait_ns,wait_mean_ns,wait_max_ns,wait_max_at_ns");
        QCOMPARE(answer.lines().size(), qsizetype(3));
        QVERIFY(answer.lines()[1].startsWith(",same-cpu,") && answer.lines()[2].startsWith(",unknown,"));
        QVERIFY(answer.err.contains("distances are unknown"));
        QVERIFY(answer.err.contains("lttng add-context -k -t perf:cpu:instructions"));
        QVERIFY(heliograph({"migrations", path, "--quiet"}).err.isEmpty());

        const ProgramResult wrong = heliograph({"migrations", path, "--ratio", "cycles / time"});
        QCOMPARE(wrong.status, 2);
        QVERIFY(wrong.err.contains("no single counter is named \"cycles\""));
        QVERIFY(heliograph({"migrations", path, "--ratio", "1 / time"}).err.contains("--ratio: the formula names no counter"));
        QVERIFY(heliograph({"migrations", path, "--first", "0us"}).err.contains("--first"));
        QVERIFY(heliograph({"migrations", path, "--by", "cpu"}).err.contains("not one of thread, distance"));
        const ProgramResult samples = heliograph({"migrations", SOURCE_DIR "/tests/fixtures/perf/group.data"});
        QCOMPARE(samples.status, 2);
        QVERIFY(samples.err.contains("no context switches were recorded"));
    }
};

HELIO_TEST(MigrationsOutputTest)
#include "tst_migrations_output.moc"
