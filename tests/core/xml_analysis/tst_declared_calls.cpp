#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

namespace {

const std::string Push = "stack=\"push\"";
const std::string Pop = "stack=\"pop\"";

std::string level(const std::string& path) { return element("level", "path=\"" + path + "\""); }
std::string group(const std::string& content) { return element("callstackGroup", "name=\"g\"", content); }
std::string stacksOf(const std::string& content, const std::string& id = "c") { return element("callstack", "id=\"" + id + "\"", content); }

/// Handlers of the events "enter" and "leave" for the function "f" of the thread "t" in the process "p".
const std::string Handlers = on("enter", set("P/{p}/{t}/CallStack", field("f", Push)) + set("P/{p}/{t}", field("t")))
    + on("leave", set("P/{p}/{t}/CallStack", null(Pop)));
const std::string ByThread = group(level("P/*") + level("*") + "<thread level=\"1\" type=\"name\"/>");
const std::string OfP = "<analysis id=\"p\"/>";

KernelScript& enter(KernelScript& s, std::int64_t time, int thread, const char* function, int process = 1)
{
    return s.event(time, 0, "enter", {{"p", process}, {"t", thread}, {"f", function}});
}
KernelScript& leave(KernelScript& s, std::int64_t time, int thread, int process = 1)
{
    return s.event(time, 0, "leave", {{"p", process}, {"t", thread}});
}

/// Returns one line "KEY tid TID < PARENT: STATES" for each row of the view; parts without a value are omitted.
std::string rows(const KernelScript& s, const std::string& view = "c")
{
    std::vector<std::string> lines;
    for (const Track& track : s.store().tracks())
        if (track.view == view) {
            const std::string states = s.states(track.key);
            lines.push_back(track.key + (track.tid >= 0 ? " tid " + std::to_string(track.tid) : "")
                            + (track.parent == NoTrack ? "" : " < " + s.keyOf(track.parent)) + (states.empty() ? "" : ": " + states));
        }
    std::ranges::sort(lines);
    std::string all;
    for (const std::string& line : lines)
        all += line + "\n";
    return all;
}

} // namespace

class DeclaredCallsTest : public QObject {
    Q_OBJECT

private slots:
    void callsAreRowsByDepth()
    {
        KernelScript s;
        enter(s, 10, 7, "main");
        enter(s, 20, 7, "work");
        leave(s, 30, 7);
        enter(s, 30, 7, "rest");
        leave(s, 40, 7);
        leave(s, 50, 7);
        s.event(60, 0, "end");
        const DeclaredRun run(provider(Handlers, stacksOf(ByThread + OfP)), s);
        QCOMPARE(run.problems(), "");
        QCOMPARE(rows(s),
                 "calls:7 tid 7 < group:P/1\ncalls:7/1 tid 7 < calls:7: call(main) 10-50\ncalls:7/2 tid 7 < calls:7: call(work) 20-30, "
                 "call(rest) 30-40\ngroup:P/1\n");
    }

    /// Property: functions that are known only by name belong to a module of unknown kind with names, so that their colours are derived
    /// from the names.
    void ofAFunctionNothingIsKnownButItsName()
    {
        KernelScript s;
        enter(s, 10, 7, "main");
        leave(s, 20, 7);
        const DeclaredRun run(provider(Handlers, stacksOf(ByThread + OfP)), s);
        const auto modules = s.store().modules();
        QVERIFY(std::ranges::any_of(modules, [](const Module& it) { return it.names != nullptr; }));
        QVERIFY(std::ranges::all_of(modules, [](const Module& it) { return it.kind == Module::Kind::Unknown; }));
    }

    void whatIsOpenAtTheEndIsSaidToBe()
    {
        KernelScript s;
        enter(s, 10, 7, "main");
        enter(s, 20, 7, "work");
        s.event(60, 0, "end");
        const DeclaredRun run(provider(Handlers, stacksOf(ByThread + OfP)), s);
        QCOMPARE(s.states("calls:7/1"), "call-open(main) 10-60");
        QCOMPARE(s.states("calls:7/2"), "call-open(work) 20-60");
    }

    void lostEventsCutWhatIsOpen()
    {
        KernelScript s;
        enter(s, 10, 7, "main");
        s.loss(0, 20, 30);
        enter(s, 40, 7, "work");
        leave(s, 50, 7);
        s.event(60, 0, "end");
        const DeclaredRun run(provider(Handlers, stacksOf(ByThread + OfP)), s);
        QCOMPARE(s.states("calls:7/1"), "call-truncated(main) 10-30, call(work) 40-50");
    }

    void threadsAreByNameOrByValueOrNone()
    {
        KernelScript s;
        enter(s, 10, 7, "main");
        enter(s, 11, 8, "other", 2);
        s.event(60, 0, "end");
        const auto tids = [&](const std::string& thread) {
            const DeclaredRun run(provider(Handlers, stacksOf(group(level("P/*") + level("*") + thread) + OfP)), s);
            std::string all;
            for (const Track& track : s.store().tracks())
                if (track.view == "c" && track.kind == "thread")
                    all += track.label + "=" + std::to_string(track.tid) + " ";
            return all;
        };
        QCOMPARE(tids("<thread level=\"1\" type=\"name\"/>"), "7=7 8=8 ");
        QCOMPARE(tids("<thread level=\"1\"/>"), "7=7 8=8 ");
        QCOMPARE(tids("<thread level=\"0\"/>"), "7=1 8=2 ");
        QCOMPARE(tids(""), "7=-1 8=-1 ");
        QCOMPARE(tids("<thread level=\"9\"/>"), "7=-1 8=-1 ");
    }

