// The call analysis. Input: function entries and exits. Results: rows by depth, segments with their self time, and diagnostics for events
// that do not match.

#include "tests/core/analyses/calls/call_script.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

using namespace helio;
using namespace helio::test;

namespace {

/// A trace of the kernel's function graph tracer. Its symbols name functions at addresses from 200; lower addresses have no name.
class GraphScript final : public CallScript {
public:
    GraphScript& graph(std::int64_t at, int cpu, int tid, const char* name, std::int64_t address)
    {
        event(at, cpu, name, {{"$tid", tid}, {"func", address}});
        return *this;
    }
    std::string_view kernelFunction(std::uint64_t address) const override
    {
        return address < 200 ? std::string_view() : address < 300 ? "outer" : "inner";
    }
};

} // namespace

class CallsTest : public QObject {
    Q_OBJECT

private slots:
    void eachDepthHasARowOfItsCalls()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(20, 5, 200).leave(30, 5).enter(40, 5, 300).enter(45, 5, 200).leave(50, 5).leave(60, 5).leave(90, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-90");
        QCOMPARE(s.states("calls:5/2"), "call(200) 20-30, call(300) 40-60");
        QCOMPARE(s.states("calls:5/3"), "call(200) 45-50");
        QCOMPARE(s.segments(), "100 10-90 self 50, 100+200 20-30 self 10, 100+300 40-60 self 15, 100+300+200 45-50 self 5");
    }

    void threadsHangBelowTheirProcess()
    {
        CallScript s;
        s.process(3).enter(10, 5, 100).enter(11, 3, 100).process(8).enter(12, 9, 100);
        s.run(100);
        QCOMPARE(s.keyOf(s.row("calls:5/1")->parent), "calls:5");
        QCOMPARE(s.keyOf(s.row("calls:5")->parent), "pid:3");
        QCOMPARE(s.keyOf(s.row("calls:3")->parent), "pid:3");
        QCOMPARE(s.keyOf(s.row("calls:9")->parent), "pid:8");
        QCOMPARE(s.row("pid:8")->parent, NoTrack);
        QCOMPARE(s.row("pid:8")->role, TrackRole::Group);
        QCOMPARE(s.row("calls:9")->role, TrackRole::Group);
        QCOMPARE(s.row("calls:9/1")->tid, 9);
        QCOMPARE(s.row("calls:9")->label, "prog");
    }

