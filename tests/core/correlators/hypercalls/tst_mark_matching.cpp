// Matching of the recorded ends of hypercalls: the guest records one end of each direction, and its host the other one. Input: synthetic
// ends.

#include "core/correlators/hypercalls/hypercall_matching.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using hypercalls::ExchangeDirection;
using hypercalls::HypercallEnd;

namespace {

constexpr std::uint64_t Machine = 101;

HypercallEnd mark(std::uint32_t trace, std::int64_t time, std::uint64_t number, ExchangeDirection way, bool isInGuest,
                  std::uint64_t machine = Machine)
{
    return {hostTime(time), machine, number, trace, static_cast<std::int32_t>(trace), way, isInGuest};
}

/// Adds the ends of an exchange between guest (trace 0) and host (trace 1), as recorded on both.
void addExchange(std::vector<HypercallEnd>& marks, std::int64_t time, std::uint64_t number, std::uint64_t machine = Machine)
{
    marks.push_back(mark(0, time, number, ExchangeDirection::ToHost, true, machine));
    marks.push_back(mark(1, time + 1010, number, ExchangeDirection::ToHost, false, machine));
    marks.push_back(mark(1, time + 1010, number, ExchangeDirection::ToGuest, false, machine));
    marks.push_back(mark(0, time + 20, number, ExchangeDirection::ToGuest, true, machine));
}

Transmissions matched(std::vector<HypercallEnd> marks)
{
    return hypercalls::matchHypercallEnds(std::move(marks), 3,
                                          [](std::uint32_t trace, std::int32_t, HostTimestamp) { return trace == 1 ? 192 : 7; });
}

} // namespace

class MarkMatchingTest : public QObject {
    Q_OBJECT

private slots:
    void anExchangeIsAMessageEachWay()
    {
        std::vector<HypercallEnd> marks;
        addExchange(marks, 100, 1);
        const Transmissions messages = matched(marks);
        QCOMPARE(messages.kind, std::string(GuestMessages));
        QCOMPARE(messages.all.size(), std::size_t(2));
        const Transmission& there = messages.all[0];
        QCOMPARE(there.fromTrace, 0u);
        QCOMPARE(there.toTrace, 1u);
        QCOMPARE(nanoseconds(there.sent), 100);
        QCOMPARE(nanoseconds(there.received), 1110);
        QCOMPARE(there.receiver, 192);
        const Transmission& back = messages.all[1];
        QCOMPARE(back.fromTrace, 1u);
        QCOMPARE(nanoseconds(back.sent), 1110);
        QCOMPARE(nanoseconds(back.received), 120);
        QCOMPARE(messages.flows[there.flow].to, std::string("host"));
        QCOMPARE(messages.flows[back.flow].from, std::string("host"));
        QCOMPARE(messages.unmatched + messages.ambiguous, std::uint64_t(0));
    }

    /// Input: the program that makes exchanges was restarted, so that numbers repeat from 1. Property: equal numbers are matched in time
    /// order.
    void numbersThatComeAgainAreMatchedInOrder()
    {
        std::vector<HypercallEnd> marks;
        addExchange(marks, 100, 1);
        addExchange(marks, 9000, 1);
        const Transmissions messages = matched(marks);
        QCOMPARE(messages.all.size(), std::size_t(4));
        for (const Transmission& it : messages.all)
            QCOMPARE(std::abs(nanoseconds(it.received) - nanoseconds(it.sent) - (it.fromTrace == 0 ? 1010 : -990)), 0);
    }

    void whatOneSideSawMoreOftenIsLeftAlone()
    {
        std::vector<HypercallEnd> marks;
        addExchange(marks, 100, 1);
        addExchange(marks, 9000, 2);
        marks.push_back(mark(1, 20'000, 1, ExchangeDirection::ToHost, false));
        marks.push_back(mark(1, 30'000, 3, ExchangeDirection::ToHost, false));
        const Transmissions messages = matched(marks);
        QCOMPARE(messages.all.size(), std::size_t(3)); // Number 2 is matched in both directions, number 1 only from the host to the guest.
        QCOMPARE(messages.ambiguous, std::uint64_t(3));
        QCOMPARE(messages.unmatched, std::uint64_t(1));
    }

    void machinesAreToldApart()
    {
        std::vector<HypercallEnd> marks;
        addExchange(marks, 100, 1, 101);
        marks.push_back(mark(2, 100, 1, ExchangeDirection::ToHost, true, 102));
        const Transmissions messages = matched(marks);
        QCOMPARE(messages.all.size(), std::size_t(2));
        QCOMPARE(guestTraces(messages), (std::vector<std::uint32_t>{0, 2}));
    }

    void whoDoesWhatAGuestAsksForIsItsVcpu()
    {
        std::vector<HypercallEnd> marks;
        addExchange(marks, 100, 1);
        addExchange(marks, 500, 2);
        const auto seen = collectGuestEvidence(matched(marks));
        QCOMPARE(seen.size(), std::size_t(1));
        QCOMPARE(seen[0].guestTrace, 0u);
        QCOMPARE(seen[0].hostTrace, 1u);
        QCOMPARE(seen[0].hostTid, 192);
        QCOMPARE(seen[0].guestCpu, 0);
        QCOMPARE(seen[0].times, std::uint64_t(4));
        QVERIFY(collectGuestEvidence(Transmissions()).empty());
    }
};

HELIO_TEST(MarkMatchingTest)

#include "tst_mark_matching.moc"
