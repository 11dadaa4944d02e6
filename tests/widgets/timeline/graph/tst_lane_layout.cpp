#include "tests/support/made_states.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/lanes/lane_layout.h"

#include <QTest>

using namespace helio;
using namespace std::chrono_literals;

namespace {

const StateSet Threads = test::statesNamed(
    "thread", {"unknown", "running-user", "running-syscall", "blocked", "sleeping", "wait-cpu", "preempted", "interrupted"});
enum : std::uint8_t { Unknown, User, Syscall, Blocked, Sleeping, WaitCpu, Preempted, Interrupted };

constexpr int Band = 16; // Lane height in pixels, so that a state's height in sixteenths of it is in pixels, too.

Timestamp at(Duration t) { return Timestamp(t); }

Span pure(Duration from, Duration to, std::uint8_t state, std::uint32_t value = 0)
{
    return {{at(from), at(to)}, to - from, 1, value, 1U << state, 0, State{state}};
}

LaneLayout laidOut(const Spans& spans, TimeRange window, int width)
{
    LaneLayout lane;
    const StateLooks looks = Theme::make(Theme::Kind::Dark).looksOf(Threads);
    layOutLane(spans, {looks, StackOrder(looks)}, {TimeScale(window, width), 0, width, window.begin}, Band, lane);
    return lane;
}

/// States in a column with their heights, from the baseline up.
std::vector<LaneStateShare> stackAt(const LaneLayout& lane, int x)
{
    for (const LaneRun& run : lane.runs) {
        if (x >= run.x && x < run.x + run.width)
            return {lane.parts.begin() + run.firstPart, lane.parts.begin() + run.firstPart + run.parts};
    }
    return {};
}

} // namespace

class LaneLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void aStateFillsItsTimeAtItsOwnHeight()
    {
        const Spans spans{{pure(200ns, 500ns, User), pure(500ns, 800ns, WaitCpu)}, {}};

        const LaneLayout lane = laidOut(spans, {at(0ns), at(1000ns)}, 100);

        QCOMPARE(lane.runs.size(), std::size_t(2));
        QCOMPARE(lane.runs[0].x, 20);
        QCOMPARE(lane.runs[0].width, 30);
        QCOMPARE(stackAt(lane, 20), (std::vector<LaneStateShare>{{User, 0, 16}}));
        QCOMPARE(stackAt(lane, 79), (std::vector<LaneStateShare>{{WaitCpu, 0, 8}}));
        QVERIFY(stackAt(lane, 80).empty());
    }

    void aStateTooShortToSeeIsStillOnePixelHigh()
    {
        const Spans spans{{pure(0ns, 30min, Sleeping), pure(30min, 30min + 1us, User), pure(30min + 1us, 1h, Sleeping)}, {}};

        const LaneLayout lane = laidOut(spans, {at(0ns), at(1h)}, 101);

        QCOMPARE(stackAt(lane, 50).front(), (LaneStateShare{User, 0, 1}));
    }

    /// Property: a rare state is drawn higher than one pixel, which would be hardly visible in an otherwise empty row, above all if
    /// hatched.
    void aRareStateTooShortToSeeIsHigher()
    {
        StateSet set = Threads;
        for (StateKind& state : set.states)
            state.style.flags |= StateFlag::AlwaysVisible;
        const StateLooks looks = Theme::make(Theme::Kind::Dark).looksOf(set);
        const auto heightAt = [&](Duration length, int band) {
            const Spans spans{{pure(30min, 30min + length, Blocked)}, {}};
            LaneLayout lane;
            layOutLane(spans, {looks, StackOrder(looks)}, {TimeScale({at(0ns), at(1h)}, 60), 0, 60, at(0ns)}, band, lane);
            const auto stack = stackAt(lane, 30);
            return stack.size() == 1 && stack[0].from == 0 && stack[0].state == Blocked ? int(stack[0].to) : -1;
        };
        QCOMPARE(heightAt(1us, 13), 2);
        QCOMPARE(heightAt(1us, 26), 4);
        const int half = heightAt(30s, 16);
        QVERIFY(half > 2);
        QCOMPARE(half, int(std::lround(looks[Blocked].height * 0.5)));
    }

    void whatLiesOnARareStateGoesUpWithIt()
    {
        StateSet set = Threads;
        for (StateKind& state : set.states)
            state.style.flags |= StateFlag::AlwaysVisible;
        const StateLooks looks = Theme::make(Theme::Kind::Dark).looksOf(set);
        // Returns the layout of a column with these shares, in units of 1/255.
        const auto stackOf = [&](std::uint8_t below, std::uint8_t above) {
            Span folded = pure(10ns, 20ns, User);
            folded.count = 9;
            folded.mask = 1U << User | 1U << Syscall;
            const Spans spans{{folded}, {above, below}};
            LaneLayout lane;
            layOutLane(spans, {looks, StackOrder(looks)}, {TimeScale({at(0ns), at(100ns)}, 10), 0, 10, at(0ns)}, 30, lane);
            return stackAt(lane, 1);
        };

        // Both states would get 1 pixel of height. The state with the larger share is enlarged to its minimum of 4 pixels.
        QCOMPARE(stackOf(9, 8), (std::vector<LaneStateShare>{{Syscall, 0, 4}, {User, 4, 5}}));
        QCOMPARE(stackOf(8, 9), (std::vector<LaneStateShare>{{Syscall, 0, 1}, {User, 1, 5}}));
        // Rounding alone would leave no pixel for the upper state, which nevertheless gets 1 pixel.
        QCOMPARE(stackOf(4, 3), (std::vector<LaneStateShare>{{Syscall, 0, 4}, {User, 4, 5}}));
    }

    void aRareStateThatRoundingLeftNothingIsWhereItBelongs()
    {
        StateLooks looks(4);
        for (int i = 0; i < 4; ++i) {
            looks[std::size_t(i)].height = 16;
            looks[std::size_t(i)].order = i;
            looks[std::size_t(i)].isRare = true;
        }
        // Returns the layout of a column with these shares by state, in units of 1/255.
        const auto stackOf = [&](const std::vector<std::uint8_t>& shares) {
            Span folded = pure(10ns, 20ns, 0);
            folded.count = 9;
            folded.mask = 0xf;
            const Spans spans{{folded}, shares};
            LaneLayout lane;
            layOutLane(spans, {looks, StackOrder(looks)}, {TimeScale({at(0ns), at(100ns)}, 10), 0, 10, at(0ns)}, 30, lane);
            return stackAt(lane, 1);
        };

        QCOMPARE(stackOf({4, 3, 3, 3}), (std::vector<LaneStateShare>{{0, 0, 3}, {1, 3, 4}, {3, 4, 5}}));
        QCOMPARE(stackOf({3, 2, 4, 2}), (std::vector<LaneStateShare>{{1, 0, 1}, {2, 1, 5}}));
    }

    void aColumnStacksItsSharesFromTheBaselineUp()
    {
        Span folded = pure(10ns, 20ns, User);
        folded.count = 9;
        folded.mask = 1U << User | 1U << Syscall | 1U << Sleeping;
        const Spans spans{{folded}, {128, 64, 63}};

        const LaneLayout lane = laidOut(spans, {at(0ns), at(100ns)}, 10);

        QCOMPARE(stackAt(lane, 1), (std::vector<LaneStateShare>{{Syscall, 0, 4}, {User, 4, 12}}));
    }

    void whatRestsIsTheLineUnderLowStacks()
    {
        Span folded = pure(10ns, 20ns, Sleeping);
        folded.count = 3;
        folded.mask = 1U << User | 1U << Sleeping;
        const Spans spans{{folded}, {16, 239}};

        const LaneLayout lane = laidOut(spans, {at(0ns), at(100ns)}, 10);

        QCOMPARE(stackAt(lane, 1), (std::vector<LaneStateShare>{{User, 0, 1}, {Sleeping, 1, 2}}));
    }

    void aBarThatBeginsInsideAPixelHasAShoulder()
    {
        const Spans spans{{pure(5ns, 30ns, User)}, {}};

        const LaneLayout lane = laidOut(spans, {at(0ns), at(100ns)}, 10);

        QCOMPARE(stackAt(lane, 0), (std::vector<LaneStateShare>{{User, 0, 8}}));
        QCOMPARE(stackAt(lane, 1), (std::vector<LaneStateShare>{{User, 0, 16}}));
    }

    void severeStatesTooSmallForAPixelGetATickAndTheSeverestWins()
    {
        Span folded = pure(10ns, 20ns, User);
        folded.count = 5;
        folded.mask = 1U << User | 1U << Blocked | 1U << Interrupted;
        const Spans spans{{folded}, {235, 10, 10}};

        const LaneLayout lane = laidOut(spans, {at(0ns), at(100ns)}, 10);

        QCOMPARE(lane.ticks, (std::vector<LaneTick>{{1, Blocked}}));
    }

    void interruptsGetATickOnlyWhereTheyTakeFarMoreThanElsewhere()
    {
        Spans spans;
        for (int i = 0; i < 50; ++i) {
            Span folded = pure(i * 10ns, i * 10ns + 10ns, User);
            folded.count = 3;
            folded.mask = 1U << User | 1U << Interrupted;
            folded.firstShare = std::uint32_t(spans.shares.size());
            spans.spans.push_back(folded);
            const int share = i == 20 ? 18 : 1; // Share in 1/255: less than a pixel in both cases.
            spans.shares.insert(spans.shares.end(), {std::uint8_t(255 - share), std::uint8_t(share)});
        }

        QCOMPARE(laidOut(spans, {at(0ns), at(500ns)}, 50).ticks, (std::vector<LaneTick>{{20, Interrupted}}));

        // Now all columns have the same share of interrupts, as with timer interrupts. No column is far above the mean, so no tick is
        // drawn.
        spans.shares[41] = 1;
        QVERIFY(laidOut(spans, {at(0ns), at(500ns)}, 50).ticks.empty());
    }

    void aSevereStateThatIsSeenNeedsNoTick()
    {
        const Spans spans{{pure(0ns, 50ns, User), pure(50ns, 90ns, Preempted)}, {}};

        QVERIFY(laidOut(spans, {at(0ns), at(100ns)}, 10).ticks.empty());
    }

    void barsOfOneStateWithDifferentLabelsArePartedAndOthersNot()
    {
        const Spans spans{{pure(0ns, 40ns, Syscall, 1), pure(40ns, 80ns, Syscall, 2), pure(80ns, 100ns, User, 3)}, {}};

        const LaneLayout lane = laidOut(spans, {at(0ns), at(100ns)}, 100);

        QVERIFY(!lane.runs[0].isParted);
        QVERIFY(lane.runs[1].isParted);
        QVERIFY(!lane.runs[2].isParted);
    }

    void barsOfOneStateAndLabelArePartedToo()
    {
        // Input: the second interval begins inside the pixel in which the first ends; between the last two is another state.
        const Spans spans{
            {pure(0ns, 405ns, Syscall, 1), pure(405ns, 800ns, Syscall, 1), pure(800ns, 805ns, User, 2), pure(805ns, 1000ns, Syscall, 1)},
            {}};

        std::vector<int> parted;
        for (const LaneRun& run : laidOut(spans, {at(0ns), at(1000ns)}, 100).runs)
            if (run.isParted)
                parted.push_back(run.x);

        QCOMPARE(parted, std::vector<int>{41});
    }

    void aBarCutByTheWindowDoesNotBeginThere()
    {
        Span cut = pure(0ns, 50ns, Preempted);
        cut.longest = 400ns;
        const Spans spans{{cut, pure(50ns, 100ns, User)}, {}};

        const LaneLayout lane = laidOut(spans, {at(0ns), at(100ns)}, 100);

        QVERIFY(!lane.runs[0].startsBar);
        QVERIFY(lane.runs[1].startsBar);
    }

    void spansThatGoBackOrOverlapDoNotBreakTheLayout()
    {
        const Spans spans{{pure(50ns, 90ns, User), pure(10ns, 70ns, Blocked), pure(95ns, 20ns, User), pure(80ns, 300ns, Sleeping)}, {}};

        const LaneLayout lane = laidOut(spans, {at(0ns), at(100ns)}, 100);

        for (const LaneRun& run : lane.runs)
            QVERIFY(run.x >= 0 && run.x + run.width <= 100);
    }

    void aFoldedSpanWithTooFewSharesDoesNotReadPastThem()
    {
        Span folded = pure(10ns, 20ns, User);
        folded.count = 5;
        folded.mask = 0xffffffff;
        const Spans spans{{folded}, {1, 2}};

        QVERIFY(laidOut(spans, {at(0ns), at(100ns)}, 10).runs.size() <= 1);
    }
};

HELIO_TEST(LaneLayoutTest)
#include "tst_lane_layout.moc"
