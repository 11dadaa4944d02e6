// Property: the nominal running times that `stats` prints equal times that the test computes from the events. A nominal running time is
// scaled by the CPU's frequency: the time that the work would take at the CPU's highest frequency, or at the frequency of `--nominal`.

#include "tests/app/cli/program.h"
#include "tests/support/made_scheduling.h"
#include "tests/support/run_times.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

using namespace helio;
using namespace helio::test;

using Event = MadeSchedulingEvent;

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

        const ProgramResult answer = heliograph(arguments);

        QCOMPARE(answer.status, 0);
        std::map<int, int> nominalOfCpus = highestFrequencies(events);
        if (kHz)
            for (auto& [cpu, its] : nominalOfCpus)
                its = kHz;
        std::map<int, std::array<double, 3>> printed; // Time on a CPU, nominal time and time with unknown frequency, by TID.
        for (const CsvRow& row : csvRows(answer)) {
            QCOMPARE(row["nominal_ns"].isEmpty(), !row["state"].startsWith("running"));
            if (!row["state"].startsWith("running"))
                continue;
            auto& sums = printed[row["tid"].toInt()];
            sums[0] += row["total_ns"].toDouble();
            sums[1] += row["nominal_ns"].toDouble();
            sums[2] += row["unknown_frequency_ns"].toDouble();
        }
        const auto expected = computeRunTimes(events);
        QCOMPARE(printed.size(), expected.size());
        for (const auto& [tid, ran] : expected) {
            const double nominal = computeNominalTime(ran, nominalOfCpus);
            QCOMPARE(printed.at(tid)[0], double(ran.total));
            QVERIFY(std::abs(printed.at(tid)[1] - nominal) <= 1);
            QCOMPARE(printed.at(tid)[2], double(ran.unknown));
            QVERIFY(ran.unknown > 0 && nominal > 0);
        }
    }

    /// Property: two traces, in either order, give the lines that each trace gives alone.
    void twoRecordingsOfAHostDoNotMix()
    {
        const QTemporaryDir folder;
        const QStringList paths = writeSplitScheduling(folder.path(), madeScheduling(4000, 7));
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
        const ProgramResult answer = heliograph({"stats", sampleTrace(), "--view", "control-flow", "--format", "csv"});
        QVERIFY(answer.lines().first().endsWith(",max_ns"));
        const ProgramResult wrong = heliograph({"stats", sampleTrace(), "--view", "control-flow", "--nominal", "2GHz"});
        QCOMPARE(wrong.status, 2);
        QVERIFY(wrong.err.contains("power_cpu_frequency"));
        for (const char* odd : {"2", "GHz", "-1GHz", "0kHz", "1e30GHz", "nanGHz", "2 GHz"}) {
            const ProgramResult refused = heliograph({"stats", sampleTrace(), "--view", "control-flow", "--nominal", odd});
            QCOMPARE(refused.status, 2);
            QVERIFY(refused.err.contains("--nominal"));
        }
    }
};

HELIO_TEST(NominalOutputTest)
#include "tst_nominal_output.moc"
