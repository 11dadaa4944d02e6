#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "tests/support/made_calls.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/theme/module_colors.h"
#include "widgets/timeline/graph/lanes/value_colors.h"

#include <QTest>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

using namespace helio;

namespace {

using Values = std::vector<std::uint32_t>;

/// Makes a row with successive values, one every 10 ns, in the first of the states "value" (coloured by value), "stopped" and "read".
class MadeValues {
public:
    template <typename Fill> MadeValues(ValueKind kind, const Fill& fill)
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        StateSet set{"values", {{"value"}, {"stopped"}, {"read"}}, {}};
        set.states[0].style.flags |= StateFlag::ColoredByValue;
        Track thread;
        thread.view = "made";
        thread.key = "thread";
        thread.tid = 47;
        Track named;
        named.view = "made";
        named.key = named.label = "queue";
        for (const Track& it : {thread, named}) {
            const TrackId id = builder->addTrack(it);
            builder->set(hostTime(0), id, State{});
        }
        Track track;
        track.view = "made";
        track.key = "values";
        track.states = *builder->stateSet(set);
        track.valueKind = kind;
        const TrackId id = builder->addTrack(track);
        std::int64_t at = 0;
        for (const std::uint32_t value : fill(*builder)) {
            builder->set(hostTime(at), id, State{}, value);
            builder->set(hostTime(at + 8), id, State{2}); // State "read", which has no value.
            at += 10;
        }
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(at)};
        addTrace(m_timeline, {*builder->finish(summary)});
        m_track = {StoreIndex{0}, id};
    }

    Spans spansAt(Duration resolution, bool isSplit = true) const
    {
        Spans found;
        spans(m_timeline, m_track, m_timeline.range, resolution, found);
        if (isSplit)
            colorByValue(m_timeline, m_track, found);
        return found;
    }

    /// States (colours) of the values, in time order.
    std::vector<int> states() const
    {
        std::vector<int> all;
        for (const Span& span : spansAt(Duration(1)).spans)
            if (nanoseconds(span.range.begin) % 10 == 0)
                all.push_back(int(span.state));
        return all;
    }

private:
    Timeline m_timeline;
    TrackRef m_track;
};

constexpr int FirstColor = 3; // Index of the first value colour, after the state set's own states.

} // namespace

class ValueColorsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_timeline = test::sampleTimeline();
        QVERIFY(m_timeline);
        const auto all = rows(*m_timeline, "resources");
        const auto row = std::ranges::find(all, "cpu-thread", &Row::kind);
        QVERIFY(row != all.end());
        m_track = row->ref;
        m_set = statesOf(*m_timeline, m_track);
    }

    void aThreadHasOneColourAndItsNeighboursOthers()
    {
        std::map<std::uint32_t, State> seen;
        std::set<State> colors;
        for (const Span& span : split(Duration(1)).spans) {
            if (span.state < State(m_set.states.size()))
                continue; // Skips spans of the set's own states, whose colours do not stand for a value.
            QCOMPARE(span.count, 1u);
            QCOMPARE(seen.try_emplace(span.value, span.state).first->second, span.state);
            colors.insert(span.state);
        }
        QVERIFY(seen.size() > 4);
        QVERIFY(colors.size() > 3);
    }

    void noShareIsLostOrMade()
    {
        const Duration pixel = rangeOf(*m_timeline).duration() / 200;
        Spans plain;
        spans(*m_timeline, m_track, rangeOf(*m_timeline), pixel, plain);
        const Spans colored = split(pixel);

        QCOMPARE(colored.spans.size(), plain.spans.size());
        int folded = 0;
        for (std::size_t i = 0; i < plain.spans.size(); ++i) {
            const Span& a = plain.spans[i];
            const Span& b = colored.spans[i];
            QCOMPARE(b.range, a.range);
            QCOMPARE(std::popcount(b.mask), std::popcount(a.mask));
            if (a.count > 1) {
                QCOMPARE(sumOf(colored, b), sumOf(plain, a));
                ++folded;
            }
        }
        QVERIFY(folded > 10);
    }

    void everyStateGivenHasALook()
    {
        const StateLooks looks = stylesByValue(Theme::make(Theme::Kind::Dark), m_set);
        for (const Span& span : split(Duration(1'000'000)).spans)
            QVERIFY(std::size_t(span.state) < looks.size());
        QVERIFY(looks.back().color != looks[looks.size() - 2].color);
    }

    void aTextHasItsOwnColourOrThatOfTheStateItNames()
    {
        const MadeValues made(ValueKind::Text, [](StoreBuilder& builder) {
            Values values;
            for (const char* text : {"open", "stopped", "close", "", "open"})
                values.push_back(std::uint32_t(builder.string(text)));
            return values;
        });
        const auto states = made.states();
        QCOMPARE(states.size(), std::size_t(5));
        QVERIFY(states[0] >= FirstColor && states[2] >= FirstColor && states[0] != states[2]);
        QCOMPARE(states[1], 1); // The text "stopped" is the name of a state, so the interval gets this state.
        QCOMPARE(states[3], 0); // An empty text has no colour of its own, so the interval keeps its state 0.
        QCOMPARE(states[4], states[0]);
        const StateAppearance own = Theme::make(Theme::Kind::Dark).lookOf({"open", StateCategory::None, {}});
        StateSet set{"values", {{"value"}, {"stopped"}, {"read"}}, {}};
        set.states[0].style.flags |= StateFlag::ColoredByValue;
        // A value has the colour of a state with the same name.
        QCOMPARE(stylesByValue(Theme::make(Theme::Kind::Dark), set)[std::size_t(states[0])].color, own.color);
    }

    void numbersThatFollowEachOtherDiffer()
    {
        const MadeValues small(ValueKind::Number, [](StoreBuilder&) { return Values{7, 8, 27, std::uint32_t(-1)}; });
        QCOMPARE(small.states(), (std::vector{FirstColor + 7, FirstColor + 8, FirstColor + 7, FirstColor + 19}));
        const MadeValues wide(ValueKind::Integer, [](StoreBuilder& builder) {
            return Values{*builder.integer(1'000'000'000'000), *builder.integer(1'000'000'000'001), *builder.integer(-20), 99};
        });
        // The store has no number with index 99, so the value has no colour (0).
        QCOMPARE(wide.states(), (std::vector{FirstColor, FirstColor + 1, FirstColor, 0}));
        const MadeValues real(ValueKind::Real, [](StoreBuilder& builder) {
            return Values{*builder.real(0.5), *builder.real(0.25), *builder.real(0.5)};
        });
        const auto states = real.states();
        QVERIFY(states[0] >= FirstColor && states[1] >= FirstColor);
        QCOMPARE(states[2], states[0]);
    }

    void aRowHasTheColourOfItsNumberOrItsLabel()
    {
        const MadeValues made(ValueKind::Track, [](StoreBuilder&) { return Values{0, 1, 77}; });
        const auto states = made.states();
        QCOMPARE(states[0], FirstColor + 7);
        QVERIFY(states[1] >= FirstColor);
        QCOMPARE(states[2], 0);
    }

    void aFrameHasTheColourOfItsModuleHoweverItsCallEnds()
    {
        const auto timeline = MadeCalls::make();
        const auto colored = [&](const char* key) {
            Spans found;
            TrackRef row;
            for (const Row& it : rows(*timeline, "call-stack"))
                row = it.id == key ? it.ref : row;
            spans(*timeline, row, timeline->range, Duration(1), found);
            const auto ends = colorByValue(*timeline, row, found);
            return std::pair(found.spans, ends);
        };
        const int own = int(calls::callStates().states.size());
        const auto modules = moduleColors(*timeline);
        const int app = own + modules->categoryOf("app"), libc = own + modules->categoryOf("libc.so.6");

        const auto [whole, wholeEnds] = colored("calls:100/2");
        QCOMPARE(whole.size(), std::size_t(2));
        QCOMPARE(int(whole[0].state), app);
        QVERIFY(wholeEnds.empty());
        QCOMPARE(int(colored("calls:100/4").first.front().state), libc);
        const auto [cut, cutEnds] = colored("calls:555/1");
        QCOMPARE(int(cut[0].state), app);
        QCOMPARE(int(cut[1].state), app);
        QCOMPARE(cutEnds, (std::vector<LaneEnd>{{0, BarPattern::Hatched}, {1, BarPattern::CutCorner}}));
    }

    /// Input: frames without a module, as of an analysis that knows functions by name only. Property: the colour depends on the function.
    void aFrameWithoutAModuleHasTheColourOfItsFunction()
    {
        const auto timeline = MadeCalls::make(Module::Kind::Unknown);
        const auto colored = [&](const char* key, const FrameChoice& frames = {}) {
            Spans found;
            TrackRef row;
            for (const Row& it : rows(*timeline, "call-stack"))
                row = it.id == key ? it.ref : row;
            spans(*timeline, row, timeline->range, Duration(1), found);
            colorByValue(*timeline, row, found, frames);
            std::vector<int> states;
            for (const Span& span : found.spans)
                states.push_back(int(span.state) - int(calls::callStates().states.size()));
            return states;
        };
        const std::vector<int> second{categoryOfName("parse"), categoryOfName("render")};
        QCOMPARE(colored("calls:100/2"), second);
        QCOMPARE(colored("calls:100/3"), (std::vector<int>(2, categoryOfName("read"))));
        FrameChoice byFunction;
        byFunction.isByFunction = true;
        QCOMPARE(colored("calls:100/2", byFunction), second);
        FrameChoice focus;
        focus.focus = {"parse"};
        QCOMPARE(colored("calls:100/2", focus), (std::vector<int>{categoryOfName("parse"), 21}));
    }

    void callsAreHiddenFadedAndColouredByFunction()
    {
        const auto timeline = MadeCalls::make();
        const auto statesOfRow = [&](const char* key, const FrameChoice& frames, Duration resolution = Duration(1)) {
            Spans found;
            TrackRef row;
            for (const Row& it : rows(*timeline, "call-stack"))
                row = it.id == key ? it.ref : row;
            spans(*timeline, row, timeline->range, resolution, found);
            colorByValue(*timeline, row, found, frames);
            std::vector<int> states;
            for (const Span& span : found.spans)
                states.push_back(int(span.state));
            return states;
        };
        const int own = int(calls::callStates().states.size());
        const auto modules = moduleColors(*timeline);
        const int app = own + modules->categoryOf("app"), libc = own + modules->categoryOf("libc.so.6"), faded = own + 21;
        const char* const second = "calls:100/2";
        const char* const third = "calls:100/3";
        using States = std::vector<int>;

        FrameChoice hidden;
        hidden.hiddenFunctions = {"rend*"};
        QCOMPARE(statesOfRow(second, hidden), (States{app}));
        // The folded span is not hidden, because it also contains parse().
        QCOMPARE(statesOfRow(second, hidden, Duration(4000)), (States{faded}));
        hidden = {};
        hidden.hiddenModules = {"libc*"};
        QCOMPARE(statesOfRow(third, hidden), States());
        QCOMPARE(statesOfRow(second, hidden), (States{app, app}));

        FrameChoice focus;
        focus.focus = {"parse", "libc.so.6"};
        QCOMPARE(statesOfRow(second, focus), (States{app, faded}));
        QCOMPARE(statesOfRow(third, focus), (States{libc, libc}));
        QVERIFY(std::size_t(faded) < stylesByValue(Theme::make(Theme::Kind::Dark), calls::callStates()).size());

        FrameChoice byFunction;
        byFunction.isByFunction = true;
        QCOMPARE(statesOfRow(second, byFunction), (States{own + categoryOfName("parse"), own + categoryOfName("render")}));
        QVERIFY(categoryOfName("parse") != categoryOfName("render"));

        focus.hiddenFunctions = {"a", "b*"};
        QVERIFY(frameChoiceFrom(toJson(focus)) == focus);
        QVERIFY(frameChoiceFrom(toJson(byFunction)) == byFunction);
        QVERIFY(frameChoiceFrom({}) == FrameChoice());
    }

    void sharesGoWithTheColour()
    {
        const MadeValues made(ValueKind::Text, [](StoreBuilder& builder) {
            return Values{std::uint32_t(builder.string("read")), std::uint32_t(builder.string("open")),
                          std::uint32_t(builder.string("stopped")), std::uint32_t(builder.string("open"))};
        });
        const Spans plain = made.spansAt(Duration(10), false);
        const Spans split = made.spansAt(Duration(10));
        QCOMPARE(split.spans.size(), plain.spans.size());
        for (std::size_t i = 0; i < split.spans.size(); ++i) {
            const Span& it = split.spans[i];
            QVERIFY(it.count > 1);
            QCOMPARE(sumOf(split, it), sumOf(plain, plain.spans[i]));
            QVERIFY((it.mask & 1U) == 0); // The value colours replaced the state "value" completely.
            const std::uint8_t share = split.shares[it.firstShare + std::size_t(std::popcount(it.mask & ((1U << int(it.state)) - 1)))];
            QVERIFY(share > 190); // Shares are stored in units of 1/255. The state covers 8 of 10 ns, which is a share of 204.
            QVERIFY((it.mask >> int(it.state) & 1U) != 0);
        }
        QCOMPARE(split.spans[0].mask, 1U << 2); // The value named "read" and the state "read" share one state.
        QCOMPARE(split.spans[2].mask, 1U << 1 | 1U << 2);
    }

private:
    Spans split(Duration resolution) const
    {
        Spans found;
        spans(*m_timeline, m_track, rangeOf(*m_timeline), resolution, found);
        colorByValue(*m_timeline, m_track, found);
        return found;
    }

    static int sumOf(const Spans& all, const Span& span)
    {
        const auto first = all.shares.begin() + std::ptrdiff_t(span.firstShare);
        return std::accumulate(first, first + std::popcount(span.mask), 0);
    }

    std::shared_ptr<const Timeline> m_timeline;
    TrackRef m_track;
    StateSet m_set;
};

HELIO_TEST(ValueColorsTest)
#include "tst_value_colors.moc"
