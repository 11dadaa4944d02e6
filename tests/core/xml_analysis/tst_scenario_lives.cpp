#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

class ScenarioLivesTest : public QObject {
    Q_OBJECT

private slots:
    void scenariosAreInTheTree()
    {
        KernelScript s;
        s.event(10, 0, "a").event(20, 0, "b").event(30, 0, "a").event(40, 0, "other").event(45, 0, "more");
        const DeclaredRun run(pattern(fsm("f", state("s", transition("a", "w")) + state("w", transition("b", "d")) + final("d"))), s, {},
                              50);
        QCOMPARE(run.problems(), "");
        QCOMPARE(run.tree(),
                 "scenarios\n"
                 "scenarios/f\n"
                 "scenarios/f/0\n"
                 "scenarios/f/0/startTime: long 10 10-20\n"
                 "scenarios/f/0/state/d\n"
                 "scenarios/f/0/state/d/startTime: long 20 20-50\n"
                 "scenarios/f/0/state/s\n"
                 "scenarios/f/0/state/s/startTime: long 10 10-20, long 40 40-50\n"
                 "scenarios/f/0/state/w\n"
                 "scenarios/f/0/state/w/startTime: long 10 10-20\n"
                 "scenarios/f/0/state: string w 10-20, string d 20-40, string s 40-50\n"
                 "scenarios/f/0/status: int 1 10-20, int 2 20-40, int 0 40-50\n"
                 "scenarios/f/1\n"
                 "scenarios/f/1/startTime: long 30 30-50\n"
                 "scenarios/f/1/state/s\n"
                 "scenarios/f/1/state/s/startTime: long 20 20-50\n"
                 "scenarios/f/1/state/w\n"
                 "scenarios/f/1/state/w/startTime: long 30 30-50\n"
                 "scenarios/f/1/state: string s 20-30, string w 30-50\n"
                 "scenarios/f/1/status: int 0 20-30, int 1 30-50\n");
        QCOMPARE(run.complaints(), "");
    }

    void theFirstEventOfAllBeginsTheFirstScenario()
    {
        KernelScript s;
        s.event(10, 0, "other").event(20, 0, "a").event(30, 0, "end");
        const DeclaredRun run(pattern(fsm("f", state("s", transition("a", "w")) + state("w", transition("b", "d")) + final("d"))), s);
        QCOMPARE(run.attribute("scenarios/f/0/status"), "int 0 10-20, int 1 20-30");
        QCOMPARE(run.attribute("scenarios/f/0/state/s/startTime"), "long 10 10-30");
    }

    void placesAreUsedAgainTheFirstFreedFirst()
    {
        // Three scenarios begin (in slots 0, 1 and 2); those in slots 2, 0 and 1 end; four further events "begin" follow.
        KernelScript s;
        for (int i = 0; i < 3; ++i)
            s.event(10 + i, 0, "begin", {{"id", i}});
        s.event(20, 0, "end", {{"id", 2}}).event(21, 0, "end", {{"id", 0}}).event(22, 0, "end", {{"id", 1}});
        for (int i = 3; i < 7; ++i)
            s.event(30 + i, 0, "begin", {{"id", i}});
        s.event(50, 0, "last");
        const DeclaredRun run(pattern(testIf("mine", is(path("~/storedFields/id") + field("id")))
                                          + fsm("f",
                                                state("s", transition("begin", "w", R"(saveStoredFields="true")"))
                                                    + state("w", transition("end", "d", R"(cond="mine")")) + final("d")),
                                      stored("id")),
                              s);
        // A scenario gets its number, for example 3 in "scenarios/f/3", when it starts to wait for its event "begin". The scenario with id
        // 3 started to wait while the numbers 0 to 2 were in use. Later scenarios reuse the numbers of scenarios that have ended.
        QCOMPARE(run.attribute("scenarios/f/0/storedFields/id"), "long 0 10-21, long 5 35-50");
        QCOMPARE(run.attribute("scenarios/f/1/storedFields/id"), "long 1 11-22, long 6 36-50");
        QCOMPARE(run.attribute("scenarios/f/2/storedFields/id"), "long 2 12-20, long 4 34-50");
        QCOMPARE(run.attribute("scenarios/f/3/storedFields/id"), "long 3 33-50");
    }

