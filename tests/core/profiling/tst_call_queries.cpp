// Queries about single calls and about all calls of a function. Input: random calls of three threads with known states. Property: results
// equal those of a plain list of the calls.

#include "core/latency/intervals/density_grid.h"
#include "core/profiling/calls/call_durations.h"
#include "core/profiling/calls/call_ends.h"
#include "core/profiling/calls/call_facts.h"
#include "core/profiling/calls/function_calls.h"
#include "core/query/segments/segments.h"
#include "tests/core/analyses/calls/call_script.h"
#include "tests/support/dice.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace helio;
using namespace helio::test;

namespace {

constexpr int Threads = 3;
constexpr std::int64_t Begin = 100;
constexpr std::int64_t End = 4000; ///< End of MadeTimeline's states in ns.

struct MadeCall {
    int thread = 0;
    int caller = -1; ///< Index of the caller in m_calls; -1 if there is none.
    int depth = 1;
    std::string function;
    std::int64_t begin = 0;
    std::int64_t end = End;
    std::int64_t self = 0;
    bool isOpen = true; ///< True if the call is open at the trace's end.

    std::int64_t length() const { return end - begin; }
};

/// Random calls: the events of the calls, and the calls that the analysis must find. Some functions have names, as in Python; other
/// functions have only an address.
struct Written {
    CallScript script;
    std::vector<MadeCall> calls;
};

bool hasName(const std::string& function) { return function[0] != '0'; }

Written written(std::uint64_t seed)
{
    static const std::vector<std::string> functions{"f", "g", "h", "0x7", "0x8"};
    Written all;
    Dice dice(seed);
    std::array<std::vector<int>, Threads> open;
    for (std::int64_t at = Begin; at < End - 50; at += std::int64_t(dice.below(6))) {
        const int thread = int(dice.below(Threads));
        std::vector<int>& stack = open[std::size_t(thread)];
        const bool isEntry = stack.empty() || (stack.size() < 7 && dice.below(2) == 0);
        if (isEntry) {
            const std::string& function = functions[dice.below(functions.size())];
            all.calls.push_back({thread, stack.empty() ? -1 : stack.back(), int(stack.size()) + 1, function, at});
            stack.push_back(int(all.calls.size()) - 1);
        }
        MadeCall& call = all.calls[std::size_t(stack.back())];
        if (hasName(call.function))
            isEntry ? all.script.call(at, 100 + thread, call.function.c_str()) : all.script.ret(at, 100 + thread, call.function.c_str());
        else
            isEntry ? all.script.enter(at, 100 + thread, call.function[2] - '0') : all.script.leave(at, 100 + thread);
        if (!isEntry) {
            call.end = at;
            call.isOpen = false;
            stack.pop_back();
        }
    }
    for (MadeCall& it : all.calls) {
        it.self += it.length();
        if (it.caller >= 0)
            all.calls[std::size_t(it.caller)].self -= it.length();
    }
    all.script.run(End);
    return all;
}

/// Name of the state that MadeTimeline gives to a thread at a time.
std::string_view stateAt(int thread, std::int64_t at)
{
    const std::int64_t phase = (at - thread * 10 + 400) % 400;
    return MadeTimeline::ThreadStates[phase < 100       ? MadeTimeline::Sleeping
                                          : phase < 150 ? MadeTimeline::WaitCpu
                                          : phase < 350 ? MadeTimeline::User
                                                        : MadeTimeline::Syscall];
}

} // namespace

class CallQueriesTest : public QObject {
    Q_OBJECT

private:
    std::vector<MadeCall> m_calls;
    std::shared_ptr<const Timeline> m_timeline;
    std::map<std::pair<int, int>, TrackRef> m_rows; ///< Row for each thread and depth.

    TrackRef rowOfCall(const MadeCall& it) const { return m_rows.at({it.thread, it.depth}); }

    /// Returns the segment of a call.
    Segment found(const MadeCall& it) const
    {
        std::optional<Segment> segment;
        const TimeRange range{timestamp(it.begin), timestamp(it.end)};
        forEachSegment(*m_timeline, "call", range, [&](const Segment& some) {
            if (some.row() == rowOfCall(it) && some.range == range)
                segment = some;
        });
        return *segment;
    }