    void anExitOfAnOuterCallTruncatesTheInnerOnes()
    {
        CallScript s;
        s.begin(10, 5, 100).begin(20, 5, 200).begin(30, 5, 300).end(40, 5, 100).begin(50, 5, 400).end(60, 5, 400);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-40, call(400) 50-60");
        QCOMPARE(s.states("calls:5/2"), "call-truncated(200) 20-40");
        QCOMPARE(s.states("calls:5/3"), "call-truncated(300) 30-40");
        QCOMPARE(s.reported("truncated-calls"), std::uint64_t(2));
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(0));
    }

    void recursionIsLeftFromTheInside()
    {
        CallScript s;
        s.begin(10, 5, 100).begin(20, 5, 100).begin(30, 5, 100).end(40, 5, 100).end(50, 5, 100).end(60, 5, 100);
        s.run(100);
        QCOMPARE(s.segments(), "100 10-60 self 20, 100+100 20-50 self 20, 100+100+100 30-40 self 10");
    }

    void exitsOfWhatIsNotOpenAreCounted()
    {
        CallScript s;
        s.declare("fast:func_entry", {{"$vpid", 1}, {"$vtid", 1}, {"$procname", "p"}, {"addr", 1}});
        s.end(5, 5, 100).leave(6, 5).begin(10, 5, 100).end(20, 5, 999).leave(25, 5).end(30, 5, 100).end(40, 5, 100);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-30");
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(5));
    }

    void lostEventsTruncateWhatIsOpenAndNothingDrifts()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(20, 5, 200).enter(25, 6, 700);
        s.loss(0, 30, 40);
        s.leave(50, 5).enter(60, 5, 300).leave(70, 5).leave(80, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 10-30, call(300) 60-70");
        QCOMPARE(s.states("calls:5/2"), "call-truncated(200) 20-30");
        QCOMPARE(s.states("calls:6/1"), "call-truncated(700) 25-30");
        QCOMPARE(s.reported("truncated-calls"), std::uint64_t(3));
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(2));
    }

    void whatBeganWhileEventsWereLostIsTruncatedWhereTheLossEnds()
    {
        CallScript s;
        s.enter(10, 5, 100);
        s.loss(0, 30, 60);
        s.enter(40, 5, 200).enter(70, 5, 300).leave(80, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 10-30, call-truncated(200) 40-60, call(300) 70-80");
    }

    void callsWithoutAnExitStayOpen()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(20, 5, 200).enter(100, 5, 300);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-open(100) 10-100");
        QCOMPARE(s.states("calls:5/2"), "call-open(200) 20-100");
        QCOMPARE(s.states("calls:5/3"), "");
        QCOMPARE(s.segments(), "100 10-100 self 10, 100+200 20-100 self 80, 100+200+300 100-100 self 0");
        QCOMPARE(s.reported("truncated-calls"), std::uint64_t(0));
    }

    void callsOfDurationZeroAreTicks()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(20, 5, 200).leave(20, 5).enter(20, 5, 300).leave(20, 5).enter(20, 5, 400).leave(29, 5).leave(30, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/2"), "call-instant(200) 20-21, call-instant(300) 21-22, call(400) 22-29");
        QCOMPARE(s.segments(), "100 10-30 self 11, 100+200 20-20 self 0, 100+300 20-20 self 0, 100+400 20-29 self 9");
    }

    void ticksStayNearTheirCalls()
    {
        CallScript s;
        s.enter(10, 5, 100);
        for (int i = 0; i < 2000; ++i)
            s.enter(20, 5, 200).leave(20, 5);
        s.enter(20, 5, 300).leave(5000, 5).leave(6000, 5);
        s.run(10000);
        const std::string shown = s.states("calls:5/2");
        QVERIFY(shown.starts_with("call-instant(200) 20-21, call-instant(200) 21-22"));
        QVERIFY(shown.ends_with("call-instant(200) 1019-1020, call(300) 1020-5000"));
    }

    void callsThatTouchAreTwo()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(20, 5, 200).leave(30, 5).enter(30, 5, 200).leave(40, 5).enter(40, 5, 200).leave(40, 5);
        s.enter(40, 5, 200).leave(50, 5).leave(60, 5).enter(60, 5, 100).leave(70, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-60, call(100) 60-70");
        QCOMPARE(s.states("calls:5/2"), "call(200) 20-30, call(200) 30-40, call-instant(200) 40-41, call(200) 41-50");
        QCOMPARE(s.store().segments().sum(SegmentKindId{}).count, 6u);
    }

    void truncatedCallsThatTouchAreTwo()
    {
        CallScript s;
        s.begin(10, 5, 100).begin(20, 5, 200).end(30, 5, 100).begin(30, 5, 100).begin(30, 5, 200).end(40, 5, 100);
        s.begin(40, 5, 100).begin(40, 5, 200);
        s.loss(0, 50, 60);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-30, call(100) 30-40, call-truncated(100) 40-50");
        QCOMPARE(s.states("calls:5/2"), "call-truncated(200) 20-30, call-truncated(200) 30-40, call-truncated(200) 40-50");
    }

    void noCallEndsBeforeItBeginsWhereTimesGoBack()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(30, 5, 200).leave(20, 5).enter(25, 5, 300).leave(35, 5).leave(40, 5).enter(90, 5, 400);
        s.run(80);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-40");
        QCOMPARE(s.states("calls:5/2"), "call-instant(200) 30-31, call(300) 31-35");
        QCOMPARE(s.segments(), "100 10-40 self 25, 100+200 30-30 self 0, 100+300 30-35 self 5, 400 90-90 self 0");
    }

    void sourcesNestInOneStack()
    {
        CallScript s;
        s.call(10, 5, "main").enter(20, 5, 100).call(30, 5, "back").ret(40, 5, "back").leave(50, 5).ret(60, 5, "main");
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(main) 10-60");
        QCOMPARE(s.states("calls:5/2"), "call(100) 20-50");
        QCOMPARE(s.states("calls:5/3"), "call(back) 30-40");
    }

    void anExitClosesACallOfItsOwnSource()
    {
        CallScript s;
        s.enter(10, 5, 100).call(20, 5, "f").leave(30, 5).ret(40, 5, "f").call(50, 5, "g").ret(60, 5, "f").ret(70, 5, "g");
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-30, call(g) 50-70");
        QCOMPARE(s.states("calls:5/2"), "call-truncated(f) 20-30");
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(2));
    }

    void namedFunctionsKnowTheirSource()
    {
        CallScript s;
        s.call(10, 5, "f").ret(20, 5, "f");
        s.run(100);
        const Module& module = s.store().modules()[1];
        QCOMPARE(module.path, "prog.py");
        const RecordedName name = module.names->at(s.store().stacks().nodes()[1].frame().address);
        QCOMPARE(name.function, "f");
        QCOMPARE(name.file, "prog.py");
        QCOMPARE(name.line, 7u);
    }

    void aTidOfAnotherProcessIsAnotherThread()
    {
        CallScript s;
        s.process(3).enter(10, 5, 100).process(4).leave(20, 5).enter(30, 5, 200).leave(40, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 10-20");
        QCOMPARE(s.states("calls:5#2/1"), "call(200) 30-40");
        QCOMPARE(s.keyOf(s.row("calls:5#2")->parent), "pid:4");
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(1));
    }

    void callsEndWithTheirThread()
    {
        CallScript s;
        s.ended(4, 5).ended(5, 15).ended(5, 50).ended(6, 200);
        s.enter(10, 5, 100).enter(12, 5, 200); // These two calls end at 15, when their thread ends.
        s.enter(20, 5, 300).leave(30, 5).enter(40, 5, 400); // A later thread of the same process with the TID 5.
        s.enter(60, 4, 100).enter(70, 6, 100);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 10-15");
        QCOMPARE(s.states("calls:5/2"), "call-truncated(200) 12-15");
        QCOMPARE(s.states("calls:5#2/1"), "call(300) 20-30, call-truncated(400) 40-50");
        // The thread that ended at 5 is an earlier thread with the TID 4, so this call stays open.
        QCOMPARE(s.states("calls:4/1"), "call-open(100) 60-100");
        QCOMPARE(s.states("calls:6/1"), "call-open(100) 70-100");
        QCOMPARE(s.reported("truncated-calls"), std::uint64_t(3));
    }

    void whatIsLostAfterAThreadEndedChangesNothing()
    {
        CallScript s;
        s.ended(5, 15).enter(10, 5, 100);
        s.loss(0, 20, 30);
        s.enter(40, 6, 100);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 10-15");
    }

    void withoutContextsTheStreamIsTheThread()
    {
        CallScript s;
        s.environment("vpid", "x").stream(0, 0).stream(1, 0);
        s.event(10, 0, "func_entry", {{"addr", 100}}).event(20, 1, "func_entry", {{"addr", 200}});
        s.event(30, 0, "func_exit", {}).event(40, 1, "func_exit", {});
        s.run(100);
        QCOMPARE(s.states("calls:stream-0/1"), "call(100) 10-30");
        QCOMPARE(s.states("calls:stream-1/1"), "call(200) 20-40");
    }

    void exitsWithoutEntriesAreSaidOnce()
    {
        CallScript s;
        s.environment("domain", "ust");
        s.call(10, 5, "f");
        for (int i = 0; i < 100; ++i)
            s.leave(11 + i, 5);
        s.ret(200, 5, "f");
        s.run(300);
        QCOMPARE(s.states("calls:5/1"), "call(f) 10-200");
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(0));
        QCOMPARE(s.reported("missing-entries"), std::uint64_t(1));
        const auto& all = s.store().summary().anomalies;
        const auto it = std::ranges::find(all, "missing-entries", &Diagnostic::kind);
        QCOMPARE(it->what, "Entries were not recorded: fast:func_exit is ignored; lttng enable-event -u fast:func_entry records them");
    }

    void lossesCostWhatIsOpen()
    {
        CallScript s;
        for (int i = 0; i < 100; ++i)
            s.enter(10 * i, 1 + i, 100).enter(10 * i + 1, 1 + i, 200).leave(10 * i + 2, 1 + i);
        s.loss(0, 2000, 2010);
        s.enter(2020, 5, 300);
        s.loss(0, 2030, 2040);
        s.run(3000);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 40-2000, call-truncated(300) 2020-2030");
        QCOMPARE(s.states("calls:100/1"), "call-truncated(100) 990-2000");
        QCOMPARE(s.reported("truncated-calls"), std::uint64_t(101));
    }

    void oneHundredThousandDeep()
    {
        constexpr int Depth = 100'000;
        CallScript s;
        for (int i = 0; i < Depth; ++i)
            s.enter(i, 5, 100);
        for (int i = 0; i < Depth; ++i)
            s.leave(Depth + i, 5);
        s.run(2 * Depth);
        QCOMPARE(s.states("calls:5/1"), "call(100) 0-199999");
        QCOMPARE(s.states("calls:5/100000"), "call(100) 99999-100000");
        QVERIFY(!s.row("calls:5/100001"));
        QCOMPARE(s.store().segments().sum(SegmentKindId{}).count, std::uint64_t(Depth));
    }

    void tenThousandThreads()
    {
        constexpr int Count = 10'000;
        CallScript s;
        for (int i = 0; i < Count; ++i)
            s.process(1 + i / 100).enter(i, 1 + i, 100);
        for (int i = 0; i < Count; ++i) // Each thread makes a second call. The order of the threads is reversed.
            s.process(1 + (Count - 1 - i) / 100).enter(Count + i, Count - i, 200);
        for (int i = 0; i < Count; ++i)
            s.process(1 + i / 100).leave(2 * Count + i, 1 + i);
        s.run(3 * Count);
        for (const int i : {0, 1, 99, 100, 4711, Count - 1}) {
            const std::string thread = "calls:" + std::to_string(1 + i);
            QCOMPARE(s.states(thread + "/1"), QString("call-open(100) %1-%2").arg(i).arg(3 * Count).toStdString());
            QCOMPARE(s.states(thread + "/2"), QString("call(200) %1-%2").arg(2 * Count - 1 - i).arg(2 * Count + i).toStdString());
            QCOMPARE(s.keyOf(s.row(thread)->parent), "pid:" + std::to_string(1 + i / 100));
        }
        QVERIFY(!s.row("calls:1#2"));
        QCOMPARE(s.store().segments().sum(SegmentKindId{}).count, std::uint64_t(2 * Count));
        QCOMPARE(s.store().tracks().size(), std::size_t(3 * Count + Count / 100));
    }

    /// Property: for any order of entries and exits, some of which are missing or invented, calls equal those of a simple stack.
    void anyOrderOfEntriesAndExits_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 40; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void anyOrderOfEntriesAndExits()
    {
        QFETCH(int, seed);
        Dice dice(static_cast<std::uint64_t>(seed));
        struct Open {
            std::int64_t begin, address, inCallees;
        };
        struct Closed {
            std::int64_t begin, end, self, address;
            std::size_t depth;
            auto operator<=>(const Closed&) const = default;
        };
        std::vector<Open> open;
        std::vector<Closed> expected;
        std::uint64_t orphans = 0;
        const auto pop = [&](std::int64_t at) {
            const Open it = open.back();
            open.pop_back();
            if (!open.empty())
                open.back().inCallees += at - it.begin;
            expected.push_back({it.begin, at, at - it.begin - it.inCallees, it.address, open.size()});
        };
        CallScript s;
        s.declare("full:func_exit", {{"$vpid", 1}, {"$vtid", 1}, {"$procname", "p"}, {"addr", 1}});
        for (std::int64_t at = 1; at < 400; ++at) {
            const auto address = static_cast<std::int64_t>(100 + dice.below(4));
            if (dice.below(2) == 0) {
                s.begin(at, 5, address);
                open.push_back({at, address, 0});
                continue;
            }
            s.end(at, 5, address);
            std::size_t found = open.size();
            while (found > 0 && open[found - 1].address != address)
                --found;
            orphans += found == 0 ? 1 : 0;
            while (found > 0 && open.size() >= found)
                pop(at);
        }
        while (!open.empty())
            pop(500);
        s.run(500);

        std::vector<Closed> actual;
        s.store().segments().visit(SegmentKindId{}, {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const HostSegment> some) {
            for (const HostSegment& it : some) {
                const auto nodes = s.store().stacks().nodes();
                std::size_t depth = 0;
                for (StackId up = nodes[static_cast<std::size_t>(it.stack())].parent(); up != NoStack; ++depth)
                    up = nodes[static_cast<std::size_t>(up)].parent();
                const auto address = static_cast<std::int64_t>(nodes[static_cast<std::size_t>(it.stack())].frame().address);
                actual.push_back({nanoseconds(it.begin), nanoseconds(it.end), it.value, address, depth});
            }
        });
        std::ranges::sort(expected);
        std::ranges::sort(actual);
        QCOMPARE(actual.size(), expected.size());
        QVERIFY(actual == expected);
        QCOMPARE(s.reported("orphan-exits"), orphans);
    }

    /// Property: calls of kernel functions are named by the kernel's symbols. The idle threads of all CPUs have TID 0, but each has its own
    /// call stack.
    void kernelFunctionsAreCalls()
    {
        GraphScript s;
        s.graph(10, 0, 5, "funcgraph_entry", 200)
            .graph(20, 0, 5, "funcgraph_entry", 300)
            .graph(25, 1, 0, "funcgraph_entry", 200)
            .graph(30, 0, 5, "funcgraph_exit", 300)
            .graph(35, 0, 0, "funcgraph_entry", 300)
            .graph(38, 1, 0, "funcgraph_exit", 200)
            .graph(39, 0, 0, "funcgraph_exit", 300)
            .graph(40, 0, 5, "funcgraph_exit", 200)
            .graph(50, 0, 5, "funcgraph_entry", 100)
            .graph(60, 0, 5, "funcgraph_exit", 100);
        s.run(70);
        QCOMPARE(s.states("calls:5/1"), "call(outer) 10-40, call(100) 50-60");
        QCOMPARE(s.states("calls:5/2"), "call(inner) 20-30");
        QCOMPARE(s.states("calls:cpu-0/1"), "call(inner) 35-39");
        QCOMPARE(s.states("calls:cpu-1/1"), "call(outer) 25-38");
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(0));
    }
};

HELIO_TEST(CallsTest)
#include "tst_calls.moc"
