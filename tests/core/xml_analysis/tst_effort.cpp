#include "core/store/store.h"
#include "core/xml_analysis/running/pattern_run.h"
#include "core/xml_analysis/running/step_budget.h"
#include "core/xml_analysis/xml_analysis_kind.h"
#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>

using namespace helio;
using namespace helio::xml;
using namespace helio::test;
using namespace helio::test::xml_text;

namespace {

std::string repeated(int times, const std::function<std::string(int)>& one)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += one(i);
    return all;
}

/// Returns a pattern whose event "big" runs a hundred actions of `changes` changes each, and whose event "small" makes a single change.
std::string hostilePattern(int changes)
{
    const std::string names = repeated(100, [](int) { return std::string("many:"); });
    return pattern(
        action("many", repeated(changes, [](int i) { return set("a" + std::to_string(i % 50), query("from/here")); }))
            + action("one", countIn("n"))
            + fsm("f", state("s", transition("small", "s", "action=\"one\"") + transition("big", "s", "action=\"" + names + "\""))),
        {});
}

/// Requests a stop after a number of changes.
class Listener final : public TreeListener {
public:
    void onNew(Quark) override { }
    void onChange(HostTimestamp, Quark, const xml::Value&) override
    {
        if (++changes == stopAt)
            stop.request_stop();
    }
    std::uint64_t changes = 0;
    std::uint64_t stopAt = 0;
    std::stop_source stop;
};

class NoSegments final : public SegmentReceiver {
public:
    void take(const PatternSegment&) override { }
};

/// Result of runStopped(), which runs a pattern over events "big" and requests a stop after a number of changes.
struct Stopped {
    std::uint64_t steps = 0;
    std::uint64_t changes = 0;
    bool isCancelled = false;
};
Stopped runStopped(const std::string& xml, int events, std::uint64_t stopAt)
{
    const File file = readFile(xml);
    KernelScript script;
    script.declare("big").declare("small");
    Texts texts;
    Listener listener;
    listener.stopAt = stopAt;
    NoSegments segments;
    StepBudget effort(listener.stop.get_token());
    AttributeTree tree(texts, listener, effort);
    RunProblems problems;
    PatternRun run(file.programs.at(0), tree, segments, problems);
    Binding binding(file.programs.at(0), script, texts);
    run.start(hostTime(1));
    for (int time = 1; time <= events; ++time) {
        EventRecord record;
        record.time = hostTime(time);
        const EventView event{&record, &script.eventTypes()[record.type], {}, 0};
        run.onEvent(event, binding.typeOf(record.type), nullptr);
    }
    return {effort.steps(), listener.changes, effort.isCancelled()};
}

} // namespace