    /// Call and the time range in which its row shows it.
    struct ShownCall {
        std::int64_t begin, end;
        const MadeCall* call;
    };
    /// Returns the calls that a row shows: a call of duration 0 is shown for 1 ns, and calls that begin at the same time one after the
    /// other.
    std::vector<ShownCall> shownOn(std::pair<int, int> place) const
    {
        std::vector<ShownCall> all;
        std::int64_t tickEnd = 0;
        for (const MadeCall& it : m_calls) {
            if (std::pair(it.thread, it.depth) != place)
                continue;
            const bool isTick = it.length() == 0 && !it.isOpen;
            const std::int64_t begin = std::max(it.begin, tickEnd);
            if (isTick)
                tickEnd = begin + 1;
            if (const std::int64_t end = isTick ? tickEnd : it.end; end > begin)
                all.push_back({begin, end, &it});
        }
        return all;
    }

    /// Text of the difference between a segment and the synthetic call; empty if they are equal.
    QString difference(const Segment& actual, const MadeCall& expected) const
    {
        const bool isSame = actual.row() == rowOfCall(expected)
            && actual.range == TimeRange{timestamp(expected.begin), timestamp(expected.end)} && actual.recorded.value == expected.self;
        return isSame ? QString()
                      : QStringLiteral("%1-%2 self %3 instead of %4-%5 self %6")
                            .arg(nanoseconds(actual.range.begin))
                            .arg(nanoseconds(actual.range.end))
                            .arg(actual.recorded.value)
                            .arg(expected.begin)
                            .arg(expected.end)
                            .arg(expected.self);
    }

