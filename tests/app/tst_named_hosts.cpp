#include "app/gui/common/window_text.h"
#include "core/experiment/experiment.h"
#include "core/query/events/events.h"
#include "core/query/rows/facts.h"
#include "core/timesync/host_headings.h"
#include "tests/support/test_program.h"
#include "widgets/docks/statistics/row_statistics.h"
#include "widgets/timeline/panels/graph_row_source.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

QString fixture(const char* name) { return QStringLiteral(SOURCE_DIR "/tests/fixtures/") + name; }

std::shared_ptr<const Timeline> indexed(const QString& path, const QTemporaryDir& stores, std::map<std::string, Duration> offsets = {},
                                        bool synchronizes = true)
{
    ExperimentOptions options;
    options.storeDirectory = stores.path().toStdString();
    options.offsets = std::move(offsets);
    options.synchronize = synchronizes;
    auto experiment = Experiment::open({path.toStdString()}, options);
    if (!experiment)
        return nullptr;
    (*experiment)->start();
    return (*experiment)->wait() ? (*experiment)->timeline() : nullptr;
}

} // namespace

/// Property: with several hosts, the names of threads and CPUs contain their host, and doubts about clocks are shown.
class NamedHostsTest : public QObject {
    Q_OBJECT

private slots:
    void severalHostsAreNamed()
    {
        const auto timeline = indexed(fixture("two-hosts-small"), m_stores, {}, false);
        QVERIFY(timeline);

        QStringList hosts;
        for (const Row& row : makeViewRows(*timeline, "control-flow").rows)
            if (row.kind == "host")
                hosts << QString::fromStdString(row.label);
        QCOMPARE(hosts, QStringList({"db", "web"}));
        const auto headings = hostHeadings(*timeline);
        QCOMPARE(headings[0].clock, std::string("reference"));
        QCOMPARE(headings[1].clock, std::string("not aligned"));
        QVERIFY(!headings[1].isAligned);

        const auto lines = rowStatistics(*timeline, timeline->range, {});
        for (const char* name : {"python3 on db", "python3 on web"})
            QVERIFY2(std::ranges::any_of(lines, [&](const auto& line) { return line.name == name; }), name);

        const auto rows = EventTable(timeline).rows(0, 1);
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0].host, timeline->hosts[timeline->traces[rows[0].trace].host].label);
        QVERIFY(rows[0].traceName.ends_with("/kernel"));
        QCOMPARE(inaccuracyText(*timeline), QString("clocks not synchronized"));
    }

    void clocksThatAPersonRelatedAreNotDoubted()
    {
        const auto timeline = indexed(fixture("two-hosts-small"), m_stores, {{"db/kernel", Duration(5'217'910'000)}});
        QVERIFY(timeline);

        QCOMPARE(inaccuracyText(*timeline), QString());
        QVERIFY(unsynchronizedHosts(*timeline).empty());
    }

    void clocksThatPacketsRelateAreNotDoubted()
    {
        const auto timeline = indexed(fixture("two-hosts-small"), m_stores);
        QVERIFY(timeline);

        QCOMPARE(inaccuracyText(*timeline), QString());
        QStringList hosts;
        for (const Row& row : makeViewRows(*timeline, "control-flow").rows)
            if (row.kind == "host")
                hosts << QString::fromStdString(row.label);
        QCOMPARE(hosts, QStringList({"db", "web"}));
    }

    void lostEventsAreReportedAsDoubts()
    {
        const auto timeline = indexed(fixture("lossy-small"), m_stores);
        QVERIFY(timeline);

        const QString doubt = inaccuracyText(*timeline);
        QVERIFY2(doubt.startsWith("6") && doubt.endsWith("925 events lost"), qPrintable(doubt));
        QVERIFY(EventTable(timeline).rows(0, 1).at(0).host.empty());
    }

private:
    QTemporaryDir m_stores;
};

HELIO_TEST(NamedHostsTest)
#include "tst_named_hosts.moc"
