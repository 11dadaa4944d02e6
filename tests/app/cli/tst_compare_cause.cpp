// Causes and noise in the output of heliograph compare. Input: recordings by perf.

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>

using namespace helio;

namespace {

ProgramResult compare(const QStringList& more, const QStringList& a = {sampleTrace()}, const QStringList& b = {sampleTrace()})
{
    return heliograph(QStringList{"compare", "--quiet", "--a"} + a + QStringList{"--b"} + b + more);
}

} // namespace

class CompareCauseTest : public QObject {
    Q_OBJECT

private slots:
    void theCauseIsSaidAndHasItsFrame()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const QString solo = recordings + "/data/solo.data";
        const QString parallel = recordings + "/data/parallel4.data";
        const QByteArray said = "In B, 4 processes shared 2 CPUs at 99 % utilization; each got a CPU only half the time. CPU time "
                                "per process is nearly the same as alone (+3 %).";
        QCOMPARE(compare({"--process", "matinit"}, {solo}, {parallel}).lines().value(1), said);
        const QJsonObject breakdown = QJsonDocument::fromJson(compare({"--process", "matinit", "--json"}, {solo}, {parallel}).out).object();
        QCOMPARE(breakdown["conclusion"].toString().toUtf8(), said);

        // The frames of the flame graph add up to the wall time.
        QXmlStreamReader reader(compare({"--process", "matinit", "--format", "svg"}, {solo}, {parallel}).out);
        double offCpu = 0;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement && reader.attributes().value("data-n") == QLatin1String("off CPU"))
                offCpu += reader.attributes().value("data-w").toDouble();
        QVERIFY2(std::abs(offCpu - (1 - 18127 * 1.001001e6 / 4 / breakdown["wall_b_ns"].toDouble())) < 0.002,
                 qPrintable(QString::number(offCpu)));
    }

    void theKernelsTimeIsPartedByHowItWasEntered()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        qint64 kernel = 0;
        QMap<QByteArray, qint64> parts;
        for (const CsvRow& row :
             csvRows(compare({"--process", "matinit", "--kallsyms", recordings + "/text/kallsyms.txt", "--format", "csv"},
                             {recordings + "/data/solo.data"}, {recordings + "/data/parallel4.data"})))
            if (row["state"] == "running-kernel") {
                parts[row["detail"]] = row["a_ns"].toLongLong();
                kernel += row["a_ns"].toLongLong();
            }
        // Expected from perf script: kernel samples of matinit's first thread, by their outermost kernel frame.
        const std::pair<const char*, const char*> entries[] = {{"asm_exc_page_fault", "page fault"},
                                                               {"entry_SYSCALL_64_after_hwframe", "system call"}};
        QFile script(recordings + "/text/solo.folded.txt");
        QVERIFY(script.open(QIODevice::ReadOnly));
        QMap<QByteArray, qint64> expected;
        for (const QByteArray& line : script.readAll().split('\n'))
            for (const auto& [function, name] : entries)
                if (line.startsWith("matinit;") && line.contains(function))
                    expected[name] += line.mid(line.lastIndexOf(' ') + 1).toLongLong();
        for (const auto& [function, name] : entries)
            QVERIFY2(std::abs(parts.value(name) / 1'001'001.0 - double(expected.value(name))) < 0.5,
                     qPrintable(QString("%1: %2, %3").arg(name).arg(parts.value(name) / 1'001'001.0).arg(expected.value(name))));
        QVERIFY(kernel > 0 && parts.value("page fault") > kernel / 2);
    }

    void chanceIsNoChange()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const auto rows = csvRows(compare({"--process", "matinit", "--functions", "--format", "csv", "--symbols", recordings + "/bin",
                                           "--symbols", recordings + "/libs", "--kallsyms", recordings + "/text/kallsyms.txt"},
                                          {recordings + "/data/solo.data"}, {recordings + "/data/parallel4.data"}));
        QMap<QByteArray, double> z;
        for (const CsvRow& row : rows)
            if (row["module"] == "[kernel.kallsyms]")
                z[row["function"]] = row["z"].toDouble();
        for (const char* real : {"clear_page_erms", "_raw_spin_unlock_irqrestore", "__list_del_entry_valid_or_report"})
            QVERIFY2(z.value(real) > 2, real);
        // These differences are noise. The functions have no sample in recording A (one run), and so few samples in recording B (four runs)
        // that chance explains the difference: the binomial test with share 4/5 gives p > 0.05 for each.
        for (const char* chance : {"uncharge_batch", "folio_batch_move_lru", "native_set_pte", "irqentry_exit_to_user_mode"})
            QVERIFY2(z.contains(chance) && z.value(chance) < 2, qPrintable(QString("%1 %2").arg(chance).arg(z.value(chance))));
        for (const CsvRow& row : rows)
            if (row["samples_a"] == "0" && row["samples_b"].toInt() <= 15)
                QVERIFY2(row["z"].toDouble() < 2, row["function"]);
    }
};

HELIO_TEST(CompareCauseTest)
#include "tst_compare_cause.moc"
