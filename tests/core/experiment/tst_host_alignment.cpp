// Alignment of hosts' clocks. Input: correlations and the user's settings.

#include "core/experiment/host_alignment.h"
#include "core/network/clock_path.h"
#include "core/timesync/host_clocks.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t Epoch = 1'795'260'000'000'000'000;

/// Fit of a host's clock to another clock, which is `later` ahead; `error` is the error bound.
ClockFit fitOf(Duration later, Duration error)
{
    ClockFit fit;
    fit.quality = FitQuality::Accurate;
    fit.line = {hostTime(Epoch), timestamp(Epoch) + later, 0};
    for (const Duration at : {Duration(0s), Duration(10s)})
        fit.points.push_back({fit.line.at + at, fit.line.is + at, error});
    fit.span = {fit.line.at, fit.line.at + 10s};
    fit.surest = fit.line.at;
    fit.error = fit.lineError = fit.minError = error;
    return fit;
}

/// Timeline of hosts a, b, c, ... whose clocks were compared by packets.
Timeline timelineOf(std::size_t hosts, std::vector<HostClockPair> pairs)
{
    Timeline timeline;
    for (std::size_t host = 0; host < hosts; ++host) {
        const std::string name(1, static_cast<char>('a' + host));
        timeline.hosts.push_back({.id = "id " + name, .label = name});
    }
    auto relation = std::make_shared<Correlation>();
    auto comparisons = std::make_shared<std::vector<HostComparison>>();
    for (HostClockPair& pair : pairs)
        comparisons->push_back({std::move(pair), ClockMethod::Packets});
    relation->comparisons = comparisons;
    timeline.relations.push_back(relation);
    alignHosts(timeline);
    return timeline;
}

ClockOverride fromFile(Duration later, Duration error)
{
    ClockOverride given{ClockLine{hostTime(Epoch), timestamp(Epoch) + later, 0}, error};
    given.origin = ClockOrigin{ClockMethod::Packets, FitQuality::Accurate, error};
    return given;
}

} // namespace