class EffortTest : public QObject {
    Q_OBJECT

private slots:
    void whatSeriousFilesDoIsNeverEnough()
    {
        StepBudget effort;
        for (int i = 0; i < 1000; ++i) {
            effort.beginEvent();
            QVERIFY(effort.take(40'000));
        }
        QVERIFY(!effort.isEnough());
    }

    void oneEventMayTakeSoMuch()
    {
        StepBudget effort;
        effort.beginEvent();
        QVERIFY(effort.take(StepBudget::MostAtOneEvent - StepBudget::AskStep));
        QVERIFY(!effort.take(2 * StepBudget::AskStep));
        QVERIFY(effort.isEnough() && !effort.isCancelled());
        QVERIFY(std::string(effort.why()).starts_with("one event"));
        effort.beginEvent();
        QVERIFY(!effort.take());
    }

    void allEventsTogetherMayTakeSoMuchEach()
    {
        StepBudget effort;
        std::uint64_t events = 0;
        while (!effort.isEnough()) {
            effort.beginEvent();
            effort.take(3 * StepBudget::MostPerEvent);
            ++events;
        }
        const std::uint64_t expected = StepBudget::MostAhead / (2 * StepBudget::MostPerEvent);
        QVERIFY(events >= expected && events < expected + 10);
        QVERIFY(std::string(effort.why()).starts_with("its events"));
    }

    void whoStopsItIsHeardSoon()
    {
        std::stop_source stop;
        StepBudget effort(stop.get_token());
        effort.beginEvent();
        QVERIFY(effort.take(100));
        stop.request_stop();
        std::uint64_t steps = 0;
        while (effort.take())
            ++steps;
        QVERIFY(steps <= StepBudget::AskStep);
        QVERIFY(effort.isCancelled());
    }

    /// Property: if an event needs too many steps, it is aborted. Results end at this event, and the message names the place in the file
    /// and the time.
    void anEventThatTakesTooMuchEndsTheAnalysis()
    {
        KernelScript s;
        s.event(10, 0, "small").event(20, 0, "small").event(30, 0, "big").event(40, 0, "small").event(50, 0, "big");
        const DeclaredRun run(hostilePattern(60'000), s, {}, 100);
        QCOMPARE(run.problems(), "");
        QCOMPARE(run.attribute("n"), "int 1 10-20, int 2 20-30");
        QVERIFY(run.attribute("scenarios/f/0/state").ends_with("-30"));
        const std::string complaints = run.complaints();
        QVERIFY2(complaints.find("one event needs more than ten million steps") != std::string::npos, complaints.c_str());
        QVERIFY2(complaints.find(", 0.000000020 s after the first event") != std::string::npos, complaints.c_str());
        QVERIFY2(complaints.starts_with("line 1, column "), complaints.c_str());
    }

    void anEventThatTakesMuchButNotTooMuchDoesNot()
    {
        KernelScript s;
        s.event(10, 0, "small").event(20, 0, "big").event(30, 0, "small");
        const DeclaredRun run(hostilePattern(1000), s, {}, 100);
        QCOMPARE(run.complaints(), "");
        QCOMPARE(run.attribute("n"), "int 1 10-30, int 2 30-100");
    }

    void aStateProviderIsGivenUpTheSameWay()
    {
        KernelScript s;
        s.event(10, 0, "small").event(30, 0, "big").event(40, 0, "small");
        const std::string entries = repeated(9000, [](int i) { return element("entry", {}, integer(i) + integer(i)); });
        const DeclaredRun run(
            provider(element("mappingGroup", "id=\"m\"", entries) + on("small", countIn("n"))
                     + on("big", repeated(2000, [](int i) { return set("a/" + std::to_string(i), integer(-1, "mappingGroup=\"m\"")); }))),
            s, {}, 100);
        QCOMPARE(run.problems(), "");
        QCOMPARE(run.attribute("n"), "int 1 10-30");
        QVERIFY(run.complaints().find("one event needs") != std::string::npos);
        QVERIFY(run.attribute("a/1999") == "not there");
    }

    /// Property: when the analysis is stopped, curves keep their last value. They do not fall to 0, a value that never occurred.
    void aCurveDoesNotFallToZeroThere()
    {
        KernelScript s;
        s.event(10, 0, "small").event(20, 0, "small").event(30, 0, "big");
        const std::string all = hostilePattern(60'000);
        const std::string view =
            element("xyView", "id=\"v\"",
                    element("head", {}, element("analysis", "id=\"p\"")) + element("entry", "path=\"n\"", "<display type=\"self\"/>"));
        const DeclaredRun run(all.substr(0, all.size() - std::string("</tmfxml>").size()) + view + "</tmfxml>", s, {}, 100);
        QCOMPARE(run.problems(), "");
        QCOMPARE(run.curves(), "v/n (n): 10=1 20=2\n");
    }

    void itIsStoppedInTheMiddleOfAnEvent()
    {
        // Every change has an effect, because each event sets other values.
        const std::string xml =
            pattern(action("many", repeated(20'000, [](int i) { return set("a" + std::to_string(i % 50), integer(i)); }))
                    + fsm("f", state("s", transition("big", "s", "action=\"many:many:many:many\""))));
        const Stopped all = runStopped(xml, 3, 0);
        QVERIFY(!all.isCancelled);
        QVERIFY(all.changes > 240'000);
        const Stopped some = runStopped(xml, 1000, 100);
        QVERIFY(some.isCancelled);
        QVERIFY(some.steps <= 2 * StepBudget::AskStep);
    }

    /// Input: scenarios with a condition "less than". Only comparisons for equality have an index, so each event must try all scenarios.
    void scenariosThatHaveToBeTriedAreStoppedInTheMiddle()
    {
        const std::string xml = pattern(
            testIf("never", is(query("~/k") + integer(0), "lt")) + action("keep", set("~/k", integer(1)))
            + fsm("f",
                  state("s", transition("big", "w", "action=\"keep\"")) + state("w", transition("big", "d", "cond=\"never\"")) + final("d"),
                  "consuming=\"false\""));
        const Stopped all = runStopped(xml, 1500, 0);
        QVERIFY(!all.isCancelled);
        QVERIFY2(all.steps > 1500 * 1500, std::to_string(all.steps).c_str());
        const Stopped some = runStopped(xml, 1500, 10);
        QVERIFY(some.isCancelled);
        QVERIFY(some.steps <= 2 * StepBudget::AskStep);
    }
};

HELIO_TEST(EffortTest)

#include "tst_effort.moc"
