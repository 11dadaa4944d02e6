// Running times at a nominal frequency as stats prints them, against what is derived from the same events by themselves.

#include "tests/app/cli/program.h"
#include "tests/support/made_scheduling.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

using namespace helio;
using namespace helio::test;

namespace {

using Event = MadeSchedulingEvent;

/// How long a thread ran, at which frequencies, and how long at none that is known.
struct Ran {
    qint64 total = 0, unknown = 0;
    std::map<int, std::map<int, qint64>> byCpu; ///< By CPU, then kHz.
};

std::map<int, Ran> ranBy(const std::vector<Event>& events)
{
    std::map<int, Ran> all;
    std::array<int, 4> running{}, kHz{};
    std::array<qint64, 4> since{};
    const auto take = [&](std::size_t cpu, qint64 until) {
        Ran& ran = all[running[cpu]];
        const qint64 length = until - since[cpu];
        ran.total += length;
        (kHz[cpu] ? ran.byCpu[int(cpu)][kHz[cpu]] : ran.unknown) += length;
        since[cpu] = until;
    };
    std::array<bool, 4> isKnown{};
    for (const Event& it : events) {
        if (it.kind == Event::Frequency) {
            if (isKnown[std::size_t(it.a)])
                take(std::size_t(it.a), it.time);
            kHz[std::size_t(it.a)] = it.b;
        } else if (it.kind == Event::Switch) {
            const auto cpu = std::size_t(it.cpu);
            if (isKnown[cpu])
                take(cpu, it.time);
            isKnown[cpu] = true;
            running[cpu] = it.c;
            since[cpu] = it.time;
        }
    }
    for (std::size_t cpu = 0; cpu < 4; ++cpu)
        if (isKnown[cpu])
            take(cpu, events.back().time);
    all.erase(0);
    return all;
}

} // namespace

class NominalOutputTest : public QObject {
    Q_OBJECT

private slots:
    void runningTimesAreAlsoGivenAtANominalFrequency_data()
    {
        QTest::addColumn<QString>("given");
        QTest::addColumn<int>("kHz");
        QTest::newRow("the highest of each CPU") << QString() << 0;
        QTest::newRow("2 GHz") << QStringLiteral("2GHz") << 2'000'000;
        QTest::newRow("1234.5 MHz") << QStringLiteral("1234.5MHz") << 1'234'500;
    }
    void runningTimesAreAlsoGivenAtANominalFrequency()
    {
        QFETCH(QString, given);
        QFETCH(int, kHz);
        const auto events = madeScheduling(3000, 5);
        const QTemporaryDir folder;
        QVERIFY(writeScheduling(folder.filePath("kernel"), events));
        QStringList arguments{"stats", folder.filePath("kernel"), "--view", "control-flow", "--format", "csv"};
        if (!given.isEmpty())
            arguments << "--nominal" << given;

        const Answer answer = heliograph(arguments);

        QCOMPARE(answer.status, 0);
        std::map<int, int> highest; // By CPU.
        for (const Event& it : events)
            if (it.kind == Event::Frequency)
                highest[it.a] = std::max(highest[it.a], it.b);
        std::map<int, std::array<double, 3>> printed; // On a CPU, at nominal, unknown.
        for (const CsvRow& row : csvRows(answer)) {
            QCOMPARE(row["nominal_ns"].isEmpty(), !row["state"].startsWith("running"));
            if (!row["state"].startsWith("running"))
                continue;
            auto& sums = printed[row["tid"].toInt()];
            sums[0] += row["total_ns"].toDouble();
            sums[1] += row["nominal_ns"].toDouble();
            sums[2] += row["unknown_frequency_ns"].toDouble();
        }
        const auto expected = ranBy(events);
        QCOMPARE(printed.size(), expected.size());
        for (const auto& [tid, ran] : expected) {
            double nominal = 0;
            for (const auto& [cpu, times] : ran.byCpu)
                for (const auto& [at, length] : times)
                    nominal += double(length) * at / (kHz ? kHz : highest.at(cpu));
            QCOMPARE(printed.at(tid)[0], double(ran.total));
            QVERIFY(std::abs(printed.at(tid)[1] - nominal) <= 1);
            QCOMPARE(printed.at(tid)[2], double(ran.unknown));
            QVERIFY(ran.unknown > 0 && nominal > 0);
        }
    }

    /// In either order each has the lines that it has alone.
    void twoRecordingsOfAHostDoNotMix()
    {
        const QTemporaryDir folder;
        const QStringList paths = writeSchedulingInTwo(folder.path(), madeScheduling(4000, 7));
        QCOMPARE(paths.size(), qsizetype(2));
        const auto linesOf = [](const QStringList& traces) {
            QMap<QByteArray, QList<CsvRow>> byTrace;
            const QStringList rest{"--view", "control-flow", "--format", "csv", "--quiet", "--nominal", "3GHz"};
            for (CsvRow row : csvRows(heliograph(QStringList{"stats"} + traces + rest)))
                byTrace[row.take("trace")].append(row);
            return byTrace.values();
        };
        const QList<QList<CsvRow>> early = linesOf({paths[0]}), late = linesOf({paths[1]});
        for (const auto& alone : {early, late})
            QVERIFY(std::ranges::any_of(alone.value(0), [](const CsvRow& it) { return it["nominal_ns"].toLongLong() > 0; }));
        QCOMPARE(linesOf({paths[0], paths[1]}), early + late);
        QCOMPARE(linesOf({paths[1], paths[0]}), late + early);
    }

    void whereNoFrequencyIsRecordedThereAreNoColumnsOfIt()
    {
        const Answer answer = heliograph({"stats", sampleTrace(), "--view", "control-flow", "--format", "csv"});
        QVERIFY(answer.lines().first().endsWith(",max_ns"));
        const Answer wrong = heliograph({"stats", sampleTrace(), "--view", "control-flow", "--nominal", "2GHz"});
        QCOMPARE(wrong.status, 2);
        QVERIFY(wrong.err.contains("power_cpu_frequency"));
        for (const char* odd : {"2", "GHz", "-1GHz", "0kHz", "1e30GHz", "nanGHz", "2 GHz"}) {
            const Answer refused = heliograph({"stats", sampleTrace(), "--view", "control-flow", "--nominal", odd});
            QCOMPARE(refused.status, 2);
            QVERIFY(refused.err.contains("--nominal"));
        }
    }
};

HELIO_TEST(NominalOutputTest)
#include "tst_nominal_output.moc"
