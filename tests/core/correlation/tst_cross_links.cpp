#include "core/correlation/inter_trace_links.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

constexpr LinkKind Packet = LinkKind::Packet;
constexpr LinkKind Own = LinkKind::FirstOwn;

std::vector<LinkKindInfo> kinds()
{
    std::vector<LinkKindInfo> all(std::size_t(Own) + 1);
    all[std::size_t(Packet)].id = "packet";
    all[std::size_t(Own)].id = "own";
    return all;
}

TrackRef track(std::uint32_t number) { return {StoreIndex{number / 4}, TrackId{number % 4}}; }

InterTraceLink link(std::uint32_t from, std::int64_t fromTime, std::uint32_t to, std::int64_t toTime, LinkKind kind = Packet)
{
    return {kind, track(from), track(to), timestamp(fromTime), timestamp(toTime), {}};
}

/// Random short and long links; some have an arrival before their departure.
std::vector<InterTraceLink> randomLinks(Dice& dice, std::size_t count)
{
    std::vector<InterTraceLink> links;
    for (std::size_t i = 0; i < count; ++i) {
        const auto from = std::int64_t(dice.below(1000));
        const auto length = std::int64_t(dice.below(dice.below(10) == 0 ? 600 : 20)) - 8;
        links.push_back(
            link(std::uint32_t(dice.below(6)), from, std::uint32_t(dice.below(6)), from + length, dice.below(2) ? Packet : Own));
    }
    return links;
}

/// Expected times at which the link begins or ends on the track; an end counts only if `choice` includes it.
std::vector<std::int64_t> touches(const InterTraceLink& it, TrackRef of, LinkFilter choice)
{
    std::vector<std::int64_t> times;
    if ((choice.kinds & bitOf(it.kind)) == 0)
        return times;
    if (choice.acceptsOutgoing && it.from == of)
        times.push_back(nanoseconds(it.fromTime));
    if (choice.acceptsIncoming && it.to == of)
        times.push_back(nanoseconds(it.toTime));
    return times;
}

} // namespace

class CrossLinksTest : public QObject {
    Q_OBJECT

private slots:
    void theyAreInOrder()
    {
        const InterTraceLinks links(kinds(), {link(1, 30, 5, 40), link(5, 10, 1, 25, Own), link(2, 20, 5, 21)});
        std::vector<std::int64_t> from;
        for (const InterTraceLink& it : links.all())
            from.push_back(nanoseconds(it.fromTime));
        QCOMPARE(from, (std::vector<std::int64_t>{10, 20, 30}));
    }

    void thoseOfNoKindAreDropped()
    {
        const InterTraceLinks links(kinds(), {link(1, 30, 5, 40, LinkKind::Wakeup), link(1, 30, 5, 40, LinkKind{31}), link(1, 30, 5, 40)});
        QCOMPARE(links.all().size(), std::size_t(1));
        QVERIFY(InterTraceLinks().around({timestamp(0), timestamp(100)}).empty());
        QVERIFY(!InterTraceLinks().next(track(1), timestamp(0)));
    }

    void aWindowHasAllThatOverlapIt()
    {
        Dice dice(7);
        const InterTraceLinks links(kinds(), randomLinks(dice, 400));
        for (int i = 0; i < 300; ++i) {
            const auto begin = std::int64_t(dice.below(1100)) - 50;
            const TimeRange window{timestamp(begin), timestamp(begin + std::int64_t(dice.below(300)))};
            std::vector<InterTraceLink> expected, found;
            for (const InterTraceLink& it : links.all())
                if (overlaps(it, window))
                    expected.push_back(it);
            for (const InterTraceLink& it : links.around(window))
                if (overlaps(it, window))
                    found.push_back(it);
            QVERIFY(found == expected);
        }
    }

    void theNextAndThePreviousOfATrackAreTheNearest()
    {
        Dice dice(11);
        const InterTraceLinks links(kinds(), randomLinks(dice, 200));
        for (int i = 0; i < 2000; ++i) {
            const TrackRef of = track(std::uint32_t(dice.below(7)));
            const auto at = std::int64_t(dice.below(1100)) - 50;
            const LinkFilter choice{dice.below(3) ? ~0u : bitOf(Own), dice.below(4) != 0, dice.below(4) != 0};
            std::optional<std::int64_t> after, before;
            for (const InterTraceLink& it : links.all())
                for (const std::int64_t time : touches(it, of, choice)) {
                    if (time > at && (!after || time < *after))
                        after = time;
                    if (time < at && (!before || time > *before))
                        before = time;
                }
            const InterTraceLink* next = links.next(of, timestamp(at), choice);
            const InterTraceLink* previous = links.previous(of, timestamp(at), choice);
            QCOMPARE(next != nullptr, after.has_value());
            QCOMPARE(previous != nullptr, before.has_value());
            QVERIFY(!next || std::ranges::count(touches(*next, of, choice), *after) > 0);
            QVERIFY(!previous || std::ranges::count(touches(*previous, of, choice), *before) > 0);
        }
    }
};

HELIO_TEST(CrossLinksTest)
#include "tst_cross_links.moc"