    void whatAScenarioKeptEndsWithIt()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"k", "a"}}).event(20, 0, "y", {{"k", "b"}}).event(30, 0, "z").event(40, 0, "last");
        const DeclaredRun run(
            pattern(action("keep", set("~/kept/{k}", integer(1)) + set("outside/{k}", integer(1)))
                    + fsm("f",
                          state("s", transition("x", "w", R"(action="keep")"))
                              + state("w", transition("y", "w", R"(action="keep")") + transition("z", "d")) + final("d"))),
            s);
        QCOMPARE(run.attribute("scenarios/f/0/kept/a"), "int 1 10-30");
        QCOMPARE(run.attribute("scenarios/f/0/kept/b"), "int 1 20-30");
        QCOMPARE(run.attribute("outside/a"), "int 1 10-40");
    }

    void theScenarioIsTheBeginOfAPathWhereverItStands()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "last");
        const std::string location = element("location", R"(id="own")", path("deep/~/inside"));
        const DeclaredRun run(pattern(action("a", set("a/~/b", integer(1)) + set("@own/c", integer(2)) + set("copy", query("a/~/b")))
                                          + fsm("f", state("s", transition("x", "s", R"(action="a")"))),
                                      location),
                              s);
        QCOMPARE(run.attribute("scenarios/f/0/a/b"), "int 1 10-20");
        QCOMPARE(run.attribute("scenarios/f/0/deep/inside/c"), "int 2 10-20");
        QCOMPARE(run.attribute("copy"), "int 1 10-20");
    }

    void whatIsInProgressAtTheEndStaysSo()
    {
        KernelScript s;
        s.event(10, 0, "x").event(30, 0, "last");
        const DeclaredRun run(pattern(action("a", set("~/mine", integer(1)))
                                      + fsm("f", state("s", transition("x", "w", R"(action="a")")) + state("w", transition("y", "s")))),
                              s, {}, 40);
        QCOMPARE(run.attribute("scenarios/f/0/status"), "int 1 10-40");
        QCOMPARE(run.attribute("scenarios/f/0/mine"), "int 1 10-40");
        QCOMPARE(run.attribute("scenarios/f/1/status"), "int 0 30-40");
    }

    void poolsGiveTheSmallestNumberThatIsFree()
    {
        KernelScript s;
        for (int i = 0; i < 3; ++i)
            s.event(10 + i, 0, "begin", {{"id", i}});
        s.event(20, 0, "end", {{"id", 1}}).event(21, 0, "end", {{"id", 0}}).event(30, 0, "begin", {{"id", 3}});
        s.event(31, 0, "begin", {{"id", 4}}).event(32, 0, "begin", {{"id", 5}}).event(40, 0, "last");
        const DeclaredRun run(
            pattern(testIf("mine", is(path("~/id") + field("id")))
                    + action("take", set("~/id", field("id")) + set("Lanes/%", field("id")) + set("Lanes/%/again", integer(1)))
                    + fsm("f",
                          state("s", transition("begin", "w", R"(action="take")")) + state("w", transition("end", "d", R"(cond="mine")"))
                              + final("d"))),
            s);
        QCOMPARE(run.attribute("Lanes/0"), "long 0 10-21, long 3 30-40");
        QCOMPARE(run.attribute("Lanes/0/again"), "int 1 10-21, int 1 30-40");
        QCOMPARE(run.attribute("Lanes/1"), "long 1 11-20, long 4 31-40");
        QCOMPARE(run.attribute("Lanes/2"), "long 2 12-40");
        QCOMPARE(run.attribute("Lanes/3"), "long 5 32-40");
    }

    void eachScenarioHasOneNumberOfEachPool()
    {
        KernelScript s;
        s.event(10, 0, "begin").event(20, 0, "begin").event(30, 0, "last");
        const DeclaredRun run(
            pattern(action("take", set("a/%", integer(1)) + set("b/%/x", integer(2)) + set("a/%/y", integer(3)))
                    + fsm("f", state("s", transition("begin", "w", R"(action="take")")) + state("w", transition("end", "s")))),
            s);
        QCOMPARE(run.attribute("a/0/y"), "int 3 10-30");
        QCOMPARE(run.attribute("a/1/y"), "int 3 20-30");
        QCOMPARE(run.attribute("b/0/x"), "int 2 10-30");
        QCOMPARE(run.attribute("b/1/x"), "int 2 20-30");
        QCOMPARE(run.attribute("a/2"), "not there");
    }

    void aScenarioMayMatchAtOnce()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "x").event(30, 0, "last");
        const DeclaredRun run(pattern(fsm("f", state("s", transition("x", "d")) + final("d"))), s);
        QCOMPARE(run.attribute("scenarios/f/0/status"), "int 2 10-20, int 2 20-30");
        QCOMPARE(run.attribute("scenarios/f/0/startTime"), "");
        QCOMPARE(run.attribute("scenarios/f/0/state/d/startTime"), "long 10 10-20, long 20 20-30");
        QCOMPARE(run.attribute("scenarios/f/1"), "not there");
    }

    void fieldsAreStored()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"v", 5}, {"w", "five"}, {"d", 0.5}}).event(20, 0, "y", {{"v", 6}}).event(30, 0, "z", {{"v", 7}});
        s.event(40, 0, "clear", {{"v", 8}}).event(50, 0, "end");
        const std::string save = R"(saveStoredFields="true")";
        const DeclaredRun run(pattern(fsm("f",
                                          state("s", transition("x", "w", save))
                                              + state("w",
                                                      transition("y", "w", save) + transition("z", "w")
                                                          + transition("clear", "w", R"(clearStoredFields="true")"))),
                                      stored("v", R"(alias="number")") + stored("w") + stored("d", R"(alias="")") + stored("cpu")),
                              s);
        QCOMPARE(run.attribute("scenarios/f/0/storedFields/number"), "long 5 10-20, long 6 20-40");
        QCOMPARE(run.attribute("scenarios/f/0/storedFields/v"), "not there");
        QCOMPARE(run.attribute("scenarios/f/0/storedFields/w"), "string five 10-40");
        QCOMPARE(run.attribute("scenarios/f/0/storedFields/d"), "double 0.5 10-40");
    }
};

HELIO_TEST(ScenarioLivesTest)

#include "tst_scenario_lives.moc"
