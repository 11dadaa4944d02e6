#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace helio;

namespace {

/// Percentages by address from perf annotate's output, e.g. "24.89".
QHash<QByteArray, QByteArray> perfAnnotation(const QString& path)
{
    QHash<QByteArray, QByteArray> shares;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return shares;
    static const QRegularExpression instruction(QStringLiteral("^\\s+(\\d+\\.\\d+) :\\s+([0-9a-f]+):"));
    for (const QByteArray& line : file.readAll().split('\n'))
        if (const auto match = instruction.match(QString::fromUtf8(line)); match.hasMatch())
            shares.insert(match.captured(2).toUtf8(), match.captured(1).toUtf8());
    return shares;
}

ProgramResult annotate(const QString& collection, const QString& recording, const QString& symbol)
{
    return heliograph({"annotate", collection + "/data/" + recording + ".data", "--symbol", symbol, "--symbols", collection + "/bin",
                       "--symbols", collection + "/libs", "--kallsyms", collection + "/text/kallsyms.txt", "--source-dir",
                       collection + "/src", "--format", "csv", "--quiet"});
}

} // namespace

class AnnotateOutputTest : public QObject {
    Q_OBJECT

private slots:
    void everyInstructionHasTheShareThatPerfAnnotatePrints_data()
    {
        QTest::addColumn<QString>("recording");
        QTest::addColumn<QString>("symbol");
        for (const char* recording : {"solo", "parallel4"})
            for (const char* symbol : {"initprm_", "kvdw_"})
                QTest::addRow("%s %s", recording, symbol) << QString(recording) << QString(symbol);
    }
    void everyInstructionHasTheShareThatPerfAnnotatePrints()
    {
        QFETCH(QString, recording);
        QFETCH(QString, symbol);
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        auto expected = perfAnnotation(collection + "/text/" + recording + ".annotate-" + symbol + ".txt");
        QVERIFY(expected.size() > 50);

        const auto rows = csvRows(annotate(collection, recording, symbol));

        QHash<QByteArray, qint64> bySourceLine;
        QHash<QByteArray, qint64> lines;
        for (const CsvRow& row : rows) {
            if (row["kind"] == "line")
                lines.insert(row["line"], row["self_samples"].toLongLong());
            if (row["kind"] != "instruction")
                continue;
            QCOMPARE(row["self_percent"], expected.take(row["address"]));
            bySourceLine[row["line"]] += row["self_samples"].toLongLong();
        }
        QVERIFY(expected.isEmpty());
        // Each source line has the sum of the samples of its instructions, and each instruction belongs to a line.
        QCOMPARE(lines, bySourceLine);
    }

    void samplesOfAFrequencyWeighTheirPeriodsAsInPerfAnnotate()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        const QStringList command{"annotate",  collection + "/data/parallel4-multi3.data",
                                  "--event",   "page-faults",
                                  "--symbol",  "initprm_",
                                  "--symbols", collection + "/bin",
                                  "--quiet"};
        const auto shares = [&](const QStringList& more) {
            QStringList hot; // Shares of the instructions with more than 1 % of the samples, in the order of their addresses.
            for (const CsvRow& row : csvRows(heliograph(command + QStringList{"--format", "csv"} + more)))
                if (row["kind"] == "instruction" && row["self_percent"].toDouble() > 1)
                    hot << row["self_percent"];
            return hot.join(' ');
        };
        QCOMPARE(shares({}), "26.53 23.80 23.02 26.65"); // perf annotate prints these shares.
        QCOMPARE(shares({"--by", "period"}), "26.53 23.80 23.02 26.65");
        QCOMPARE(shares({"--by", "samples"}), "27.81 25.09 24.43 22.67");
        const QByteArray head = heliograph(command).lines().value(0);
        QVERIFY2(head.startsWith("initprm_ in matinit: 1.56 M page faults in 1")
                     && head.contains(" samples, 99.89 % of 1.57 M page faults in 1"),
                 head);
    }

    void aLinesShareStandsOnce()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        const ProgramResult answer = heliograph({"annotate", collection + "/data/solo.data", "--symbol", "initprm_", "--symbols",
                                                 collection + "/bin", "--source-dir", collection + "/src", "--quiet"});
        double lines = 0;
        double instructions = 0;
        // Line numbers have up to 3 digits, addresses have four.
        static const QRegularExpression row(QStringLiteral("^ *([0-9.]+) +[0-9.]+ +(\\d{1,3} )?"));
        for (const QByteArray& line : answer.lines())
            if (const auto match = row.match(QString::fromUtf8(line)); match.hasMatch())
                (match.captured(2).isEmpty() ? instructions : lines) += match.captured(1).toDouble();
        QVERIFY2(lines > 99 && lines < 100.1, qPrintable(QString::number(lines)));
        QVERIFY2(instructions > 99 && instructions < 100.2, qPrintable(QString::number(instructions)));
    }

    void sourceLinesAreThoseOfTheFile()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        QFile source(collection + "/src/initprm.c");
        QVERIFY(source.open(QIODevice::ReadOnly));
        const auto text = source.readAll().split('\n');
        int found = 0;
        for (const CsvRow& row : csvRows(annotate(collection, "solo", "initprm_")))
            if (row["kind"] == "line") {
                QCOMPARE(row["text"], text.value(row["line"].toInt() - 1));
                ++found;
            }
        QVERIFY(found > 5);
    }

    void linesAreReadAsInAnEditorWithTheirFile()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        const ProgramResult answer = heliograph({"annotate", collection + "/data/solo.data", "--symbol", "gradient_", "--symbols",
                                                 collection + "/bin", "--source-dir", collection + "/src", "--quiet"});
        QVERIFY2(!answer.out.contains("\\x09"), answer.out);
        const auto lines = answer.lines();
        QVERIFY2(lines.value(2).trimmed().endsWith("gradient.c:"), answer.out);
    }

    void aFunctionWithoutSamplesIsSaidSo()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        const ProgramResult answer = annotate(collection, "solo", "no_such_function");
        QVERIFY(answer.status != 0);
        QVERIFY(answer.err.contains("no_such_function"));
    }

    void withoutASymbolItIsWrongUsage() { QCOMPARE(heliograph({"annotate", "somewhere"}).status, 2); }
};

HELIO_TEST(AnnotateOutputTest)
#include "tst_annotate_output.moc"
