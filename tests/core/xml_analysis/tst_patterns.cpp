#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

class PatternsTest : public QObject {
    Q_OBJECT

private slots:
    void theFirstStateIs_data()
    {
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("is");
        const std::string states =
            state("a", transition("x", "d")) + state("b", transition("x", "d")) + state("c", transition("x", "d")) + final("d");
        const auto row = [](const char* name, const std::string& content, const char* more, const char* is) {
            QTest::newRow(name) << QString::fromStdString(content) << more << is;
        };
        row("the first", states, "", "a");
        row("the element initial", initial("c") + states, "", "c");
        row("the attribute initial", initial("c") + states, R"(initial="b")", "b");
        row("the element initialState", initial("c") + initialState(transition("x", "d")) + states, R"(initial="b")", "initialState");
        row("whatever initial asks for", initial("c", R"(cond="never" action="mark")") + states, "", "c");
    }
    void theFirstStateIs()
    {
        QFETCH(QString, content);
        QFETCH(QString, more);
        QFETCH(QString, is);
        KernelScript s;
        s.event(10, 0, "other").event(20, 0, "x").event(30, 0, "end");
        const DeclaredRun run(pattern(testIf("never", xml_text::is(integer(1) + integer(2))) + action("mark", set("marked", integer(1)))
                                      + fsm("f", content.toStdString(), more.toStdString())),
                              s);
        QCOMPARE(QString::fromStdString(run.problems()), QString());
        QCOMPARE(QString::fromStdString(run.attribute("scenarios/f/0/state")), "string " + is + " 10-20, string d 20-30");
        QCOMPARE(run.attribute("marked"), "not there");
    }

