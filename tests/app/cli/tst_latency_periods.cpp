// Property: the periods that latency reports agree with the intervals that it lists.

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

using namespace helio;

namespace {

ProgramResult latency(const QString& trace, const QStringList& more) { return heliograph(QStringList{"latency", trace} + more); }

QList<CsvRow> periods(const QString& trace, const QStringList& more)
{
    return csvRows(latency(trace, QStringList{"--periods", "--format", "csv", "--quiet"} + more));
}

} // namespace

class LatencyPeriodsTest : public QObject {
    Q_OBJECT

private slots:
    void columnsAreTheDocumentedOnes()
    {
        QCOMPARE(latency(sampleTrace(), {"--of", "softirq", "--periods", "--format", "csv"}).lines().first(),
                 "period_ns,phase_ns,strength,share,count,chance,of,from_ns,all");
        const ProgramResult json = latency(sampleTrace(), {"--of", "softirq", "--periods", "--format", "json"});
        const QJsonObject first = QJsonDocument::fromJson(json.lines().first()).object();
        QCOMPARE(first["of"].toString(), "begins");
        QVERIFY(first["chance"].toDouble() > 0 && first["chance"].toDouble() < 1e-50);
    }

    /// Input: the timer tick, 250 per second on each CPU. Property: the tick is the first period found. Its phase, share and strength equal
    /// the values that the test computes from the list of intervals.
    void aTickIsFoundAndItsNumbersAreThoseOfTheList()
    {
        const auto found = periods(sampleTrace(), {"--of", "softirq"});
        QVERIFY(!found.isEmpty());
        const CsvRow& tick = found.first();
        QCOMPARE(tick["of"], "begins");
        // Minimum duration of the intervals in which the period was found. 0: the period was found in all intervals, not only in the
        // longest intervals.
        QCOMPARE(tick["from_ns"], "0");
        const double period = tick["period_ns"].toDouble();
        QVERIFY(std::abs(period - 4e6) < 1000);

        const auto all = csvRows(latency(sampleTrace(), {"--of", "softirq", "--list", "--format", "csv", "--quiet"}));
        QCOMPARE(tick["count"].toInt(), all.size());
        const qint64 phase = tick["phase_ns"].toLongLong();
        QVERIFY(phase >= all.first()["begin_ns"].toLongLong() && phase < all.first()["begin_ns"].toLongLong() + qint64(period) + 1);
        std::complex<double> sum;
        qsizetype near = 0;
        for (const CsvRow& it : all) {
            const double turns = double(it["begin_ns"].toLongLong() - phase) / period;
            near += std::abs(turns - std::round(turns)) <= 0.1;
            sum += std::polar(1.0, 2 * std::numbers::pi * turns);
        }
        // The tolerance of 0.005 covers the truncation of the printed period to whole ns.
        QVERIFY(std::abs(tick["share"].toDouble() - double(near) / double(all.size())) < 0.005);
        QVERIFY(std::abs(tick["strength"].toDouble() - std::abs(sum) / double(all.size())) < 0.005);
    }

    void peopleGetSentences()
    {
        const ProgramResult answer = latency(sampleTrace(), {"--of", "softirq", "--periods"});
        static const QRegularExpression sentence(
            R"(^\d+ % of all \d+ begin within \d+(\.\d+)? us of \d\d:\d\d:\d\d\.\d{9} \+ n × (4|3\.99\d+|4\.00\d+) ms; 20 % expected by chance, p < 10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+$)");
        QVERIFY2(sentence.match(QString::fromUtf8(answer.lines().at(1))).hasMatch(), answer.lines().at(1));
    }

    void nothingThatRepeatsIsSaid()
    {
        const ProgramResult answer = latency(sampleTrace(), {"--of", "state:sleeping", "--periods", "--format", "csv"});
        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.lines().size(), 1);
        QVERIFY(answer.err.contains("no period found"));
    }

    void ofNoneOrAFewItIsSaidThatTheyAreTooFew()
    {
        const QStringList asked{"--of", "softirq", "--periods", "--filter"};
        const ProgramResult none = latency(sampleTrace(), asked + QStringList{"name == \"nothing\""});
        QCOMPARE(none.status, 0);
        QVERIFY2(none.err.contains("no intervals: too few to find a period"), none.err);
        QVERIFY(!none.err.contains("no period found"));
        QList<qint64> lengths;
        for (const CsvRow& it : csvRows(latency(sampleTrace(), {"--of", "softirq", "--list", "--format", "csv", "--quiet"})))
            lengths << it["duration_ns"].toLongLong();
        std::ranges::sort(lengths, std::greater());
        const auto count = std::ranges::count_if(lengths, [&](qint64 it) { return it >= lengths[3]; });
        QVERIFY(count >= 4 && count < 8);
        const ProgramResult few = latency(sampleTrace(), asked + QStringList{QString("duration >= %1ns").arg(lengths[3])});
        const QByteArray words = "only " + QByteArray::number(count) + " intervals: too few to find a period";
        QVERIFY2(few.err.contains(words), few.err);
    }

    void otherShapesExcludeIt()
    {
        for (const char* other : {"--list", "--histogram"}) {
            const ProgramResult answer = latency(sampleTrace(), {"--of", "softirq", "--periods", other});
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.contains("cannot be combined"), answer.err);
        }
    }

    /// Input: a CPU quota, which the kernel refills every 250 ms. Property: the period is found without knowledge of the quota.
    void aQuotaOfARecordingIsFound_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("waits after a preemption") << "state:preempted";
        QTest::newRow("waits after a wake-up") << "wakeup";
        QTest::newRow("system calls") << "syscall";
        QTest::newRow("processes") << "throttled";
    }
    void aQuotaOfARecordingIsFound()
    {
        HELIO_REQUIRE_TRACE(path, "disks");
        QFETCH(QString, kind);
        const auto found = periods(path, {"--of", kind});
        QVERIFY(!found.isEmpty());
        QVERIFY2(std::abs(found.first()["period_ns"].toDouble() - 249.96e6) < 0.2e6, found.first()["period_ns"]);
        QVERIFY(found.first()["share"].toDouble() > 0.85);
    }
};

HELIO_TEST(LatencyPeriodsTest)
#include "tst_latency_periods.moc"
