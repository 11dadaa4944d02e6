// Event requirements: an analysis runs on a trace that has an event which leads to visible output.

#include "core/trace/recording_advice.h"
#include "core/xml_analysis/reach/recording.h"
#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

using namespace helio;
using namespace helio::xml;
using namespace helio::test::xml_text;

namespace {

std::shared_ptr<const XmlAnalysisKind> kindIn(const AnalysisFile& file)
{
    for (const Problem& problem : file.content.problems)
        qWarning("%s", textOf(problem, "test.xml").c_str());
    const auto listed = listAnalyses({file}, *Analyses::builtin());
    return listed.empty() ? nullptr : listed.front().kind;
}

/// True if the analysis runs on a trace with these event types. `events` are names separated by spaces.
bool runs(const XmlAnalysisKind& kind, const std::string& events)
{
    test::KernelScript script;
    for (std::size_t at = 0; at < events.size();) {
        const std::size_t end = std::min(events.find(' ', at), events.size());
        script.declare(events.substr(at, end - at));
        at = end + 1;
    }
    return kind.hasEventsIn(script);
}
bool runs(const std::string& xml, const std::string& events)
{
    const auto kind = kindIn({"test.xml", AnalysisOrigin::User, xml, readFile(xml)});
    return kind && runs(*kind, events);
}

std::shared_ptr<const XmlAnalysisKind> shipped(std::string_view id)
{
    for (const EmbeddedFile& it : builtinFiles())
        if (it.name == std::string(id) + ".xml")
            return kindIn({it.name, AnalysisOrigin::Builtin, std::string(it.text), readFile(it.text)});
    return nullptr;
}

std::string display(const std::string& name)
{
    return name.empty() ? element("display", R"(type="self")") : element("display", "type=\"constant\" value=\"" + name + "\"");
}
std::string entry(const std::string& path, const std::string& content) { return element("entry", "path=\"" + path + "\"", content); }
/// Returns a view of the analysis "p" with one entry.
std::string view(const std::string& path, const std::string& content)
{
    return element("timeGraphView", R"(id="v")", R"(<head><analysis id="p"/></head>)" + entry(path, content));
}

} // namespace

class NeedsTest : public QObject {
    Q_OBJECT

private slots:
    void commandsRecordWhatIsMissing()
    {
        using Patterns = std::vector<std::string>;
        const auto command = [](const Patterns& patterns) {
            return QByteArray::fromStdString(recordEventsCommand(patterns, Tracer::Lttng));
        };
        QCOMPARE(command({}), QByteArray());
        QCOMPARE(command({"sched_switch", "irq_handler_entry"}), QByteArray("lttng enable-event -k sched_switch,irq_handler_entry"));
        QCOMPARE(command({"syscall_entry_futex", "syscall_exit_futex", "compat_syscall_entry_futex", "sys_read", "exit_syscall"}),
                 QByteArray("lttng enable-event -k --syscall futex,read"));
        QCOMPARE(
            command({"mpi:begin", "syscall_exit_read", "sched_switch", "my.*"}),
            QByteArray("lttng enable-event -k sched_switch && lttng enable-event -k --syscall read && lttng enable-event -u mpi:begin"));
        QCOMPARE(command({"syscall_entry_read", "syscall_exit_..*"}), QByteArray("lttng enable-event -k --syscall --all"));
        QCOMPARE(command({"block_.*"}), QByteArray());
        QVERIFY(inWords({"sched_switch", "block_.*"}) == (Patterns{"sched_switch", "any matching block_.*"}));
    }

    void shippedOnesRunWhereTheyShowSomething_data()
    {
        QTest::addColumn<std::string>("id");
        QTest::addColumn<std::string>("events");
        QTest::addColumn<bool>("doesRun");
        const auto row = [](const char* name, const char* id, const char* events, bool doesRun) {
            QTest::newRow(name) << std::string(id) << std::string(events) << doesRun;
        };
        row("use without frequencies", "cpu-frequency", "sched_switch", false);
        row("frequencies alone", "cpu-frequency", "power_cpu_frequency", true);
        row("names of disks alone", "block-requests", "lttng_statedump_block_device", false);
        // Ends of requests are not enough: without the beginnings, there are no requests.
        row("ends of requests alone", "block-requests", "block_rq_complete", false);
        row("begins of requests alone", "block-requests", "block_rq_issue", true);
        row("names of threads alone", "futex-contention", "lttng_statedump_process_state sched_switch sched_process_fork", false);
        row("waits", "futex-contention", "syscall_entry_futex syscall_exit_futex", true);
        row("switches alone", "timer-wakeups", "sched_switch sched_waking", false);
        row("timers", "timer-wakeups", "timer_hrtimer_expire_entry", true);
        row("ends of interrupts", "irq-time", "irq_handler_exit", false);
        row("interrupts", "irq-time", "irq_handler_entry irq_handler_exit", true);
        row("other calls", "server-requests", "syscall_entry_futex sched_switch lttng_statedump_process_state", false);
        row("calls", "server-requests", "syscall_entry_recvfrom syscall_exit_recvfrom syscall_entry_sendto syscall_exit_sendto", true);
    }
    void shippedOnesRunWhereTheyShowSomething()
    {
        QFETCH(std::string, id);
        QFETCH(std::string, events);
        QFETCH(bool, doesRun);
        const auto kind = shipped(id);
        QVERIFY(kind);
        QCOMPARE(runs(*kind, events), doesRun);
    }

