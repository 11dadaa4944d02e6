// Input: recordings with functions that share a name, and with inlined functions. Property: counts equal perf report's.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

const QString Folder = SOURCE_DIR "/tests/fixtures/names";

ProgramResult run(const QString& command, const QString& recording, const QStringList& more)
{
    return heliograph(QStringList{command, Folder + '/' + recording, "--symbols", Folder, "--quiet"} + more);
}

/// Self and total samples by function, from the table.
QMap<QByteArray, QByteArray> tableOf(const QString& recording, const QStringList& more = {})
{
    QMap<QByteArray, QByteArray> table;
    for (const CsvRow& row : csvRows(run("flame", recording, QStringList{"--table", "--format", "csv"} + more)))
        if (!row["module"].startsWith("libc"))
            table[row["function"]] = row["self_samples"] + ' ' + row["total_samples"];
    return table;
}

QByteArray headOf(const QString& recording, const QString& symbol)
{
    return run("annotate", recording, {"--symbol", symbol}).lines().value(0);
}

} // namespace

class FunctionNamesTest : public QObject {
    Q_OBJECT

private slots:
    void overloadsAreRowsOfTheirOwn()
    {
        QCOMPARE(tableOf("ov.data"),
                 (QMap<QByteArray, QByteArray>{
                     {"app::Sum::add(int)", "51 51"}, {"app::Sum::add(double)", "50 50"}, {"app::Sum::add(char const*)", "20 20"}}));
    }

    void annotateTakesEachOfAFunctionsNames_data()
    {
        QTest::addColumn<QString>("symbol");
        QTest::addColumn<QByteArray>("head");
        QTest::newRow("parameters") << "app::Sum::add(int)" << QByteArray("app::Sum::add(int) in ov: 51 samples");
        QTest::newRow("a linkage name") << "_ZN3app3Sum3addEd" << QByteArray("app::Sum::add(double) in ov: 50 samples");
        QTest::newRow("an address") << "0x11e8" << QByteArray("app::Sum::add(char const*) in ov: 20 samples");
        QTest::newRow("a module") << "app::Sum::add(int)@ov" << QByteArray("app::Sum::add(int) in ov: 51 samples");
    }
    void annotateTakesEachOfAFunctionsNames()
    {
        QFETCH(QString, symbol);
        QFETCH(QByteArray, head);
        const QByteArray found = headOf("ov.data", symbol);
        QVERIFY2(found.startsWith(head), found);
    }

    void annotateListsTheFunctionsOfAName()
    {
        const ProgramResult answer = run("annotate", "ov.data", {"--symbol", "app::Sum::add"});
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.contains("\"app::Sum::add\" is ambiguous"), answer.err);
        for (const char* line :
             {"app::Sum::add(int) (ov, 0x", "app::Sum::add(double) (ov, 0x", "app::Sum::add(char const*) (ov, 0x", ": 51 samples"})
            QVERIFY2(answer.err.contains(line), answer.err);
    }

    void callersOfANameAreThoseOfAllItsFunctions()
    {
        const auto total = [](const QString& name) {
            int sum = 0;
            for (const CsvRow& row : csvRows(run("flame", "ov.data", {"--callees", name, "--base", "none", "--format", "csv"})))
                if (row["depth"] == "1")
                    sum += row["total_samples"].toInt();
            return sum;
        };
        QCOMPARE(total("app::Sum::add"), 121);
        QCOMPARE(total("app::Sum::add(double)"), 50);
    }

    void anInlinedFunctionIsAnnotatedInAllItsCallers()
    {
        QCOMPARE(tableOf("inl.data").value("hot"), QByteArray("69 69"));
        QCOMPARE(tableOf("inl.data").value("first"), QByteArray("0 23"));

        qint64 instructions = 0;
        QMap<int, int> lines;
        for (const CsvRow& row : csvRows(run("annotate", "inl.data", {"--symbol", "hot", "--format", "csv"}))) {
            if (row["kind"] == "instruction")
                instructions += row["self_samples"].toLongLong();
            else
                lines[row["line"].toInt()] = row["self_samples"].toInt();
        }
        QCOMPARE(instructions, 69);
        QCOMPARE(lines, (QMap<int, int>{{3, 12}, {4, 57}}));
        const QByteArray text = run("annotate", "inl.data", {"--symbol", "hot"}).out;
        QVERIFY2(text.startsWith("hot in inl: 69 samples, 100.00 %"), text);
        QVERIFY2(text.contains("inlined into first:") && text.contains("inlined into second:"), text);
    }

    /// Property: samples in inlined code count at the line that calls it, as in tables by line.
    void aCallerHasWhatWasInlinedAtItsLine()
    {
        const ProgramResult answer = run("annotate", "inl.data", {"--symbol", "first", "--format", "csv"});
        QMap<int, QByteArray> lines;
        for (const CsvRow& row : csvRows(answer))
            if (row["kind"] == "line")
                lines[row["line"].toInt()] = row["self_samples"] + ' ' + row["total_samples"];
        QCOMPARE(lines.value(8), QByteArray("0 23"));
        const QByteArray head = headOf("inl.data", "first");
        QVERIFY2(head.startsWith("first in inl: 0 samples, 0.00 % of 69 samples; with inlined code 33.33 %; with callees 33.33 %"), head);
    }
};

HELIO_TEST(FunctionNamesTest)
#include "tst_function_names.moc"
