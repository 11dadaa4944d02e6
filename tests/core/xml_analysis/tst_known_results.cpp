// Small traces for which the results of equivalent analyses in Trace Compass are known. Each trace ends 1 ns later than in Trace Compass,
// because the end is exclusive in Heliograph. Otherwise, states that the last event sets would not be visible.

#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

namespace {

const std::string Adding = "increment=\"true\"";

/// Adds events of two types alternately.
void turns(KernelScript& s) { s.event(1, 0, "test").event(3, 0, "test1").event(5, 0, "test").event(7, 0, "test1"); }
/// Adds events of two types alternately, with a number as field.
void numbers(KernelScript& s)
{
    s.event(1, 0, "test", {{"v", 10}}).event(3, 0, "test1", {{"v", 100}}).event(5, 0, "test", {{"v", 20}});
    s.event(7, 0, "test1", {{"v", 200}});
}
/// Adds calls on two CPUs.
void twoCpus(KernelScript& s)
{
    const auto add = [&](int time, const char* name, int cpu, const char* operation, const char* state = nullptr) {
        Fields fields{{"n", cpu}, {"op", operation}};
        if (state)
            fields.emplace_back("result", state);
        s.event(time, cpu, name, fields);
    };
    add(1, "entry", 0, "op1");
    add(2, "action", 0, "op2");
    add(2, "entry", 1, "op1");
    add(3, "action", 1, "op2");
    add(3, "exit", 0, "op1", "GOOD");
    add(4, "exit", 1, "op1", "GOOD");
    add(5, "entry", 0, "op1");
    add(7, "exit", 0, "op1", "BAD");
    add(10, "entry", 1, "op1");
    add(14, "action", 1, "op2");
    add(20, "exit", 1, "op1", "GOOD");
}
/// Adds events that begin three scenarios and end one.
void begins(KernelScript& s) { s.event(1, 0, "entry").event(3, 0, "entry").event(5, 0, "entry").event(7, 0, "exit"); }

std::string later(const std::string& where, const std::string& what, std::int64_t at)
{
    return element("stateChange", {}, path(where) + what + element("futureTime", "type=\"long\" value=\"" + std::to_string(at) + "\""));
}

} // namespace

class KnownResultsTest : public QObject {
    Q_OBJECT

private slots:
    void attributesAreMadeByWhatRuns()
    {
        KernelScript s;
        turns(s);
        const DeclaredRun run(provider(on("test*", set("!", integer(1, Adding))) + on("never", set("other", integer(1)))), s, {}, 8);
        QCOMPARE(run.tree(), "test1: int 1 3-7, int 2 7-8\ntest: int 1 1-5, int 2 5-8\n");
    }

    void valuesOfCalls()
    {
        KernelScript s;
        twoCpus(s);
        const std::string mapping =
            element("mappingGroup", "id=\"m\"",
                    element("entry", {}, text("entry") + text("TRUE")) + element("entry", {}, text("exit") + text("FALSE")));
        const DeclaredRun run(provider(mapping
                                       + on("entry",
                                            set("modify/{n}", text("UNKNOWN")) + set("update/{n}", text("UNKNOWN"))
                                                + set("stack", field("timestamp", "stack=\"push\"")))
                                       + on("exit",
                                            set("modify/{n}", field("result")) + set("update/{n}", field("result", "update=\"true\""))
                                                + set("update/{n}", null()) + set("stack", null("stack=\"pop\"")))
                                       + on("entry|exit", set("mapped", value("eventName", {}, "mappingGroup=\"m\"")))),
                              s, {}, 21);
        QCOMPARE(run.attribute("update/0"), "string GOOD 1-3, string BAD 5-7");
        QCOMPARE(run.attribute("modify/0"), "string UNKNOWN 1-3, string GOOD 3-5, string UNKNOWN 5-7, string BAD 7-21");
        QCOMPARE(run.attribute("mapped"),
                 "string TRUE 1-3, string FALSE 3-5, string TRUE 5-7, string FALSE 7-10, string TRUE 10-20, string FALSE 20-21");
        QCOMPARE(run.attribute("stack/1"), "long 1 1-4, long 5 5-7, long 10 10-20");
        QCOMPARE(run.attribute("stack/2"), "long 2 2-3");
    }

