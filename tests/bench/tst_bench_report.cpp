#include "tests/bench/suite/report.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::bench;

/// Input: made figures. Property: the report names the tool with which each figure is compared.
class BenchReportTest : public QObject {
    Q_OBJECT

private slots:
    void comparedToolsAreNamed()
    {
        Figures figures;
        figures.begin("Group");
        figures.add({"of_ctf", "trace to store", "ns/event", 5, {}, 50, atLeastTimesTheirs(8)});
        figures.add({"of_dat", "trace.dat to store", "M events/s", 40, {}, 2, {}, true, "trace-cmd"});
        figures.add({"alone", "start", "ms", 7});
        const Setting setting{"machine", "trace"};

        const QStringList lines = QString::fromStdString(asTable(setting, figures)).split('\n');
        QVERIFY(lines.filter("trace to store").value(0).contains("babeltrace2 50.0"));
        QVERIFY(lines.filter("trace.dat to store").value(0).contains("trace-cmd 2.00"));
        QVERIFY(!lines.filter("best (median)").value(0).contains("babeltrace2"));
        QVERIFY(!lines.filter("start").value(0).contains("babeltrace2"));
        QVERIFY(QString::fromStdString(asMarkdown(setting, figures)).contains("| trace-cmd 2.00 | 20.0 x |"));
        const QJsonObject json = asJson(setting, figures)["figures"].toObject();
        QCOMPARE(json["of_ctf"].toObject()["babeltrace2"].toDouble(), 50.0);
        QCOMPARE(json["of_dat"].toObject()["trace-cmd"].toDouble(), 2.0);
        QVERIFY(!json["of_dat"].toObject().contains("babeltrace2"));
    }
};

HELIO_TEST(BenchReportTest)
#include "tst_bench_report.moc"
