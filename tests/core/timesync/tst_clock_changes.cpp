#include "core/experiment/host_alignment.h"
#include "core/timesync/clock_changes.h"
#include "core/timesync/host_clocks.h"
#include "tests/support/made_hosts.h"
#include "tests/support/test_program.h"
#include "tests/support/two_hosts.h"

#include <QTemporaryDir>
#include <QTest>

using namespace helio;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t Web = 0;
constexpr std::uint32_t Db = 1;

} // namespace

/// Effects of changed clock settings on the clocks of two hosts that are related by packets.
class TestClockChanges : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_experiment = test::openedTwoHosts(m_stores.path().toStdString());
        m_found = m_experiment->timeline();
        QCOMPARE(m_found->hosts.size(), std::size_t(2));
        QVERIFY(m_found->hosts[Db].method == ClockMethod::Packets);
    }

    void anOffsetIsThereInTheMiddleOfTheTraces()
    {
        const auto timeline = with(withOffset(*m_found, {}, Db, 3s + 5ns));
        QVERIFY(timeline->hosts[Db].method == ClockMethod::Manual);
        QCOMPARE(hostClocks(*timeline)[Db].offset, Duration(3s + 5ns));
        QCOMPARE(offsetOf(*m_found, timeline->clockSettings, Db), Duration(3s + 5ns));
        QCOMPARE(hostClocks(*timeline)[Db].line.gain, hostClocks(*m_found)[Db].line.gain); // The drift does not change.
        // The error bound is unknown, because the user set a clock without an error bound.
        QCOMPARE(hostClocks(*timeline)[Db].bound, Duration::max());
        QVERIFY(givenOf(*timeline, timeline->clockSettings, Db)->line);
        QVERIFY(!givenOf(*timeline, timeline->clockSettings, Web));
    }

    void whatIsShiftedIsShiftedFromWhereItWas()
    {
        const auto once = with(shifted(*m_found, {}, Db, 20ms));
        const auto twice = with(shifted(*once, once->clockSettings, Db, -70ms));
        const HostTimestamp middle = middleOfHost(*m_found, Db);
        const Timestamp found = m_found->hosts[Db].clock(middle);
        QCOMPARE(nanoseconds(once->hosts[Db].clock(middle)), nanoseconds(found + 20ms));
        QCOMPARE(nanoseconds(twice->hosts[Db].clock(middle)), nanoseconds(found - 50ms));
        QCOMPARE(nanoseconds(twice->traces[Db].clock(middle)), nanoseconds(found - 50ms));
    }

    void aDriftTurnsAboutTheMiddle()
    {
        const ClockSettings choice = withGain(*m_found, {}, Db, ClockLine::PerOne / 1000);
        const HostTimestamp middle = middleOfHost(*m_found, Db);
        QCOMPARE(lineOf(*m_found, choice, Db).driftPpm(), 1000.0);
        QVERIFY(lineOf(*m_found, choice, Db)(middle) == m_found->hosts[Db].clock(middle));
    }

    void aMomentOfOneHostIsOneOfTheOther()
    {
        const HostTimestamp at = middleOfHost(*m_found, Db) - 100ms;
        const auto timeline = with(withMoment(*m_found, {}, Db, at, m_found->range.begin));
        QCOMPARE(nanoseconds(timeline->hosts[Db].clock(at)), nanoseconds(m_found->range.begin));
    }

    void rawTimesAreThoseThatWereRecorded()
    {
        const auto timeline = with(withRawTimes(*m_found, {}, Db));
        const HostTimestamp middle = middleOfHost(*m_found, Db);
        QCOMPARE(nanoseconds(timeline->traces[Db].clock(middle)), nanoseconds(middle));
        QVERIFY(!timeline->hosts[Db].isSynchronized);
        QVERIFY(givenOf(*timeline, timeline->clockSettings, Db));
        QCOMPARE(offsetOf(*m_found, timeline->clockSettings, Db), Duration());
    }

    void whatIsAlignedAgainIsAsItWasFound()
    {
        const ClockSettings byHand = withOffset(*m_found, {}, Db, 1h);
        const auto timeline = with(withoutClockOverride(*m_found, byHand, Db));
        QVERIFY(timeline->clockSettings == ClockSettings());
        QVERIFY(timeline->hosts[Db].method == ClockMethod::Packets);
        QCOMPARE(hostClocks(*timeline)[Db].offset, hostClocks(*m_found)[Db].offset);
    }

    void theReferencesOwnClockIsNotMoved()
    {
        QVERIFY(withOffset(*m_found, {}, Web, 1s) == ClockSettings());
        QVERIFY(shifted(*m_found, {}, Web, 1s) == ClockSettings());
        QVERIFY(withRawTimes(*m_found, {}, Web) == ClockSettings());
    }

    void anotherReferenceLeavesWhatWasFoundBesideEachOther()
    {
        const auto timeline = with(withReference(*m_found, {}, Db));
        QCOMPARE(timeline->reference, Db);
        QVERIFY(timeline->hosts[Web].method == ClockMethod::Packets);
        const Timestamp before = m_found->hosts[Db].clock(middleOfHost(*m_found, Db));
        const Timestamp now = convertTimeBetween(*timeline, *m_found, before);
        QVERIFY(std::abs(nanoseconds(now) - nanoseconds(middleOfHost(*m_found, Db))) <= 1);
        QVERIFY(convertTimeBetween(*m_found, *m_found, before) == before);
    }

    void anotherReferenceLeavesWhatWasSetByHandBesideEachOther()
    {
        const auto byHand = with(withGain(*m_found, withOffset(*m_found, {}, Db, 7s), Db, 40'000'000'000'000));
        const auto turned = with(withReference(*byHand, byHand->clockSettings, Db));
        QVERIFY(turned->hosts[Web].method == ClockMethod::Manual);
        const HostTimestamp db = middleOfHost(*m_found, Db);
        const HostTimestamp web = hostTime(nanoseconds(byHand->hosts[Db].clock(db)));
        QVERIFY(std::abs(nanoseconds(turned->hosts[Web].clock(web)) - nanoseconds(db)) <= 2);
        const auto back = withReference(*turned, turned->clockSettings, Web);
        QVERIFY(std::abs((offsetOf(*m_found, back, Db) - Duration(7s)).count()) <= 2);
    }

    void anotherReferenceTakesThePointsOfClocksAlong()
    {
        const auto made = MadeHosts::make(); // Times are on web's clock.
        const auto point = [](std::int64_t at, std::int64_t is, std::int64_t error = 3) {
            return ClockPoint{hostTime(at), timestamp(is), Duration(error)};
        };
        ClockSettings choice;
        const std::vector<ClockPoint> ofDb{point(0, 7'000), point(1'000, 8'000), point(2'000, 9'100)};
        const std::vector<ClockPoint> ofClient{point(0, -500), point(8'000, 7'600), point(9'000, 8'500)};
        choice.hosts["db"] = {ClockLine{hostTime(0), timestamp(7'000), 0}, {}, ofDb, true};
        choice.hosts["client"] = {ClockLine{hostTime(0), timestamp(-500), 0}, {}, ofClient};
        choice.hosts["spare"] = {ClockLine{hostTime(0), timestamp(40), 0}};
        const ClockSettings now = withReference(*made, choice, MadeHosts::Db);
        QCOMPARE(now.hosts.size(), std::size_t(3));
        const auto clockOf = [](const ClockOverride& given) { return *ClockTransform::through(given.points); };
        const ClockTransform db = clockOf(choice.hosts.at("db"));
        for (std::int64_t at = -500; at <= 11'000; at += 125) {
            const Timestamp onClient = clockOf(choice.hosts.at("client"))(hostTime(at));
            const std::pair<HostTimestamp, Timestamp> pairs[] = {
                {db.inverse(timestamp(at)), clockOf(now.hosts.at("web"))(hostTime(at))},
                {db.inverse(onClient), clockOf(now.hosts.at("client"))(hostTime(at))},
                {db.inverse(timestamp(at + 40)), clockOf(now.hosts.at("spare"))(hostTime(at))},
            };
            for (const auto& [expected, is] : pairs)
                QVERIFY2(std::abs(nanoseconds(expected) - nanoseconds(is)) <= 2, qPrintable(QString::number(at)));
        }
        QVERIFY(now.hosts.at("web").isBent);
    }

    void anotherReferenceTurnsTheBendsOfAClockToo()
    {
        const auto bent = with(bentDb());
        const auto turned = with(withReference(*bent, bent->clockSettings, Db));
        QCOMPARE(turned->reference, Db);
        QVERIFY(turned->hosts[Web].method == ClockMethod::Manual);
        QVERIFY(givenOf(*turned, turned->clockSettings, Web)->isBent);
        QCOMPARE(hostClocks(*turned)[Web].minError, Duration(40));
        for (const Duration off : {-300ms, -1ms, 0ms, 1ms, 300ms}) {
            const HostTimestamp db = middleOfHost(*m_found, Db) + off;
            const HostTimestamp web = hostTime(nanoseconds(bent->hosts[Db].clock(db)));
            QVERIFY(std::abs(nanoseconds(turned->hosts[Web].clock(web)) - nanoseconds(db)) <= 2);
        }
    }

    void clocksBehindAReferenceAreLedOnWithTheirErrors()
    {
        const HostTimestamp at = middleOfHost(*m_found, Db);
        ClockSettings choice = bentDb();
        choice.hosts["elsewhere"] = {ClockLine{at, timestamp(nanoseconds(at)) + 1s, 0}, Duration(7)};
        const auto bent = with(choice);
        const ClockOverride other = withReference(*bent, choice, Db).hosts.at("elsewhere");
        QCOMPARE(other.points.size(), std::size_t(3));
        QVERIFY(other.isBent);
        QCOMPARE(other.error, Duration(97));
        for (const ClockPoint& point : other.points) { // Time on web's clock at which db's clock shows `point.experiment`.
            const Timestamp web = bent->hosts[Db].clock(hostTime(nanoseconds(point.experiment)));
            QCOMPARE(nanoseconds(web), nanoseconds(point.host) + 1'000'000'000);
        }
        QCOMPARE(other.points[1].error, Duration(47));
    }

    void aBentClockThatIsTouchedStaysBent()
    {
        const auto bent = with(bentDb());
        QVERIFY(with(shifted(*bent, bent->clockSettings, Db, 0s))->hosts[Db].clock(middleOfHost(*m_found, Db) - 300ms)
                == bent->hosts[Db].clock(middleOfHost(*m_found, Db) - 300ms));
        const auto moved = with(shifted(*bent, bent->clockSettings, Db, 3ms));
        for (const Duration off : {-300ms, 0ms, 300ms}) {
            const HostTimestamp at = middleOfHost(*m_found, Db) + off;
            QCOMPARE(nanoseconds(moved->hosts[Db].clock(at)), nanoseconds(bent->hosts[Db].clock(at) + 3ms));
        }
        const HostTimestamp middle = middleOfHost(*m_found, Db);
        QCOMPARE(offsetOf(*bent, bent->clockSettings, Db), Duration(5s));
        const auto straight = with(withGain(*bent, bent->clockSettings, Db, 0));
        QCOMPARE(nanoseconds(straight->hosts[Db].clock(middle)), nanoseconds(bent->hosts[Db].clock(middle)));
    }

    void aFileSaysItOfHostsThatAreHere()
    {
        ClockSettings file;
        file.reference = "db";
        file.hosts["web"] = {ClockLine{hostTime(10), timestamp(7), 0}, Duration(5)};
        file.hosts["elsewhere"] = {};
        const auto timeline = with(*withAll(*m_found, {}, file));
        QCOMPARE(timeline->reference, Db);
        QCOMPARE(timeline->clockSettings.hosts.size(), std::size_t(1));
        QCOMPARE(hostClocks(*timeline)[Web].offset, Duration(-3));
    }

    void aFileWhoseReferenceIsElsewhereRelatesThoseThatAreHere()
    {
        const HostTimestamp at = middleOfHost(*m_found, Db);
        const Timestamp is = timestamp(nanoseconds(at));
        ClockSettings file;
        file.reference = "client";
        file.hosts["web"] = {ClockLine{at, is + 4s, 0}, Duration(5)};
        file.hosts["db"] = {ClockLine{at, is + 9s, 0}, Duration(6)};
        const auto timeline = with(*withAll(*m_found, {}, file));
        QCOMPARE(timeline->reference, Web);
        QCOMPARE(hostClocks(*timeline)[Db].offset, Duration(5s));
        QCOMPARE(hostClocks(*timeline)[Db].error, Duration(11));
    }

    void aFileOfOtherHostsIsRefused()
    {
        ClockSettings file;
        file.reference = "client";
        file.hosts["proxy"] = {ClockLine{hostTime(1), timestamp(2), 0}, Duration(5)};
        const auto refused = withAll(*m_found, {}, file);
        QVERIFY(!refused);
        QVERIFY(refused.error().what.find("client, proxy") != std::string::npos);
    }

    void aClockSetByHandComesBeforeAnOffsetOfATrace()
    {
        ExperimentOptions options;
        options.storeDirectory = m_stores.path().toStdString();
        options.offsets["db/kernel"] = 1s;
        auto experiment = Experiment::open({test::twoHostsPath("web"), test::twoHostsPath("db")}, options);
        QVERIFY(experiment);
        (*experiment)->start();
        QVERIFY((*experiment)->wait());
        const auto before = (*experiment)->timeline();
        const HostTimestamp middle = middleOfHost(*before, Db);
        QCOMPARE(nanoseconds(before->traces[Db].clock(middle)), nanoseconds(middle) + 1'000'000'000);
        (*experiment)->setClocks(withOffset(*before, {}, Db, 2s));
        QCOMPARE(nanoseconds((*experiment)->timeline()->traces[Db].clock(middle)), nanoseconds(middle) + 2'000'000'000);
        (*experiment)->setClocks({});
        QCOMPARE(nanoseconds((*experiment)->timeline()->traces[Db].clock(middle)), nanoseconds(middle) + 1'000'000'000);
    }

    void offsetsBeyondAllTimesDoNotOverflow()
    {
        for (const Duration offset : {Duration::min(), Duration::max()}) {
            const auto timeline = with(shifted(*m_found, withOffset(*m_found, {}, Db, offset), Db, offset));
            QVERIFY(timeline->range.begin <= timeline->range.end);
        }
        (void)with({});
    }

private:
    /// Settings in which db's clock is 5 s behind in the middle of its traces, where the drift changes its sign; a straight line differs
    /// by up to 4 ms.
    ClockSettings bentDb() const
    {
        const HostTimestamp at = middleOfHost(*m_found, Db);
        const Timestamp is = timestamp(nanoseconds(at)) + 5s;
        ClockOverride db{ClockLine{at, is + 4ms, 0}, Duration(90), {}, true};
        db.points = {{at - 10s, is - 10s + 5ms, Duration(90)}, {at, is, Duration(40)}, {at + 10s, is + 10s + 5ms, Duration(90)}};
        return {"web", {{"db", db}}};
    }

    std::shared_ptr<const Timeline> with(const ClockSettings& choice)
    {
        m_experiment->setClocks(choice);
        return m_experiment->timeline();
    }

    QTemporaryDir m_stores;
    std::unique_ptr<Experiment> m_experiment;
    std::shared_ptr<const Timeline> m_found;
};

HELIO_TEST(TestClockChanges)
#include "tst_clock_changes.moc"