    void changesToCome()
    {
        KernelScript s;
        twoCpus(s);
        const std::string push = "stack=\"push\"";
        const DeclaredRun run(
            provider(on("entry",
                        set("future", integer(100))
                            + element("stateChange", {},
                                      path("future") + integer(101) + element("futureTime", "type=\"eventField\" value=\"timestamp\"")))
                     + on("action", later("s/{n}", field("op", push), 11) + later("s/{n}", null("stack=\"pop\""), 18))),
            s, {}, 21);
        // The last of several changes at the same time is used. A value that is changed and changed back begins a new interval, as in the
        // state system of Trace Compass.
        QCOMPARE(run.attribute("future"), "int 101 1-2, int 101 2-5, int 101 5-10, int 101 10-21");
        QCOMPARE(run.attribute("s/0/1"), "string op2 11-18");
        QCOMPARE(run.attribute("s/1"), "int 1 11-14, int 2 14-18");
    }

    void operationsInPooledPlaces()
    {
        KernelScript s;
        twoCpus(s);
        const std::string mine = testIf("mine", is(path("~/cpu") + field("n")));
        const DeclaredRun run(pattern(mine + action("begin", set("~/cpu", field("n"))) + action("op", set("Operations/%", field("op")))
                                      + fsm("f",
                                            state("wait", transition("entry", "in", "action=\"begin:op\""))
                                                + state("in",
                                                        transition("action", "in", "cond=\"mine\" action=\"op\"")
                                                            + transition("exit", "done", "cond=\"mine\""))
                                                + final("done"))),
                              s, {}, 21);
        QCOMPARE(run.attribute("Operations/0"), "string op1 1-2, string op2 2-3, string op1 5-7, string op1 10-14, string op2 14-20");
        QCOMPARE(run.attribute("Operations/1"), "string op1 2-3, string op2 3-4");
        QCOMPARE(run.attribute("Operations/2"), "not there");
    }

    void conditionsOnNumbers()
    {
        KernelScript s;
        numbers(s);
        const std::string large = is(ofField("v") + longer(50), "ge");
        const std::string isTest = is(value("eventName") + text("test"));
        const DeclaredRun run(
            provider(on("test", set("test", longer(1)))
                     + on("test*",
                          setIf(large, "large", longer(1), longer(0)) + setIf(element("not", {}, large), "small", longer(1), longer(0))
                              + setIf(element("and", {}, isTest + element("not", {}, large) + is(ofField("v") + longer(10))), "all",
                                      longer(1), longer(0)))),
            s, {}, 8);
        QCOMPARE(run.tree(),
                 "all: long 1 1-3, long 0 3-8\nlarge: long 0 1-3, long 1 3-5, long 0 5-7, long 1 7-8\nsmall: long 1 1-3, long 0 3-5, long "
                 "1 5-7, long 0 7-8\ntest: long 1 1-8\n");
    }

    void aWindowOfTimeAndALimitOfElapsedTime()
    {
        KernelScript s;
        twoCpus(s);
        const auto time = [](const std::string& what) { return element("condition", {}, what); };
        const DeclaredRun run(
            pattern(testIf("window", time("<timerange><in begin=\"5\" end=\"20\"/></timerange>"))
                    + testIf("quick", time("<elapsedTime><less since=\"in\" value=\"4\"/></elapsedTime>"))
                    + testIf("mine", is(path("~/cpu") + field("n")))
                    + action("enter", set("~/cpu", field("n")) + set("CPU/{n}", integer(1))) + action("act", set("CPU/{n}", integer(2)))
                    + action("leave", set("CPU/{n}", null()))
                    + action("make", element("segment", {}, element("segType", {}, element("segName", {}, query("Nowhere/{n}")))))
                    + fsm("f",
                          state("wait", transition("entry", "in", "cond=\"window\" action=\"enter\""))
                              + state("in",
                                      transition("action", "in", "cond=\"mine\" action=\"act\"")
                                          + transition("exit", "done", "cond=\"mine:quick\" action=\"leave:make\"")
                                          + transition("exit", "done", "cond=\"mine\" action=\"leave\""))
                              + final("done"))),
            s, {}, 21);
        QCOMPARE(run.segments(), "null 5-7\n");
        QCOMPARE(run.attribute("CPU/0"), "int 1 5-7");
        QCOMPARE(run.attribute("CPU/1"), "int 1 10-14, int 2 14-20");
    }