    void whatNoViewShowsIsNotEnough()
    {
        const std::string xml =
            provider(on("main", set("Rows/{cpu}", integer(1))) + on("minor", set("Notes/{cpu}", integer(1))), view("Rows/*", display("")));
        QVERIFY(runs(xml, "main"));
        QVERIFY(runs(xml, "minor main"));
        QVERIFY(!runs(xml, "minor"));
        QVERIFY(!runs(xml, "others"));
    }

    void withoutViewsAnyEventIsEnough()
    {
        const std::string xml = provider(on("main", set("Rows/{cpu}", integer(1))) + on("minor", set("Notes/{cpu}", null())));
        QVERIFY(runs(xml, "minor"));
        QVERIFY(!runs(xml, "others"));
    }

    void viewsThatCanShowNothingAtAllChangeNothing()
    {
        const std::string xml =
            provider(on("main", set("Rows/{cpu}", integer(1))) + on("minor", set("Notes/{cpu}", integer(1))), view("Rwos/*", display("")));
        QVERIFY(runs(xml, "minor"));
    }

    void whatIsSetOnlyByAnotherEventIsNull()
    {
        // Three rules that depend on an attribute that "minor" never sets: a copy of its value, a condition on it, and a row named by it.
        const auto isKnown = is(path("Known") + integer(1));
        const auto named = element("stateAttribute", R"(type="query")", path("Known"));
        const std::string known = on("main", set("Known", integer(1)));
        const std::string rows = view("Rows/*", display(""));
        QVERIFY(!runs(provider(known + on("minor", set("Rows/{cpu}", query("Known"))), rows), "minor"));
        QVERIFY(!runs(provider(known + on("minor", setIf(isKnown, "Rows/{cpu}", integer(1))), rows), "minor"));
        QVERIFY(!runs(provider(known + on("minor", element("stateChange", {}, path("Rows") + named + integer(1))), rows), "minor"));
        const std::string main = on("main", set("Rows/{cpu}", integer(1)));
        QVERIFY(!runs(provider(main + on("minor", set("Rows/{cpu}", null())), rows), "minor"));
        // "Known" is set only by the event "main", which the trace does not have. Each of the following rules can set a value all the same.
        QVERIFY(runs(provider(known + on("minor", set("Rows/{cpu}", integer(2)) + set("Rows/{cpu}", query("Known"))), rows), "minor"));
        QVERIFY(runs(provider(known + on("minor", setIf(isKnown, "Rows/{cpu}", null(), integer(1))), rows), "minor"));
        const auto isNot = element("not", {}, isKnown);
        QVERIFY(runs(provider(known + on("minor", setIf(isNot, "Rows/{cpu}", integer(1))), rows), "minor"));
        const auto isOther = is(path("Known") + integer(1), "ne");
        QVERIFY(runs(provider(known + on("minor", setIf(isOther, "Rows/{cpu}", integer(1))), rows), "minor"));
        const auto isNull = is(path("Known") + text("null"));
        QVERIFY(runs(provider(known + on("minor", setIf(isNull, "Rows/{cpu}", integer(1))), rows), "minor"));
    }

    void whatAnEarlierRoundSetsCounts()
    {
        // Each copied attribute gets its value only in a change after the copy. The search for events with visible output therefore needs
        // several rounds.
        const auto copy = [](const std::string& to, const std::string& from) { return set(to, query(from)); };
        const std::string xml =
            provider(on("e", copy("Rows/1", "a") + copy("a", "b") + copy("b", "c") + set("c", integer(1))), view("Rows/*", display("")));
        QVERIFY(runs(xml, "e"));
    }

    void allKindsOfPathsAreFound()
    {
        const std::string main = on("main", set("Rows/x/State", integer(1))) + on("minor", set("Other", integer(1)));
        const auto shows = [&](const std::string& path, const std::string& content) {
            const std::string xml = provider(main, view(path, content));
            return runs(xml, "main") && !runs(xml, "minor");
        };
        QVERIFY(shows("Rows/*", display("State")));
        QVERIFY(shows("Rows", entry("*", display("State"))));
        QVERIFY(shows("Rows", entry("x", entry("State", display("")))));
        QVERIFY(shows("R.*/[xy]", display("State")));
        QVERIFY(shows("*/x", entry("$2State", display(""))));
        QVERIFY(shows("*", entry("*/State", display(""))));
    }

