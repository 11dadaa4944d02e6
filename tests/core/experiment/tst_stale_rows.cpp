// Input: clocks that change while a correlator makes rows, which have times on the experiment's time axis. Property: no row keeps times by
// the old clocks.

#include "tests/support/made_relation.h"
#include "tests/support/test_program.h"
#include "tests/support/two_hosts.h"

#include <QTemporaryDir>
#include <QTest>

using namespace helio;
using namespace std::chrono_literals;

class StaleRowsTest : public QObject {
    Q_OBJECT

private slots:
    void rowsAreMadeAgainWhereClocksChangedMeanwhile()
    {
        ClockSettings byHand;
        byHand.hosts["db"] = {ClockLine{hostTime(0), Timestamp(7s), 0}, Duration(1)};
        Experiment* experiment = nullptr;
        std::vector<Duration> seen; // Offset of db's clock at each computation of the rows.
        const auto kind = std::make_shared<test::MadeRelation>(
            "rows", Correlator::When::Indexed, [&](const Timeline& timeline, const CorrelatorRequest&, const std::stop_token&) {
                seen.push_back(timeline.traces[1].clock.offset());
                if (seen.size() == 1)
                    experiment->setClocks(byHand);
                Correlation found;
                found.rows.push_back({0, nullptr});
                return found;
            });
        auto relations = std::make_shared<CorrelatorRegistry>();
        QVERIFY(relations->add(kind));
        const QTemporaryDir stores;
        ExperimentOptions options;
        options.storeDirectory = stores.path().toStdString();
        options.relations = relations;
        auto opened = Experiment::open({test::twoHostsPath("web"), test::twoHostsPath("db")}, options);
        QVERIFY(opened);
        experiment = opened->get();
        experiment->start();
        QVERIFY(experiment->wait());
        QCOMPARE(seen, (std::vector<Duration>{0s, 7s}));
        QVERIFY(experiment->timeline()->clockSettings == byHand);
    }
};

HELIO_TEST(StaleRowsTest)
#include "tst_stale_rows.moc"