    void conditionsOfTheInitialStateCount()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"v", 1}}).event(20, 0, "x", {{"v", 2}}).event(30, 0, "end");
        const DeclaredRun run(
            pattern(testIf("two", is(ofField("v") + integer(2))) + noted("a")
                    + fsm("f", initialState(transition("x", "s", R"(cond="two" action="a")")) + state("s", transition("y", "s")))),
            s);
        QCOMPARE(run.attribute("scenarios/f/0/state"), "string initialState 10-20, string s 20-30");
        QCOMPARE(run.attribute("order/a"), "int 1 20-30");
    }

    void theFirstTransitionThatFitsIsTaken()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"v", 1}}).event(20, 0, "x", {{"v", 2}}).event(30, 0, "y").event(40, 0, "z").event(50, 0, "end");
        const DeclaredRun run(
            pattern(testIf("two", is(ofField("v") + integer(2)))
                    + fsm("f",
                          state("s", transition("x", "a", R"(cond="two")") + transition("x", "b") + transition("*", "c"))
                              + state("a", transition("y", "d") + transition({}, "e")) + state("b", transition("x", "a"))
                              + state("c", transition({}, "c")) + state("d", transition("y|z", "e")) + state("e", transition("never", "s")),
                          R"(multiple="false")")),
            s);
        QCOMPARE(run.attribute("scenarios/f/0/state"), "string b 10-20, string a 20-30, string d 30-40, string e 40-50");
    }

    void aTransitionOfNoEventIsOfAll_data()
    {
        QTest::addColumn<QString>("transition");
        QTest::newRow("no attribute") << R"(<transition target="d"/>)";
        QTest::newRow("empty") << R"(<transition event="" target="d"/>)";
        QTest::newRow("star") << R"(<transition event="*" target="d"/>)";
    }
    void aTransitionOfNoEventIsOfAll()
    {
        QFETCH(QString, transition);
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "y").event(30, 0, "end");
        const DeclaredRun run(pattern(fsm("f", state("s", transition.toStdString()) + final("d"), R"(multiple="false")")), s);
        QCOMPARE(run.attribute("scenarios/f/0/state"), "string d 10-30");
    }

    void allConditionsHaveToHold()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"a", 1}, {"b", 0}}).event(20, 0, "x", {{"a", 0}, {"b", 1}}).event(30, 0, "x", {{"a", 1}, {"b", 1}});
        s.event(40, 0, "end");
        const DeclaredRun run(pattern(testIf("a", is(ofField("a") + integer(1))) + testIf("b", is(ofField("b") + integer(1)))
                                      + fsm("f", state("s", transition("x", "d", R"(cond="a:b")")) + final("d"), R"(multiple="false")")),
                              s);
        QCOMPARE(run.attribute("scenarios/f/0/state"), "string s 10-30, string d 30-40");
    }

    void theLastOfTwoTestsOfAnIdCounts()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "end");
        const DeclaredRun run(pattern(testIf("a", is(integer(1) + integer(2))) + testIf("a", is(integer(1) + integer(1)))
                                      + fsm("f", state("s", transition("x", "d", R"(cond="a")")) + final("d"))),
                              s);
        QVERIFY(run.problems().find("warning: the test \"a\" is defined twice: the last one counts") != std::string::npos);
        QCOMPARE(run.attribute("scenarios/f/0/status"), "int 2 10-20");
    }

    void thingsHappenInTheirOrder()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"v", 5}}).event(20, 0, "y", {{"v", 6}}).event(30, 0, "end");
        const std::string look = set("seen/{v}/state", query("~/state")) + set("seen/{v}/status", query("~/status"))
            + set("seen/{v}/start", query("~/startTime"));
        const DeclaredRun run(
            pattern(noted("exit") + noted("a", look) + noted("b") + noted("entry", set("kept/{v}", query("~/storedFields/v")))
                        + fsm("f",
                              state("s", onExit("exit") + transition("x", "w", R"(action="a:b" saveStoredFields="true")"))
                                  + state("w",
                                          onEntry("entry")
                                              + transition("y", "w", R"(action="b:a" saveStoredFields="true" clearStoredFields="true")")),
                              R"(multiple="false")"),
                    stored("v")),
            s);
        QCOMPARE(run.attribute("order/exit"), "int 1 10-30");
        QCOMPARE(run.attribute("order/a"), "int 2 10-20, int 6 20-30");
        QCOMPARE(run.attribute("order/b"), "int 3 10-20, int 5 20-30");
        QCOMPARE(run.attribute("order/entry"), "int 4 10-20, int 7 20-30");
        // Transition actions see the scenario as it was before the transition; entry actions see the new state, after fields were stored
        // and cleared.
        QCOMPARE(run.attribute("seen/5/state"), "string s 10-30");
        QCOMPARE(run.attribute("seen/5/status"), "int 0 10-30");
        QCOMPARE(run.attribute("seen/5/start"), "");
        QCOMPARE(run.attribute("seen/6/state"), "string w 20-30");
        QCOMPARE(run.attribute("seen/6/status"), "int 1 20-30");
        QCOMPARE(run.attribute("seen/6/start"), "long 10 20-30");
        QCOMPARE(run.attribute("kept/5"), "long 5 10-30");
        QCOMPARE(run.attribute("kept/6"), "");
        QCOMPARE(run.attribute("scenarios/f/0/storedFields/v"), "long 5 10-20");
        // The scenario stayed in the state w, so the start time did not change.
        QCOMPARE(run.attribute("scenarios/f/0/state/w/startTime"), "long 10 10-30");
    }

    void aTransitionWithoutATargetStays()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "end");
        const DeclaredRun run(pattern(noted("exit") + noted("entry")
                                      + fsm("f", state("s", onEntry("entry") + onExit("exit") + R"(<transition event="x"/>)"))),
                              s);
        QCOMPARE(run.attribute("scenarios/f/0/state"), "string s 10-20");
        QCOMPARE(run.attribute("scenarios/f/0/status"), "int 1 10-20");
        QCOMPARE(run.attribute("order/entry"), "int 2 10-20");
    }

    void preconditionsHaveToPass_data()
    {
        QTest::addColumn<QString>("preconditions");
        // Expected counts after the events "x" at 10 (field v is 1), "y" at 20 (v is 2) and "z" at 30 (v is 1).
        QTest::addColumn<QString>("counts");
        const auto row = [](const char* name, const std::string& preconditions, const char* counts) {
            QTest::newRow(name) << QString::fromStdString(preconditions) << counts;
        };
        row("none", "", "int 1 10-20, int 2 20-30, int 3 30-40");
        row("of an event", precondition(R"(event="y")"), "int 1 20-40");
        row("of a condition", precondition(R"(cond="one")"), "int 1 10-30, int 2 30-40");
        row("of both", precondition(R"(event="y|z" cond="one")"), "int 1 30-40");
        row("one of several", precondition(R"(event="x")") + precondition(R"(event="z")"), "int 1 10-30, int 2 30-40");
        row("never", precondition(R"(event="none")"), "not there");
        row("outside of scenarios", precondition(R"(cond="outside")"), "int 1 10-20, int 2 20-30, int 3 30-40");
        row("not inside", precondition(R"(cond="inside")"), "not there");
    }
    void preconditionsHaveToPass()
    {
        QFETCH(QString, preconditions);
        QFETCH(QString, counts);
        KernelScript s;
        s.event(10, 0, "x", {{"v", 1}}).event(20, 0, "y", {{"v", 2}}).event(30, 0, "z", {{"v", 1}}).event(40, 0, "end", {{"v", 3}});
        const DeclaredRun run(pattern(testIf("one", is(ofField("v") + integer(1))) + testIf("outside", is(path("~/status") + null()))
                                      + testIf("inside", is(path("~/status") + integer(1))) + action("count", countIn("n"))
                                      + fsm("f", preconditions.toStdString() + state("s", transition("x|y|z", "s", R"(action="count")")))),
                              s);
        QCOMPARE(QString::fromStdString(run.problems()), QString());
        QCOMPARE(QString::fromStdString(run.attribute("n")), counts);
    }

    void machinesThatAreNotNamedNeverBegin()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "end");
        const std::string machines = fsm("f", state("s", transition("x", "s"))) + fsm("g", state("s", transition("x", "s")))
            + fsm("h", state("s", transition("x", "s")));
        const DeclaredRun all(pattern(machines), s);
        for (const char* name : {"f", "g", "h"})
            QCOMPARE(all.attribute(std::string("scenarios/") + name + "/0/status"), "int 1 10-20");
        const DeclaredRun some(pattern(machines, {}, {}, R"(initial="h:f")"), s);
        QCOMPARE(some.attribute("scenarios/f/0/status"), "int 1 10-20");
        QCOMPARE(some.attribute("scenarios/g"), "not there");
        QCOMPARE(some.attribute("scenarios/h/0/status"), "int 1 10-20");
    }

    void oneScenarioOrSeveral_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("count"); // Expected counter of completed scenarios, after three events "begin" and two events "end".
        test::addRow("consuming", "", "int 1 70-80, int 2 80-90");
        test::addRow("not consuming", R"(consuming="false")", "int 3 70-90");
        test::addRow("one only", R"(multiple="false")", "int 1 70-90");
    }
    void oneScenarioOrSeveral()
    {
        QFETCH(QString, more);
        QFETCH(QString, count);
        KernelScript s;
        s.event(10, 0, "begin").event(30, 0, "begin").event(50, 0, "begin").event(70, 0, "end").event(80, 0, "end").event(90, 0, "last");
        const DeclaredRun run(
            pattern(action("count", countIn("n"))
                    + fsm("f", state("s", transition("begin", "w")) + state("w", transition("end", "d", R"(action="count")")) + final("d"),
                          more.toStdString())),
            s);
        QCOMPARE(QString::fromStdString(run.attribute("n")), count);
    }

    void theOldestScenarioIsFirst()
    {
        KernelScript s;
        s.event(10, 0, "begin").event(20, 0, "begin").event(30, 0, "end").event(40, 0, "begin").event(50, 0, "end").event(60, 0, "end");
        s.event(70, 0, "last");
        const DeclaredRun run(
            pattern(action("note", set("ended", query("~/startTime")))
                    + fsm("f", state("s", transition("begin", "w")) + state("w", transition("end", "d", R"(action="note")")) + final("d"))),
            s);
        QCOMPARE(run.attribute("ended"), "long 10 30-50, long 20 50-60, long 40 60-70");
    }

    void anEventThatOneScenarioTookIsNotForTheOneThatWaits()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "x").event(30, 0, "x").event(40, 0, "last");
        const std::string machine = state("s", transition("x", "w")) + state("w", transition("x", "d")) + final("d");
        const DeclaredRun consuming(pattern(fsm("f", machine)), s);
        QCOMPARE(consuming.attribute("scenarios/f/0/status"), "int 1 10-20, int 2 20-40");
        QCOMPARE(consuming.attribute("scenarios/f/1/status"), "int 0 20-30, int 1 30-40");
        const DeclaredRun not_(pattern(fsm("f", machine, R"(consuming="false")")), s);
        // Scenario 0 matches the event at 20. Scenario 1, which also began at 20, matches the event at 30.
        QCOMPARE(not_.attribute("scenarios/f/0/status"), "int 1 10-20, int 2 20-30, int 1 30-40");
        QCOMPARE(not_.attribute("scenarios/f/1/status"), "int 1 20-30, int 2 30-40");
    }

    void machinesDoNotTakeEventsFromEachOtherAndRunInTheirOrder()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "last");
        const auto machine = [&](const std::string& id) {
            return fsm(id, state("s", transition("x", "d", "action=\"" + id + "\"")) + final("d"));
        };
        const DeclaredRun run(pattern(noted("z") + noted("a") + machine("z") + machine("a")), s);
        QCOMPARE(run.attribute("order/z"), "int 1 10-20");
        QCOMPARE(run.attribute("order/a"), "int 2 10-20");
    }

    void aStateWithoutTransitionsIsFinalAndItsEntryCounts()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "last");
        const DeclaredRun run(pattern(noted("entry") + fsm("f", state("s", transition("x", "d")) + state("d", onEntry("entry")))), s);
        QCOMPARE(run.attribute("order/entry"), "int 1 10-20");
        QCOMPARE(run.attribute("scenarios/f/0/status"), "int 2 10-20");
    }

    void aMachineThatBeginsWithoutTransitionsNeverMoves()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "last");
        QCOMPARE(DeclaredRun(pattern(fsm("f", state("s"))), s).attribute("scenarios/f/0/status"), "int 0 10-20");
    }

    void actionsStandInActions()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "y").event(30, 0, "last");
        const DeclaredRun run(pattern(noted("inner") + action("outer", countIn("n") + noted("nested") + countIn("n")) + noted("gone")
                                      + action("empties", element("action", R"(id="gone")"))
                                      + fsm("f",
                                            state("s", transition("x", "w", R"(action="outer:inner")"))
                                                + state("w", transition("y", "w", R"(action="nested:gone:empties")")))),
                              s);
        QCOMPARE(run.attribute("order/nested"), "int 2 10-20, int 5 20-30");
        QCOMPARE(run.attribute("order/inner"), "int 4 10-30");
        QCOMPARE(run.attribute("order/gone"), "not there");
        QCOMPARE(run.attribute("n"), "int 4 10-20, int 5 20-30");
    }
};

HELIO_TEST(PatternsTest)

#include "tst_patterns.moc"