    void aThreadsValueCountsWhereItIsThereFirst()
    {
        KernelScript s;
        s.event(10, 0, "enter", {{"t", "a"}, {"id", 42}, {"f", "main"}}).event(60, 0, "end");
        const DeclaredRun run(provider(on("enter", set("T/{t}", field("id")) + set("T/{t}/CallStack", field("f", Push))),
                                       stacksOf(group(level("T/*") + "<thread level=\"0\" type=\"value\"/>") + OfP)),
                              s);
        QCOMPARE(rows(s), "calls:42 tid 42\ncalls:42/1 tid 42 < calls:42: call-open(main) 10-60\n");
    }

    void providersStandInCallStacks()
    {
        KernelScript s;
        enter(s, 10, 7, "main");
        leave(s, 20, 7);
        s.event(60, 0, "end");
        const DeclaredRun run(file(stacksOf(ByThread + element("stateProvider", "id=\"inner\" version=\"1\"", Handlers))), s, "inner");
        QCOMPARE(run.problems(), "");
        QCOMPARE(s.states("calls:7/1"), "call(main) 10-20");
    }

    void patternsStandInCallStacks()
    {
        KernelScript s;
        enter(s, 10, 7, "main");
        leave(s, 20, 7);
        s.event(60, 0, "end");
        const std::string machine = action("push", set("P/{p}/{t}/CallStack", field("f", Push)))
            + action("pop", set("P/{p}/{t}/CallStack", null(Pop)))
            + fsm("f", state("s", transition("enter", "s", "action=\"push\"") + transition("leave", "s", "action=\"pop\"")),
                  "multiple=\"false\"");
        const DeclaredRun run(
            file(stacksOf(ByThread + element("pattern", "id=\"inner\" version=\"1\"", element("patternHandler", {}, machine)))), s,
            "inner");
        QCOMPARE(run.problems(), "");
        QCOMPARE(s.states("calls:7/1"), "call(main) 10-20");
    }

    void functionsMayBeNumbersAndNulls()
    {
        KernelScript s;
        s.event(10, 0, "enter", {{"f", 4242}}).event(20, 0, "none").event(30, 0, "leave").event(40, 0, "leave").event(60, 0, "end");
        const DeclaredRun run(provider(on("enter", set("T/CallStack", field("f", Push))) + on("none", set("T/CallStack", null(Push)))
                                           + on("leave", set("T/CallStack", null(Pop))),
                                       stacksOf(group(level("T")) + OfP)),
                              s);
        QCOMPARE(s.states("calls:T/1"), "call(4242) 10-40");
    }

    void anUpdateOfACallWhoseCalleesBeganLaterDoesNoHarm()
    {
        KernelScript s;
        enter(s, 10, 7, "main");
        enter(s, 20, 7, "work");
        s.event(30, 0, "name").event(40, 0, "other");
        leave(s, 50, 7);
        s.event(60, 0, "end");
        const DeclaredRun run(provider(Handlers + on("name", set("P/1/7/CallStack/1", text("better", "update=\"true\"")))
                                           + on("other", set("P/1/7/CallStack/1", text("best"))),
                                       stacksOf(ByThread + OfP)),
                              s);
        for (const Track& track : s.store().tracks())
            for (const HostInterval& it : s.store().intervals(TrackId(static_cast<std::uint32_t>(&track - s.store().tracks().data())),
                                                              {HostTimestamp::min(), HostTimestamp::max()}))
                QVERIFY(it.range.begin <= it.range.end);
        QVERIFY(s.states("calls:7/1").ends_with("call-open(best) 40-60"));
    }

    void segmentsAreOfCallsToo()
    {
        KernelScript s;
        enter(s, 10, 7, "main");
        enter(s, 20, 7, "work");
        leave(s, 30, 7);
        leave(s, 50, 7);
        s.event(60, 0, "end");
        const DeclaredRun run(provider(Handlers, stacksOf(ByThread + OfP)), s);
        int found = 0;
        const auto kinds = s.store().segments().kinds();
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if (kinds[i].id == "call")
                s.store().segments().visit(SegmentKindId(static_cast<std::uint8_t>(i)), {HostTimestamp::min(), HostTimestamp::max()},
                                           [&](std::span<const HostSegment> some) {
                                               for (const HostSegment& it : some) {
                                                   ++found;
                                                   QVERIFY((nanoseconds(it.begin) == 10 && nanoseconds(it.end) == 50 && it.value == 30)
                                                           || (nanoseconds(it.begin) == 20 && nanoseconds(it.end) == 30 && it.value == 10));
                                               }
                                           });
        QCOMPARE(found, 2);
    }
};

HELIO_TEST(DeclaredCallsTest)

#include "tst_declared_calls.moc"