    void stacksAndCallStacksAreFound()
    {
        const std::string stacks =
            element("callstack", R"(id="c")",
                    element("callstackGroup", R"(name="g")", element("level", "path=\"P/*\"")) + element("analysis", R"(id="p")"));
        const std::string push = set("P/{cpu}/CallStack", text("f", R"(stack="push")"));
        const std::string xml = provider(on("enter", push) + on("leave", set("P/{cpu}/CallStack", null(R"(stack="pop")"))), stacks);
        QVERIFY(runs(xml, "enter"));
        QVERIFY(!runs(xml, "leave"));
    }

    void machinesAreFollowed()
    {
        const std::string machine =
            fsm("f", state("a", transition("begin", "b")) + state("b", transition("on", "c", R"(action="show")")) + final("c"));
        const std::string shows = view("Rows/*", display(""));
        const std::string xml = pattern(action("show", set("Rows/1", integer(1))) + machine, {}, shows);
        QVERIFY(runs(xml, "begin on"));
        QVERIFY(!runs(xml, "on"));
        QVERIFY(!runs(xml, "begin"));
        // The entry action of a state sets the attribute.
        const std::string entered =
            fsm("f", state("a", transition("begin", "b")) + state("b", onEntry("show") + transition("end", "c")) + final("c"));
        QVERIFY(runs(pattern(action("show", set("Rows/1", integer(1))) + entered, {}, shows), "begin"));
        // A state machine with a precondition also needs the event of the precondition.
        const std::string guarded =
            fsm("f", precondition(R"(event="gate")") + state("a", transition("begin", "b", R"(action="show")")) + final("b"));
        const std::string gated = pattern(action("show", set("Rows/1", integer(1))) + guarded, {}, shows);
        QVERIFY(runs(gated, "gate begin"));
        QVERIFY(!runs(gated, "begin"));
    }

    void segmentsAreEnough()
    {
        const std::string segment = element("segment", {}, element("segType", R"(segName="s")"));
        const std::string machine =
            fsm("f", state("a", transition("begin", "b")) + state("b", transition("end", "c", R"(action="make")")) + final("c"));
        const std::string bare = pattern(action("make", segment) + machine);
        QVERIFY(runs(bare, "begin end"));
        QVERIFY(runs(bare, "begin")); // The scenarios are visible even without segments.
        QVERIFY(!runs(bare, "end"));
        const std::string withView = pattern(action("make", segment) + machine, {}, view("None/*", display("")));
        QVERIFY(runs(withView, "begin end"));
        QVERIFY(!runs(withView, "begin"));
    }

    void eventsOfAnyNameAreRecordedWhereThereAreEvents()
    {
        const std::string machine = fsm("f", state("a", transition("", "b", R"(action="show")")) + final("b"));
        const std::string xml = pattern(action("show", set("Rows/1", integer(1))) + machine, {}, view("Rows/*", display("")));
        QVERIFY(runs(xml, "whatever"));
        QVERIFY(!runs(xml, ""));
    }

    void largeFilesAreNotLookedInto()
    {
        std::string changes;
        for (int i = 0; i < 3000; ++i)
            changes += set("Notes/" + std::to_string(i), integer(i));
        const std::string xml = provider(on("main", set("Rows/1", integer(1))) + on("minor", changes), view("Rows/*", display("")));
        QVERIFY(runs(xml, "minor"));
        QVERIFY(!runs(xml, "others"));
    }

    void tracesTogetherMayHaveWhatEachLacks()
    {
        const auto isKnown = is(path("Known") + integer(1));
        const std::string xml =
            provider(on("one", set("Known", integer(1))) + on("other", setIf(isKnown, "Rows/1", integer(1))), view("Rows/*", display("")));
        const auto kind = kindIn({"test.xml", AnalysisOrigin::User, xml, readFile(xml)});
        test::KernelScript one;
        one.declare("one");
        test::KernelScript other;
        other.declare("other");
        QVERIFY(!kind->hasEventsIn(one) && !kind->hasEventsIn(other));
        QVERIFY(kind->hasEventsIn(std::vector<const Trace*>{&one, &other}));
    }

    void whatLacksIsNamed()
    {
        test::KernelScript script;
        script.declare("sched_switch");
        const auto kind = shipped("cpu-frequency");
        QCOMPARE(kind->explainMissingEvents(std::vector<const Trace*>{&script}),
                 std::string("CPU frequency needs events that were not recorded: power_cpu_frequency"));
        for (const MissingEvents& need : kind->missing(script))
            QCOMPARE(need.anyOf, std::vector<std::string>{"power_cpu_frequency"});
    }
};

HELIO_TEST(NeedsTest)

#include "tst_needs.moc"