class HostAlignmentTest : public QObject {
    Q_OBJECT

private slots:
    void messagesLeadToTheReference()
    {
        const Timeline timeline = timelineOf(3, {{1, 0, fitOf(5s, 7ns)}, {2, 1, fitOf(1s, 2ns)}});
        QVERIFY(timeline.hosts[0].method == ClockMethod::Reference);
        QCOMPARE(nanoseconds(timeline.hosts[2].clock(hostTime(Epoch))), Epoch + 6'000'000'000);
        QCOMPARE(ClockPath(timeline).errorBetween(0, 1, timestamp(Epoch) + 5s), Duration(7));
    }

    void aFitThatIsNoClockIsAFailureAndClaimsNothing()
    {
        const Timeline timeline = timelineOf(2, {{1, 0, fitOf(5s, -7ns)}});
        const TimelineHost& host = timeline.hosts[1];
        QVERIFY(host.quality == FitQuality::Failed);
        QVERIFY(host.method == ClockMethod::None);
        QVERIFY(!host.path.isReached && host.path.hosts.empty());
        QVERIFY(host.clock == ClockTransform());
        QCOMPARE(ClockPath(timeline).errorBetween(0, 1, timestamp(Epoch)), Duration::max());
    }

    /// Property: the clock of a host is not derived through another host whose clock comes from a file, because nothing confirms the file's
    /// error bound.
    void foundClocksAvoidClocksOfFiles()
    {
        Timeline timeline = timelineOf(3, {{1, 0, fitOf(5s, 600ns)}, {2, 1, fitOf(1s, 100ns)}});
        const ClockTransform found = timeline.hosts[1].clock;
        timeline.clockSettings.hosts["c"] = fromFile(6s, 700ns);
        alignHosts(timeline);
        QCOMPARE(timeline.hosts[1].path.hosts, std::vector<std::uint32_t>{0});
        QVERIFY(timeline.hosts[1].clock.points() == found.points());
        QVERIFY(timeline.hosts[1].method == ClockMethod::Packets);
        QVERIFY(timeline.hosts[2].method == ClockMethod::Manual);
    }

    void aOneWayClockOfAFileIsNoFreeWay()
    {
        Timeline timeline = timelineOf(3, {{1, 0, fitOf(5s, 600ns)}, {2, 1, fitOf(1s, 100ns)}});
        ClockOverride oneWay = fromFile(6s, Duration::max());
        oneWay.origin = ClockOrigin{ClockMethod::Packets, FitQuality::OneWay, Duration::max()};
        timeline.clockSettings.hosts["c"] = oneWay;
        alignHosts(timeline);
        QCOMPARE(timeline.hosts[1].path.hosts, std::vector<std::uint32_t>{0});
    }

    /// Property: a host with packets to the reference host keeps its clock if the user sets the clock of another host.
    void overrideMovesNoHostWithItsOwnPath()
    {
        Timeline timeline = timelineOf(3, {{1, 0, fitOf(5s, 600ns)}, {2, 1, fitOf(1s, 100ns)}});
        const ClockTransform found = timeline.hosts[1].clock;
        timeline.clockSettings.hosts["c"] = {ClockLine{hostTime(Epoch), timestamp(Epoch) + 55s, 0}};
        alignHosts(timeline);
        QCOMPARE(timeline.hosts[1].path.hosts, std::vector<std::uint32_t>{0});
        QVERIFY(timeline.hosts[1].clock.points() == found.points());
    }

    void aFilesClockHoldsThoughAnotherWayIsBetter()
    {
        Timeline timeline = timelineOf(3, {{1, 0, fitOf(5s, 10ns)}, {2, 1, fitOf(1s, 10ns)}});
        timeline.clockSettings.hosts["c"] = fromFile(7s, 700ns);
        alignHosts(timeline);
        QCOMPARE(timeline.hosts[2].path.hosts, std::vector<std::uint32_t>{0});
        QCOMPARE(nanoseconds(timeline.hosts[2].clock(hostTime(Epoch))), Epoch + 7'000'000'000);
        QCOMPARE(timeline.hosts[1].path.hosts, std::vector<std::uint32_t>{0});
    }

    /// Property: a host without another path to the reference host follows the clock that the user set, whose error is unknown.
    void hostsFollowAnOverriddenClock()
    {
        Timeline timeline = timelineOf(3, {{2, 1, fitOf(1s, 100ns)}});
        QVERIFY(!timeline.hosts[2].path.isReached);
        timeline.clockSettings.hosts["b"] = {ClockLine{hostTime(Epoch), timestamp(Epoch) + 5s, 0}};
        alignHosts(timeline);
        QCOMPARE(timeline.hosts[2].path.hosts, (std::vector<std::uint32_t>{1, 0}));
        QCOMPARE(nanoseconds(timeline.hosts[2].clock(hostTime(Epoch))), Epoch + 6'000'000'000);
    }

    /// Input: three hosts that are related to each other, but not to the reference. Property: they use the clock of the first one; the
    /// third is aligned through the second.
    void aGroupWithoutTheReferenceIsAlignedInItself()
    {
        const Timeline timeline = timelineOf(5, {{2, 1, fitOf(5s, 7ns)}, {3, 2, fitOf(1s, 2ns)}});
        QCOMPARE(timeline.hosts[2].path.hosts, std::vector<std::uint32_t>{1});
        QCOMPARE(timeline.hosts[3].path.hosts, (std::vector<std::uint32_t>{2, 1}));
        QVERIFY(timeline.hosts[1].clock == ClockTransform());
        QCOMPARE(nanoseconds(timeline.hosts[3].clock(hostTime(Epoch))), Epoch + 6'000'000'000);
        QVERIFY(timeline.hosts[2].method == ClockMethod::Packets && !timeline.hosts[2].path.isReached);
        QCOMPARE(rootOf(timeline, 3), 1u);
        QCOMPARE(rootOf(timeline, 4), 4u);
        QCOMPARE(ClockPath(timeline).errorBetween(1, 3, timestamp(Epoch) + 6s), Duration(9));
        QCOMPARE(ClockPath(timeline).errorBetween(0, 3, timestamp(Epoch) + 6s), Duration::max());
        const std::string sentence = sentenceOf(timeline, hostClocks(timeline)[2]);
        QVERIFY2(sentence.ends_with("; neither can be related to a"), sentence.c_str());
    }

    void theReferenceIsNotTheOneToDoubt()
    {
        ClockFit failed;
        failed.quality = FitQuality::Failed;
        const Timeline timeline = timelineOf(2, {{1, 0, failed}});
        QVERIFY(timeline.hosts[0].quality == FitQuality::None);
        QVERIFY(timeline.hosts[1].quality == FitQuality::Failed);
    }
};

HELIO_TEST(HostAlignmentTest)
#include "tst_host_alignment.moc"