    void whoTakesAnEvent()
    {
        KernelScript s;
        begins(s);
        const auto machine = [](const std::string& id, const std::string& more) {
            return action(id, set(id, longer(1, Adding)))
                + fsm("f" + id,
                      state("wait", transition("entry", "open")) + state("open", transition("exit", "closed", "action=\"" + id + "\""))
                          + final("closed"),
                      more);
        };
        QCOMPARE(DeclaredRun(pattern(machine("one", "")), s, {}, 8).attribute("one"), "long 1 7-8");
        QCOMPARE(DeclaredRun(pattern(machine("all", "consuming=\"false\"")), s, {}, 8).attribute("all"), "long 3 7-8");
    }

    void aSegmentCalledByAMappedNumber()
    {
        KernelScript s;
        begins(s);
        const std::string mapping = element("mappingGroup", "id=\"m\"", element("entry", {}, integer(1) + text("open")));
        const DeclaredRun run(
            pattern(action("make", element("segment", {}, element("segType", {}, element("segName", {}, integer(1, "mappingGroup=\"m\"")))))
                        + fsm("f", state("wait", transition("entry", "done", "action=\"make\"")) + final("done"), "multiple=\"false\""),
                    mapping),
            s, {}, 8);
        QCOMPARE(run.segments(), "open 1-1\n");
    }

    void segmentsWhoseEndsAreInFields()
    {
        KernelScript s;
        numbers(s);
        const auto make = [](const std::string& id, const std::string& end) {
            return action(
                id,
                element("segment", {},
                        "<segType segName=\"seg1\"/>"
                            + element("segTime", {},
                                      "<begin type=\"eventField\" value=\"timestamp\"/><" + end + " type=\"eventField\" value=\"v\"/>")));
        };
        const DeclaredRun run(
            pattern(make("end", "end") + fsm("f", state("s", transition("*", "s", "action=\"end\"")), "multiple=\"false\"")), s, {}, 8);
        QCOMPARE(run.segments(), "seg1 1-10\nseg1 3-100\nseg1 5-20\nseg1 7-200\n");
    }

    void doublesStayWhatTheyAre()
    {
        KernelScript s;
        s.event(1, 0, "x", {{"v", 3.141592}}).event(3, 0, "x", {{"v", 2.71828}}).event(5, 0, "x", {{"v", 1.41421}});
        s.event(7, 0, "x", {{"v", 2.68545}});
        QCOMPARE(DeclaredRun(provider(on("x", set("0", field("v")))), s, {}, 8).tree(),
                 "0: double 3.141592 1-3, double 2.71828 3-5, double 1.41421 5-7, double 2.68545 7-8\n");
    }

    void rowsAndCurvesOfCalls()
    {
        KernelScript s;
        twoCpus(s);
        const std::string changes =
            on("entry", set("CPU/{n}", integer(1))) + on("action", set("CPU/{n}", integer(2))) + on("exit", set("CPU/{n}", null()));
        const std::string head = "<head><analysis id=\"p\"/></head>";
        const std::string entries = element("entry", "path=\"CPU\"", element("entry", "path=\"*\"", "<display type=\"self\"/>"));
        const DeclaredRun run(
            provider(changes,
                     element("timeGraphView", "id=\"v\"", head + entries)
                         + element("xyView", "id=\"c\"", head + element("entry", "path=\"CPU/*\"", "<display type=\"self\"/>"))),
            s, {}, 21);
        QCOMPARE(run.view("v"), "CPU\nCPU/0: int 1 1-2, int 2 2-3, int 1 5-7\nCPU/1: int 1 2-3, int 2 3-4, int 1 10-14, int 2 14-20\n");
        QCOMPARE(run.curves(), "c/CPU/0 (0): 1=1 2=2 3=0 5=1 7=0\nc/CPU/1 (1): 2=1 3=2 4=0 10=1 14=2 20=0\n");
    }
};

HELIO_TEST(KnownResultsTest)

#include "tst_known_results.moc"
