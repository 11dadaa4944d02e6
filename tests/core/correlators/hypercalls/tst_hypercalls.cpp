// Clocks of guests from hypercalls. Input: synthetic traces, and recorded traces with known true offsets.

#include "core/correlation/guests.h"
#include "core/experiment/experiment.h"
#include "core/timesync/host_clocks.h"
#include "tests/support/made_guest_trace.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

using Event = MadeExchangeEvent;

constexpr qint64 Begin = 1'795'260'000'000'000'000;
constexpr qint64 Step = 10'000'000;

std::shared_ptr<const Timeline> opened(const std::vector<std::filesystem::path>& traces, const QTemporaryDir& stores)
{
    ExperimentOptions options;
    options.storeDirectory = stores.filePath("stores").toStdString();
    auto experiment = Experiment::open(traces, options);
    if (!experiment)
        qFatal("%s", experiment.error().what.c_str());
    (*experiment)->start();
    if (!(*experiment)->wait())
        qFatal("not indexed");
    return (*experiment)->timeline();
}

std::filesystem::path pathOf(const QTemporaryDir& folder, const char* host) { return folder.filePath(host).toStdString(); }

/// Adds exchanges between a guest and its host, as texts or as events. The guest's clock is `ahead` of the host's; an exchange takes 2 us
/// from the guest to the host, and 3 us back.
void addExchanges(std::vector<Event>& guest, std::vector<Event>& host, quint64 machine, qint64 ahead, bool areTexts)
{
    for (quint64 i = 1; i <= 50; ++i) {
        const qint64 at = Begin + qint64(i) * Step + qint64(machine) * 1000;
        const QByteArray tail = ' ' + QByteArray::number(machine) + ' ' + QByteArray::number(i);
        if (areTexts) {
            guest.push_back({at - 2'000 + ahead, Event::Text, "gh" + tail});
            guest.push_back({at + 3'000 + ahead, Event::Text, "hg" + tail});
            host.push_back({at, Event::Hypercall, {}, i, machine});
        } else {
            guest.push_back({at - 2'000 + ahead, Event::ToHostInGuest, {}, i, machine});
            guest.push_back({at + 3'000 + ahead, Event::ToGuestInGuest, {}, i, machine});
            host.push_back({at, Event::ToHostInHost, {}, i, machine});
            host.push_back({at + 1, Event::ToGuestInHost, {}, i, machine});
        }
    }
}

void write(const QTemporaryDir& folder, const char* host, int number, std::vector<Event> events)
{
    std::ranges::stable_sort(events, {}, &Event::time);
    QVERIFY(writeExchangeTrace(folder.path(), host, number, events));
}

const HostClockFacts& clockOf(const std::vector<HostClockFacts>& all, const char* label)
{
    const auto found = std::ranges::find(all, label, &HostClockFacts::label);
    if (found == all.end())
        qFatal("no host %s", label);
    return *found;
}

} // namespace

class HypercallsTest : public QObject {
    Q_OBJECT

private slots:
    void clocksFollowFromTextsAndFromEvents_data()
    {
        QTest::addColumn<bool>("areTexts");
        QTest::newRow("texts") << true;
        QTest::newRow("events") << false;
    }
    void clocksFollowFromTextsAndFromEvents()
    {
        QFETCH(bool, areTexts);
        QTemporaryDir folder;
        std::vector<Event> guest, host;
        addExchanges(guest, host, 101, 5'000'000'000, areTexts);
        host.push_back({Begin + 5, Event::Hypercall, {}, 1, 101, 9}); // A hypercall with the number 9, which belongs to no exchange.
        guest.push_back({Begin + 5, Event::Text, "gh 101"}); // The text lacks the number of a hypercall, so it is ignored.
        guest.push_back({Begin + 6, Event::Text, "gh 101 1x"});
        write(folder, "host", 1, host);
        write(folder, "guest", 2, guest);
        const auto timeline = opened({pathOf(folder, "host"), pathOf(folder, "guest")}, folder);
        const auto clocks = hostClocks(*timeline);
        const HostClockFacts& clock = clockOf(clocks, "guest");
        QVERIFY(clock.method == ClockMethod::Hypercalls);
        QVERIFY(clock.quality == FitQuality::Accurate);
        QCOMPARE(clock.matchesTo + clock.matchesFrom, std::size_t(100));
        const Duration off = clock.offset + Duration(5'000'000'000);
        QVERIFY2(std::chrono::abs(off) <= clock.error && clock.error < Duration(100'000),
                 qPrintable(QString("%1 of %2").arg(off.count()).arg(clock.error.count())));
        QVERIFY(clock.minError < Duration(5'000));
    }

    /// Property: for a guest inside a guest, the clock offset and the error bound are the sums over both pairs of guest and host.
    void nestedGuestsCompose()
    {
        QTemporaryDir folder;
        std::vector<Event> outer, host, inner;
        addExchanges(outer, host, 101, 5'000'000'000, true);
        std::vector<Event> inOuter;
        addExchanges(inner, inOuter, 7, -9'000'000'000, true);
        for (Event it : inOuter) {
            it.time += 5'000'000'000; // Converts the event's time to the outer guest's clock.
            outer.push_back(it);
        }
        for (Event& it : inner)
            it.time += 5'000'000'000;
        write(folder, "host", 1, host);
        write(folder, "outer", 2, outer);
        write(folder, "inner", 3, inner);
        const auto timeline = opened({pathOf(folder, "host"), pathOf(folder, "inner"), pathOf(folder, "outer")}, folder);
        const auto clocks = hostClocks(*timeline);
        const HostClockFacts& clock = clockOf(clocks, "inner");
        QVERIFY(clock.method == ClockMethod::Hypercalls);
        QCOMPARE(clock.path.size(), std::size_t(3));
        QVERIFY(std::chrono::abs(clock.offset - Duration(4'000'000'000)) <= clock.error);
        QVERIFY(clock.minError >= clockOf(clocks, "outer").minError);
    }

    void aGuestSaysSoItself()
    {
        QTemporaryDir folder;
        write(folder, "guest", 1, {{Begin, Event::Text, "hello"}, {Begin + 1, Event::Text, "gh 101 1"}});
        const auto timeline = opened({pathOf(folder, "guest")}, folder);
        std::vector<std::uint32_t> guests;
        for (const auto& relation : timeline->relations)
            if (relation && relation->messages)
                std::ranges::copy(guestTraces(*relation->messages), std::back_inserter(guests));
        QCOMPARE(guests, std::vector<std::uint32_t>{0});
    }

    void recordedGuestsLieWithinTheTruth()
    {
        HELIO_REQUIRE_TRACE(path, "host-guest");
        QTemporaryDir folder;
        const std::filesystem::path at = path.toStdString();
        const auto timeline = opened({at / "host", at / "guestA", at / "guestB"}, folder);
        const auto clocks = hostClocks(*timeline);
        struct Truth {
            const char* host;
            std::int64_t low, high; // Bounds of the true offset, host minus guest, constant over the run (from vmsync-truth.txt).
            std::size_t exchanges;
        };
        for (const Truth& it :
             {Truth{"guestA", -37'245'277'361, -37'245'129'192, 48}, Truth{"guestB", 13'105'105'290, 13'105'243'917, 166}}) {
            const HostClockFacts& clock = clockOf(clocks, it.host);
            QVERIFY(clock.method == ClockMethod::Hypercalls);
            QCOMPARE(clock.matchesTo, it.exchanges);
            QCOMPARE(clock.matchesFrom, it.exchanges);
            QCOMPARE(clock.outliers, std::size_t(0));
            // Property: between the first and the last exchange, the clock's error bound includes all offsets from `low` to `high`, the
            // limits of the true offset, with a tolerance of 1 µs.
            const TimelineHost& host = timeline->hosts[clock.host];
            for (const HostTimestamp t : {host.path.fit.span.begin, host.path.fit.surest, host.path.fit.span.end}) {
                const std::int64_t offset = nanoseconds(host.clock(t)) - nanoseconds(t);
                QVERIFY2(it.low <= offset && offset <= it.high, qPrintable(QString::number(offset)));
                const std::int64_t error = host.clock.errorAt(t).count();
                QVERIFY(offset - error <= it.low + 1000 && it.high - 1000 <= offset + error);
            }
        }
    }
};

HELIO_TEST(HypercallsTest)

#include "tst_hypercalls.moc"
