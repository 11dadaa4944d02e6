// Output of heliograph flame. Input: recordings by perf.

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace helio;

namespace {

const char* const Collection = "solo-vs-parallel-perf";

QStringList flame(const QString& name, const QStringList& more)
{
    const QString folder = realTrace(Collection);
    return QStringList{"flame",      folder + "/data/" + name + ".data", "--symbols", folder + "/bin", "--symbols", folder + "/libs",
                       "--kallsyms", folder + "/text/kallsyms.txt",      "--quiet"}
    + more;
}

} // namespace

class FlameOutputTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        if (realTrace(Collection).isEmpty())
            QSKIP(qPrintable(missingTrace(Collection)));
    }

    void theTableHasTheSharesOfThisProgram()
    {
        const ProgramResult answer = heliograph(flame("solo", {"--format", "csv", "--table"}));

        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.lines().first(),
                 QByteArray("comm,tid,cpu,module,function,self_samples,total_samples,self_weight,total_weight,problem,inlined"));
        QVERIFY(answer.out.contains("\nmatinit,,,matinit,initprm_,940,2563,"));
    }

    void withoutInlinedFunctionsSelfIsPerfReports()
    {
        static const QRegularExpression shape("^ +([0-9.]+)% +(\\S+) +(\\S+) +\\[.\\] (.+?) *$");
        QFile report(realTrace(Collection) + "/text/solo.report-self.txt");
        QVERIFY(report.open(QIODevice::ReadOnly));
        QMap<QString, QString> expected;
        for (const QByteArray& line : report.readAll().split('\n'))
            if (const auto match = shape.match(QString::fromUtf8(line)); match.hasMatch() && match.captured(3) == "matinit")
                expected[match.captured(2) + ' ' + match.captured(4)] = match.captured(1);
        QVERIFY(expected.size() >= 4);

        QMap<QString, QString> own;
        for (const CsvRow& row : csvRows(heliograph(flame("solo", {"--no-inline", "--table", "--by", "period", "--format", "csv"})))) {
            QCOMPARE(row["inlined"], QByteArray("0"));
            if (row["module"] == "matinit" && row["self_samples"] != "0")
                own[row["comm"] + ' ' + row["function"]] = QString::number(100 * row["self_weight"].toDouble() / 4423423419, 'f', 2);
        }

        QCOMPARE(own, expected);
        const ProgramResult inlined = heliograph(flame("solo", {"--table"}));
        QVERIFY(inlined.out.contains("(inlined)"));
    }

    void eachEventsTableIsPerfReports_data()
    {
        QTest::addColumn<QString>("event");
        for (const char* event : {"page-faults", "context-switches", "cpu-clock"})
            QTest::addRow("%s", event) << event;
    }
    void eachEventsTableIsPerfReports()
    {
        QFETCH(QString, event);
        static const QRegularExpression shape("^ +([0-9.]+)% +(\\S+) +(\\S+) +\\[.\\] (.+?) *$");
        const auto isNamedByBoth = [](const QString& module) { return module == "matinit" || module == "[kernel.kallsyms]"; };
        QFile report(realTrace(Collection) + "/text/parallel4-multi3.report-self.txt");
        QVERIFY(report.open(QIODevice::ReadOnly));
        QMap<QString, QStringList> expected; // Expected shares by function, from perf report.
        bool isOfEvent = false;
        for (const QByteArray& line : report.readAll().split('\n')) {
            if (line.contains(" of event '"))
                isOfEvent = line.contains('\'' + event.toUtf8() + '\'');
            if (const auto match = shape.match(QString::fromUtf8(line)); isOfEvent && match.hasMatch() && isNamedByBoth(match.captured(3)))
                expected[match.captured(2) + ' ' + match.captured(4)] << match.captured(1);
        }
        // Functions with the same name are one line here, but several lines in perf report; leave them out of the comparison.
        erase_if(expected, [](const auto& it) { return it.value().size() > 1; });
        const auto rows = csvRows(heliograph(flame("parallel4-multi3", {"--no-inline", "--table", "--event", event, "--format", "csv"})));
        double whole = 0;
        for (const CsvRow& row : rows)
            whole += row["self_weight"].toDouble();
        QMap<QString, QStringList> own;
        for (const CsvRow& row : rows)
            if (const QString name = row["comm"] + ' ' + row["function"]; row["self_weight"] != "0" && isNamedByBoth(row["module"]))
                if (expected.contains(name) || event != "cpu-clock")
                    own[name] << QString::number(100 * row["self_weight"].toDouble() / whole, 'f', 2);
        QVERIFY(expected.size() >= 3);
        QCOMPARE(own, expected);
    }

    void linesOfTheTableAreThoseOfAnnotate()
    {
        const QString folder = realTrace(Collection);
        QMap<QByteArray, QByteArray> annotated;
        for (const CsvRow& row : csvRows(heliograph({"annotate", folder + "/data/solo.data", "--symbol", "initprm_", "--symbols",
                                                     folder + "/bin", "--format", "csv", "--quiet"})))
            if (row["kind"] == "line" && row["self_samples"] != "0" && row["file"].endsWith("/initprm.c"))
                annotated["initprm.c:" + row["line"]] = row["self_samples"];
        QMap<QByteArray, QByteArray> lines;
        for (const CsvRow& row : csvRows(heliograph(flame("solo", {"--table", "--group", "line", "--format", "csv"}))))
            if (row["function"].startsWith("initprm.c:") && row["self_samples"] != "0")
                lines[row["function"]] = row["self_samples"];
        QVERIFY(annotated.size() > 3);
        QCOMPARE(lines, annotated);
        qint64 samples = 0;
        qint64 inFile = 0;
        for (const CsvRow& row : csvRows(heliograph(flame("solo", {"--table", "--group", "file", "--format", "csv"})))) {
            samples += row["self_samples"].toLongLong();
            inFile += row["function"] == "initprm.c" ? row["self_samples"].toLongLong() : 0;
        }
        QCOMPARE(samples, 4419);
        QCOMPARE(inFile, 940);
    }

    void otherEventsAreInOneTable()
    {
        const auto rows =
            csvRows(heliograph(flame("parallel4-multi3", {"--table", "--event", "cpu-clock", "--with", "page-faults", "--format", "csv"})));
        qint64 faults = 0;
        for (const CsvRow& row : rows)
            if (row["function"] == "initprm_" && row["module"] == "matinit")
                faults = row["self_page-faults"].toLongLong();
        // perf report prints 99.89 % as the share of initprm_ in all page faults.
        QVERIFY2(std::abs(100.0 * double(faults) / 1565201 - 99.89) < 0.006, qPrintable(QString::number(faults)));
    }

    void foldedStacksAddUpToAllSamples()
    {
        const ProgramResult answer = heliograph(flame("parallel4", {"--format", "folded"}));

        qint64 all = 0;
        qint64 withInit = 0;
        for (const QByteArray& line : answer.lines()) {
            const qint64 count = line.mid(line.lastIndexOf(' ') + 1).toLongLong();
            all += count;
            withInit += line.contains(";initprm_") ? count : 0;
        }
        QCOMPARE(all, 18258);
        QCOMPARE(withInit, 10574);
    }

    void aTreeOfCallersHasTheFunctionsOwn()
    {
        const ProgramResult callers = heliograph(flame("solo", {"--callers", "clear_page_erms", "--base", "none"}));
        const auto own = callers.lines().value(1).simplified().split(' ');
        // perf report prints the same share, 7.29 %, for clear_page_erms.
        QCOMPARE(own.value(1) + ' ' + own.value(2), "7.29 clear_page_erms");
        QVERIFY2(callers.lines().value(2).simplified().split(' ').value(1) == "0.00", callers.out);

        qint64 all = 0;
        for (const CsvRow& row : csvRows(heliograph(flame("solo", {"--inverted", "--format", "csv"})))) {
            QVERIFY(row["depth"] == "1" || row["self_samples"] == "0");
            all += row["self_samples"].toLongLong();
        }
        QCOMPARE(all, 4419);
        qint64 self = 0;
        for (const CsvRow& row : csvRows(heliograph(flame("solo", {"--callees", "kvdw_", "--format", "csv"}))))
            self += row["self_samples"].toLongLong();
        // 49 samples contain kvdw_. In the tree of its callees, each of these samples is a self sample of one node: kvdw_ or one of its
        // callees.
        QCOMPARE(self, 49);
    }

    void aSelectionIsOfOneThread()
    {
        qint64 all = 0;

        const ProgramResult answer = heliograph(flame("parallel4", {"--format", "folded", "--thread", "2661"}));

        for (const QByteArray& line : answer.lines())
            all += line.mid(line.lastIndexOf(' ') + 1).toLongLong();
        QCOMPARE(all, 4534);
    }

    void anEventThatIsNotThereIsReportedWithThoseThatAre()
    {
        const ProgramResult answer = heliograph(flame("parallel4-multi3", {"--event", "cycles"}));

        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.contains("page-faults"), answer.err.constData());
    }

    void aTraceWithoutSamplesSaysSo()
    {
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", "login/kernel");
        const ProgramResult answer = heliograph({"flame", path});

        QCOMPARE(answer.status, 1);
        QVERIFY2(answer.err.contains("no samples"), answer.err.constData());
    }
};

HELIO_TEST(FlameOutputTest)
#include "tst_flame_output.moc"