    /// Calls of a function that have a duration, sorted by beginning.
    std::vector<const MadeCall*> shownOf(const std::string& function) const
    {
        std::vector<const MadeCall*> all;
        for (const MadeCall& it : m_calls)
            if (it.function == function && it.length() > 0)
                all.push_back(&it);
        std::ranges::stable_sort(all, {}, &MadeCall::begin);
        return all;
    }

private slots:
    void initTestCase()
    {
        Written made = written(7);
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(Threads));
        timeline->stores.push_back({0, made.script.sharedStore()});
        m_calls = std::move(made.calls);
        m_timeline = timeline;
        const auto tracks = timeline->stores.back().store->tracks();
        for (std::size_t i = 0; i < tracks.size(); ++i)
            if (tracks[i].valueKind == ValueKind::Frame)
                m_rows[{tracks[i].tid - 100, tracks[i].sortKey + 1}] = {StoreIndex{1}, TrackId(i)};
        QVERIFY(m_calls.size() > 300);
        QVERIFY(m_rows.size() > 12);
        QVERIFY(std::ranges::any_of(m_calls, [](const MadeCall& it) { return it.length() == 0; }));
        QVERIFY(std::ranges::any_of(m_calls, &MadeCall::isOpen));
    }

    void theCallAtATimeIsTheOneOfTheRow()
    {
        int seen = 0;
        int ticks = 0;
        for (const auto& [place, row] : m_rows) {
            const std::vector<ShownCall> shown = shownOn(place);
            for (std::int64_t at = 0; at <= End; ++at) {
                const auto expected = std::ranges::find_if(shown, [&](const ShownCall& it) { return it.begin <= at && at < it.end; });
                const auto actual = callAt(*m_timeline, row, timestamp(at));
                QCOMPARE(actual.has_value(), expected != shown.end());
                if (!actual)
                    continue;
                ++seen;
                ticks += lengthOf(actual->range) == Duration(0) ? 1 : 0;
                QCOMPARE(difference(*actual, *expected->call), QString());
            }
        }
        QVERIFY(seen > 5000);
        QVERIFY(ticks > 10);
        QVERIFY(!callAt(*m_timeline, {}, timestamp(200)));
        QVERIFY(!callAt(*m_timeline, {StoreIndex{0}, TrackId{5}}, timestamp(200)));
    }

    void callersAreThoseThatWereOpen()
    {
        std::size_t deepest = 0;
        for (const MadeCall& call : m_calls) {
            if (call.length() == 0)
                continue;
            const auto callers = callersOf(*m_timeline, found(call));
            int expected = call.caller;
            for (const Segment& it : callers) {
                QVERIFY(expected >= 0);
                QCOMPARE(difference(it, m_calls[std::size_t(expected)]), QString());
                expected = m_calls[std::size_t(expected)].caller;
            }
            QCOMPARE(expected, -1);
            deepest = std::max(deepest, callers.size());
        }
        QCOMPARE(deepest, std::size_t(6));
    }

    void aCallConsistsOfTheStatesOfItsThread()
    {
        const CallNames names(*m_timeline);
        for (const MadeCall& call : m_calls) {
            if (call.length() == 0)
                continue;
            std::map<std::string_view, std::int64_t> expected;
            for (std::int64_t at = call.begin; at < call.end; ++at)
                ++expected[stateAt(call.thread, at)];
            const CallFacts facts = callFacts(*m_timeline, names, found(call));
            std::map<std::string_view, std::int64_t> actual;
            for (const CallTime::StateTime& it : facts.time.states)
                actual[it.state.name] = it.total.count();
            QCOMPARE(actual, expected);
            QVERIFY(std::ranges::is_sorted(facts.time.states, std::greater(), &CallTime::StateTime::total));
            QVERIFY(facts.time.onCpu);
            QCOMPARE(facts.time.onCpu->count(), expected["running-user"] + expected["running-syscall"]);
            QCOMPARE(facts.time.self.count(), call.self);
            QCOMPARE(facts.time.whole.count(), call.length());
            QCOMPARE(facts.called.label, call.function);
            QCOMPARE(facts.thread.tid, 100 + call.thread);
            QCOMPARE(int(facts.callers.size()), call.depth - 1);
            if (call.caller >= 0)
                QCOMPARE(facts.callers.front().called.label, m_calls[std::size_t(call.caller)].function);
            if (hasName(call.function))
                QCOMPARE(facts.called.source, SourceLine({"prog.py", 7}));
        }
    }

    void callsWithoutAnExitAreKnown()
    {
        CallScript script; // The exit of h also closes g, whose own exit is missing; f stays open.
        script.call(100, 100, "f").call(110, 100, "g").ret(120, 100, "g").call(200, 100, "h").call(210, 100, "g").ret(300, 100, "h");
        script.run(400);
        Timeline timeline = *MadeTimeline::make(2);
        timeline.stores.push_back({0, script.sharedStore()});
        const CallNames names(timeline);
        UnfinishedCalls unfinished(timeline);
        std::map<std::pair<std::string, std::int64_t>, CallEnd> ends;
        forEachSegment(timeline, "call", {timestamp(0), timestamp(400)}, [&](const Segment& it) {
            const CallEnd end = endOf(timeline, it);
            ends[{names.functionOf(it.store, it.recorded.stack()).name, nanoseconds(it.range.begin)}] = end;
            QCOMPARE(unfinished.contains(it), end != CallEnd::Exit);
        });
        using enum CallEnd;
        QCOMPARE(ends,
                 (std::map<std::pair<std::string, std::int64_t>, CallEnd>{
                     {{"f", 100}, StillOpen}, {{"g", 110}, Exit}, {{"g", 210}, NotSeen}, {{"h", 200}, Exit}}));
    }

    void withoutAKernelTraceTimeOnACpuIsNotKnown()
    {
        Timeline alone = *m_timeline;
        alone.stores[0].store = nullptr;
        const CallNames names(alone);
        const MadeCall& call = *shownOf("f").front();
        const CallFacts facts = callFacts(alone, names, found(call));
        QVERIFY(!facts.time.onCpu);
        QVERIFY(facts.time.states.empty());
        QCOMPARE(facts.time.self.count(), call.self);
    }

    void theRankCountsThoseThatAreLonger()
    {
        const CallNames names(*m_timeline);
        for (const MadeCall& call : m_calls) {
            if (call.length() == 0)
                continue;
            const auto found = FunctionCalls(*m_timeline, names, this->found(call)).rankOf(this->found(call));
            QCOMPARE(found.has_value(), !call.isOpen);
            if (!found)
                continue;
            const CallRank& rank = *found;
            std::vector<std::int64_t> lengths;
            std::uint64_t unfinished = 0;
            for (const MadeCall& it : m_calls)
                if (it.function == call.function && it.isOpen)
                    ++unfinished;
                else if (it.function == call.function)
                    lengths.push_back(it.length());
            QCOMPARE(rank.unfinished, unfinished);
            std::ranges::sort(lengths);
            const auto [first, last] = std::ranges::equal_range(lengths, call.length());
            QCOMPARE(rank.lengths.count, lengths.size());
            QCOMPARE(rank.shorter, std::uint64_t(first - lengths.begin()));
            QCOMPARE(rank.longer, std::uint64_t(lengths.end() - last));
            QCOMPARE(rank.lengths.least.count(), lengths.front());
            QCOMPARE(rank.lengths.most.count(), lengths.back());
            QCOMPARE(rank.lengths.median.count(), lengths[(lengths.size() + 1) / 2 - 1]);
            QCOMPARE(rank.p25.count(), lengths[(lengths.size() + 3) / 4 - 1]);
            QCOMPARE(rank.p75.count(), lengths[(3 * lengths.size() + 3) / 4 - 1]);
        }
    }

    void stepsVisitEveryCallOfTheFunction_data()
    {
        QTest::addColumn<QString>("function");
        for (const char* function : {"f", "g", "h", "0x7", "0x8"})
            QTest::newRow(function) << function;
    }
    void stepsVisitEveryCallOfTheFunction()
    {
        QFETCH(QString, function);
        const CallNames names(*m_timeline);
        const auto all = shownOf(function.toStdString());
        QVERIFY(all.size() > 20);
        const FunctionCalls calls(*m_timeline, names, found(*all.front()));
        std::set<std::pair<TrackRef, Timestamp>> visited;
        std::optional<Segment> at;
        for (const MadeCall* it : all) // Finds the first call in time: a call at the earliest time without a preceding call.
            if (it->begin == all.front()->begin && !calls.step(found(*it), CallSelector::Previous))
                at = found(*it);
        QVERIFY(at);
        while (true) {
            QVERIFY(visited.emplace(at->row(), at->range.begin).second);
            const auto next = calls.step(*at, CallSelector::Next);
            if (!next)
                break;
            QVERIFY(next->range.begin >= at->range.begin);
            QCOMPARE(calls.step(*next, CallSelector::Previous), at);
            at = next;
        }
        QCOMPARE(visited.size(), all.size());
        for (const MadeCall* it : all)
            QVERIFY(visited.contains({rowOfCall(*it), timestamp(it->begin)}));
    }

    void theLongestShortestAndTypicalOneAreTheFirstOfTheirLength()
    {
        const CallNames names(*m_timeline);
        for (const char* function : {"f", "g", "h", "0x7"}) {
            auto all = shownOf(function);
            std::erase_if(all, [](const MadeCall* it) { return it->isOpen; }); // Open calls have no duration, so they do not count.
            std::vector<std::int64_t> lengths;
            for (const MadeCall* it : all)
                lengths.push_back(it->length());
            std::ranges::sort(lengths);
            const FunctionCalls calls(*m_timeline, names, found(*all.front()));
            for (const auto& [step, length] :
                 {std::pair(CallSelector::Shortest, lengths.front()), std::pair(CallSelector::Longest, lengths.back()),
                  std::pair(CallSelector::Typical, lengths[(lengths.size() + 1) / 2 - 1])}) {
                const auto there = calls.step(found(*all.back()), step);
                QVERIFY(there);
                const auto first = std::ranges::find(all, length, &MadeCall::length);
                QCOMPARE(nanoseconds(there->range.begin), (*first)->begin);
                QCOMPARE(lengthOf(there->range).count(), length);
            }
        }
    }

    void aFunctionIsFoundAgainByItsNameOrAddress()
    {
        const CallNames names(*m_timeline);
        for (const char* function : {"f", "g", "h", "0x7", "0x8"}) {
            const FunctionCalls calls(*m_timeline, names, found(*shownOf(function).front()));
            const FunctionCalls again(*m_timeline, names, calls.function());
            QVERIFY(again.hasSameFunction(calls));
            const auto stats = durationStats(m_timeline, {{}, {Timestamp::min(), Timestamp::max()}, calls.function()});
            QCOMPARE(stats.size(), std::size_t(1));
            QCOMPARE(stats[0].name, std::string(function));
            const auto isOpen = [&](const MadeCall& it) { return it.isOpen && it.function == function; };
            QCOMPARE(stats[0].count(), std::uint64_t(std::ranges::count(m_calls, function, &MadeCall::function)));
            QCOMPARE(stats[0].unfinished, std::uint64_t(std::ranges::count_if(m_calls, isOpen)));
        }
        SampledFunction none;
        none.name = "none";
        const FunctionCalls calls(*m_timeline, names, none);
        QVERIFY(calls.function().name.empty());
        QVERIFY(durationStats(m_timeline, {{}, {Timestamp::min(), Timestamp::max()}, none}).empty());
    }

    void callsOfSomeLengthsComeInOrder_data()
    {
        QTest::addColumn<QString>("function");
        QTest::addColumn<int>("most");
        QTest::newRow("all of f") << "f" << 100'000;
        QTest::newRow("the first of f") << "f" << 3;
        QTest::newRow("all of an unknown one") << "0x7" << 100'000;
    }
    void callsOfSomeLengthsComeInOrder()
    {
        QFETCH(QString, function);
        QFETCH(int, most);
        const CallNames names(*m_timeline);
        std::vector<const MadeCall*> all = shownOf(function.toStdString());
        std::erase_if(all, [](const MadeCall* it) { return it->isOpen; }); // Open calls have no duration.
        std::vector<std::int64_t> lengths;
        for (const MadeCall* it : all)
            lengths.push_back(it->length());
        std::ranges::sort(lengths);
        const std::int64_t from = lengths[lengths.size() / 4];
        const std::int64_t to = lengths.back();
        QVERIFY(from > 0 && from < to);
        std::erase_if(all, [&](const MadeCall* it) { return it->length() < from || it->length() >= to; });
        std::ranges::stable_sort(all, {}, &MadeCall::begin);
        const FunctionCalls calls(*m_timeline, names, found(*all.front()));
        const auto isWanted = [&](const NamedInterval& it) {
            return lengthOf(it.range) >= Duration(from) && lengthOf(it.range) < Duration(to);
        };
        const IntervalQuery query{{}, {Timestamp::min(), Timestamp::max()}, calls.function()};
        const auto some = findWantedIntervals(m_timeline, query, isWanted, std::size_t(most)).intervals;
        QVERIFY(all.size() > 3);
        QCOMPARE(some.size(), std::min(all.size(), std::size_t(most)));
        for (std::size_t i = 0; i < some.size(); ++i) {
            QCOMPARE(nanoseconds(some[i].range.begin), all[i]->begin);
            QVERIFY(lengthOf(some[i].range) >= Duration(from) && lengthOf(some[i].range) < Duration(to));
        }
    }

    void lengthsOfFunctionsAreOfTheCallsThatLieInTheRange_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<int>("thread");
        QTest::newRow("all") << 0 << 4000 << -1;
        QTest::newRow("a range") << 500 << 2500 << -1;
        QTest::newRow("a thread") << 0 << 4000 << 1;
        QTest::newRow("a thread in a range") << 700 << 900 << 2;
    }
    void lengthsOfFunctionsAreOfTheCallsThatLieInTheRange()
    {
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(int, thread);
        SampleFilter filter;
        filter.kinds = {"call"};
        filter.ranges = {{timestamp(from), timestamp(to)}};
        if (thread >= 0)
            filter.threads = {m_rows.at({thread, 1})};
        std::map<std::string, std::vector<std::int64_t>> lengths;
        std::map<std::string, std::int64_t> onCpu;
        std::map<std::string, std::uint64_t> unfinished;
        for (const MadeCall& it : m_calls) {
            if (it.begin < from || it.end > to || (thread >= 0 && it.thread != thread))
                continue;
            const std::string name = hasName(it.function) ? it.function : "[unknown]";
            if (it.isOpen)
                ++unfinished[name];
            else
                lengths[name].push_back(it.length());
            for (std::int64_t at = it.begin; at < it.end; ++at)
                onCpu[name] += stateAt(it.thread, at).starts_with("running") ? 1 : 0;
        }
        const auto all = callDurations(*m_timeline, filter, true);
        QCOMPARE(all.size(), lengths.size());
        for (const CallDurations& it : all) {
            const DurationDistribution expected = summarizeDurations(lengths.at(it.function.label()));
            QCOMPARE(it.comm, std::string("prog"));
            QCOMPARE(it.lengths.count, expected.count);
            QCOMPARE(it.unfinished, unfinished[it.function.label()]);
            QCOMPARE(it.lengths.total, expected.total);
            QCOMPARE(it.lengths.least, expected.least);
            QCOMPARE(it.lengths.median, expected.median);
            QCOMPARE(it.lengths.p99, expected.p99);
            QCOMPARE(it.lengths.most, expected.most);
            QCOMPARE(lengthOf(it.longest.range), expected.most);
            QVERIFY(it.onCpu);
            QCOMPARE(it.onCpu->count(), onCpu[it.function.label()]);
        }
        // All threads have the same name, so leaving names out changes no durations.
        const auto ofAllCommands = callDurations(*m_timeline, filter, false);
        QCOMPARE(ofAllCommands.size(), lengths.size());
        for (const CallDurations& it : ofAllCommands) {
            QCOMPARE(it.comm, std::string());
            QCOMPARE(it.lengths.total, summarizeDurations(lengths.at(it.function.label())).total);
        }
        filter.kinds = {"cpu-clock"};
        QVERIFY(callDurations(*m_timeline, filter, true).empty());
    }

    void aCallThatLiesInSeveralRangesCountsOnce()
    {
        CallScript script;
        script.call(100, 100, "f").ret(200, 100, "f").call(200, 100, "f").ret(200, 100, "f").call(300, 100, "f").ret(500, 100, "f");
        script.call(550, 100, "f").ret(600, 100, "f");
        script.run(700);
        Timeline timeline = *MadeTimeline::make(2);
        timeline.stores.push_back({0, script.sharedStore()});
        const auto lengthsIn = [&](std::vector<std::pair<int, int>> ranges) {
            SampleFilter filter;
            filter.kinds = {"call"};
            for (const auto& [from, to] : ranges)
                filter.ranges.push_back({timestamp(from), timestamp(to)});
            const auto all = callDurations(timeline, filter, true);
            return all.empty() ? std::pair<std::uint64_t, std::int64_t>() : std::pair(all[0].lengths.count, all[0].lengths.total.count());
        };
        using Sum = std::pair<std::uint64_t, std::int64_t>;
        QCOMPARE(lengthsIn({{0, 700}}), Sum(4, 350));
        QCOMPARE(lengthsIn({{0, 700}, {0, 700}}), Sum(4, 350));
        QCOMPARE(lengthsIn({{250, 700}, {0, 400}}), Sum(4, 350));
        QCOMPARE(lengthsIn({{0, 400}, {150, 700}, {120, 650}}), Sum(4, 350));
        QCOMPARE(lengthsIn({{0, 200}, {200, 700}}), Sum(4, 350)); // A call without duration at the border belongs to the second range.
        // The call from 300 to 500 is completely in neither range, so it does not count.
        QCOMPARE(lengthsIn({{0, 400}, {350, 700}}), Sum(3, 150));
    }

    void whatIsStoppedFindsNothing()
    {
        const CallNames names(*m_timeline);
        std::stop_source stop;
        stop.request_stop();
        const Segment call = found(*shownOf("f").front());
        const FunctionCalls calls(*m_timeline, names, call);
        for (const CallSelector step : {CallSelector::Next, CallSelector::Longest, CallSelector::Typical})
            QVERIFY(!calls.step(call, step, stop.get_token()));
    }
};

HELIO_TEST(CallQueriesTest)
#include "tst_call_queries.moc"
