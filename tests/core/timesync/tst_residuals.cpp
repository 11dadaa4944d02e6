// Residuals of packets: transit times by a host's current clock. Input: clocks that were found or set by the user.

#include "core/timesync/clock_changes.h"
#include "core/timesync/host_clocks.h"
#include "core/timesync/link_ends.h"
#include "core/timesync/residuals.h"
#include "tests/support/made_hosts.h"
#include "tests/support/test_program.h"
#include "tests/support/two_hosts.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>

using namespace helio;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t Web = 0;
constexpr std::uint32_t Db = 1;

std::map<std::uint32_t, Residual> byMessage(const Residuals& residuals)
{
    std::map<std::uint32_t, Residual> all;
    for (const Residual& it : residuals.points)
        all[it.transmission] = it;
    return all;
}

Duration wayOf(const Residual& it) { return it.isArrival ? -it.signedTransit : it.signedTransit; }

/// Timeline in which the user set db's clock relative to web, wrong by 7 µs. Db exchanges packets with client only: every 10 µs, in both
/// directions, with a transit time of 100 ns each.
Timeline setByHand(int packets)
{
    Timeline timeline = *MadeHosts::make({{MadeHosts::Db, MadeHosts::Client, 0, 0}});
    auto relation = std::make_shared<Correlation>(*timeline.relations[0]);
    auto messages = std::make_shared<Transmissions>(*relation->messages);
    messages->all.clear();
    HostComparison compared;
    compared.pair.here = MadeHosts::Db;
    compared.pair.there = MadeHosts::Client;
    compared.method = ClockMethod::Packets;
    for (int i = 0; i < packets; ++i) {
        Transmission message;
        message.fromTrace = i % 2 == 0 ? MadeHosts::Db : MadeHosts::Client;
        message.toTrace = i % 2 == 0 ? MadeHosts::Client : MadeHosts::Db;
        message.sent = hostTime(i * 10'000);
        message.received = message.sent + Duration(100);
        compared.messages.push_back(std::uint32_t(i));
        messages->all.push_back(message);
    }
    relation->messages = messages;
    relation->comparisons = std::make_shared<const std::vector<HostComparison>>(std::vector{compared});
    timeline.relations = {relation};
    TimelineHost& db = timeline.hosts[MadeHosts::Db];
    db.method = ClockMethod::Manual;
    db.path.hosts = {MadeHosts::Web};
    db.path.fit.error = {};
    db.clock = timeline.traces[MadeHosts::Db].clock = ClockTransform(7us);
    return timeline;
}

} // namespace

class ResidualsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_experiment = test::openedTwoHosts(m_stores.path().toStdString());
        m_found = m_experiment->timeline();
        QVERIFY(m_found->hosts[Db].method == ClockMethod::Packets);
    }

    void distancesAreThoseOfThePacketsEnds()
    {
        const Residuals found = computeResiduals(*m_found, Db);
        QCOMPARE(found.all, std::size_t(63));
        QCOMPARE(found.points.size(), found.all);
        QCOMPARE(found.early, std::size_t(0));
        QVERIFY(!found.isOfClockOverride && !found.bounds.empty());
        for (const Residual& it : found.points) {
            const MessageEnds ends = endsOf(*m_found, found.relation, it.transmission);
            QCOMPARE(wayOf(it), ends.to.at - ends.from.at);
            QVERIFY(it.at == (it.isArrival ? ends.to.at : ends.from.at));
            QCOMPARE(ends.to.host == Db, it.isArrival);
        }
    }

    void aClockThatWasSetByHandIsSeenAgainstThePackets()
    {
        const Residuals found = computeResiduals(*m_found, Db);
        const auto timeline = with(shifted(*m_found, {}, Db, 300ms));
        const Residuals given = computeResiduals(*timeline, Db);
        QVERIFY(given.isOfClockOverride);
        QCOMPARE(given.neighbour, Web);
        QCOMPARE(given.points.size(), found.points.size());
        QVERIFY(given.bounds.empty()); // There are no bounds, because a clock set by the user has no known error.
        const auto before = byMessage(found);
        std::size_t early = 0;
        for (const auto& [message, it] : byMessage(given)) {
            const Duration expected = before.at(message).signedTransit - 300ms;
            // Tolerance of 1 us: the clock override has one drift, but the clock found from packets has a drift for each of its pieces.
            QVERIFY(std::chrono::abs(it.signedTransit - expected) < 1us);
            early += wayOf(it) < Duration{};
        }
        QCOMPARE(given.early, early);
        QVERIFY(early > 0);
        // The count that the header and the status bar show must equal the count of the residuals.
        const CausalityViolations& known = timeline->hosts[Db].early;
        QCOMPARE(known.count, early);
        QCOMPARE(known.of, given.all);
        QVERIFY(known.contradictsClock());
        QCOMPARE(causalityViolationsText(*timeline, Db), std::to_string(early) + " of 63 packets arrive before they were sent");
        const auto facts = hostClocks(*timeline)[Db];
        QVERIFY(sentenceOf(*timeline, facts).ends_with(", set by hand, accuracy unknown; " + causalityViolationsText(*timeline, Db)));
        QCOMPARE(m_found->hosts[Db].early.of, std::size_t(0)); // Only clocks set by the user are checked for early packets.
        QVERIFY(!with(shifted(*m_found, {}, Db, 0ms))->hosts[Db].early.contradictsClock());
        QVERIFY(early > 10 && early < given.all); // All packets that left db are early, because each took less than 300 ms.
    }

    void whatAPersonSaysOfTheErrorIsTheBound()
    {
        ClockSettings choice = shifted(*m_found, {}, Db, {});
        choice.hosts.begin()->second.error = 40us;
        choice.hosts.begin()->second.line->gain = 0;
        const Residuals given = computeResiduals(*with(choice), Db);
        QVERIFY(!given.bounds.empty());
        for (const ResidualBound& it : given.bounds)
            QCOMPARE(it.error, Duration(40us));
        QVERIFY(std::chrono::abs(given.bounds.front().at - given.points.front().at) <= Duration(1));
    }

    void ofRawTimesThereIsNothingToSay()
    {
        QVERIFY(computeResiduals(*with(withRawTimes(*m_found, {}, Db)), Db).points.empty());
        QVERIFY(computeResiduals(*with({}), Web).points.empty()); // The reference host has no residuals.
        Timeline unaligned = *m_found;
        unaligned.appliesClocks = false;
        QVERIFY(computeResiduals(unaligned, Db).points.empty());
    }

    void withoutPacketsToTheReferenceThoseToAnotherHostCount()
    {
        const Timeline timeline = setByHand(10);
        const Residuals given = computeResiduals(timeline, MadeHosts::Db);
        QCOMPARE(given.neighbour, std::uint32_t(MadeHosts::Client));
        QCOMPARE(given.points.size(), std::size_t(10));
        for (const Residual& it : given.points)
            QCOMPARE(wayOf(it), it.isArrival ? Duration(100 + 7'000) : Duration(100 - 7'000));
        QCOMPARE(given.early, std::size_t(5));
        Timeline nowhere = timeline;
        nowhere.hosts[MadeHosts::Client].path = {};
        QVERIFY(computeResiduals(nowhere, MadeHosts::Db).points.empty());
    }

    void ofVeryManyBothWaysStay()
    {
        const Residuals given = computeResiduals(setByHand(4'000), MadeHosts::Db, 800);
        QCOMPARE(given.all, std::size_t(4'000));
        QCOMPARE(given.points.size(), std::size_t(800));
        QCOMPARE(std::ranges::count_if(given.points, &Residual::isArrival), 400);
        QVERIFY(std::ranges::is_sorted(given.points, {}, &Residual::at));
    }

    void clocksBeyondAllTimesDoNotOverflow()
    {
        for (const Duration offset : {Duration::min(), Duration::max()}) {
            Timeline timeline = setByHand(10);
            timeline.traces[MadeHosts::Db].clock = timeline.hosts[MadeHosts::Db].clock = ClockTransform(offset);
            for (const Residual& it : computeResiduals(timeline, MadeHosts::Db).points)
                QVERIFY(std::chrono::abs(it.signedTransit) >= Duration(std::int64_t(1) << 61));
        }
    }

private:
    std::shared_ptr<const Timeline> with(const ClockSettings& choice)
    {
        m_experiment->setClocks(choice);
        return m_experiment->timeline();
    }

    QTemporaryDir m_stores;
    std::unique_ptr<Experiment> m_experiment;
    std::shared_ptr<const Timeline> m_found;
};

HELIO_TEST(ResidualsTest)
#include "tst_residuals.moc"
