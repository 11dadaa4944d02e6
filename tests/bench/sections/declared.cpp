// Benchmark of XML analyses: twenty handlers beside the built-in kernel analysis on one trace, patterns with many scenarios, and the time
// until an edited file's rows are visible.

#include "core/experiment/trace_indexer.h"
#include "core/xml_analysis/catalog.h"
#include "core/xml_analysis/running/pattern_run.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"
#include "tests/support/fake_trace.h"
#include "tests/support/indexed.h"

#include <fmt/format.h>

namespace helio::bench {

using namespace xml;

namespace {

constexpr std::uint64_t MostEvents = 6'800'000;
constexpr const char* KindId = "bench.threads";

std::string change(const std::string& path, const std::string& value) { return "<stateChange>" + path + value + "</stateChange>"; }
std::string name(const char* text) { return fmt::format(R"(<stateAttribute type="constant" value="{}"/>)", text); }
std::string named(const char* field) { return fmt::format(R"(<stateAttribute type="eventField" value="{}"/>)", field); }
std::string number(int value) { return fmt::format(R"(<stateValue type="int" value="{}"/>)", value); }
std::string field(const char* text) { return fmt::format(R"(<stateValue type="eventField" value="{}"/>)", text); }
std::string handler(const std::string& event, const std::string& changes)
{
    return "<eventHandler eventName=\"" + event + "\">" + changes + "</eventHandler>";
}

/// Returns an XML state provider with twenty handlers for threads and CPUs. `label` changes its content, so that the file counts as
/// edited.
std::string twentyHandlers(const std::string& label)
{
    const auto thread = [](const char* field) { return name("Threads") + named(field) + name("Status"); };
    const std::string cpu = name("CPUs") + named("cpu");
    const std::string call =
        name("Threads") + R"(<stateAttribute type="query">)" + cpu + name("Thread") + "</stateAttribute>" + name("Call");
    std::string text = handler("sched_switch",
                               change(thread("prev_tid"), number(1)) + change(thread("next_tid"), number(2))
                                   + change(cpu + name("Thread"), field("next_tid")) + change(cpu + name("Status"), number(1)));
    for (const char* event : {"sched_waking", "sched_wakeup", "sched_wakeup_new"})
        text += handler(event, change(thread("tid"), number(3)));
    for (const char* event : {"read", "write", "mmap", "munmap", "openat", "close"}) {
        text += handler(std::string("syscall_entry_") + event, change(call, R"(<stateValue type="eventName"/>)"));
        text += handler(std::string("syscall_exit_") + event, change(call, R"(<stateValue type="null"/>)"));
    }
    text += handler("irq_handler_entry", change(cpu + name("IRQ"), field("irq")));
    text += handler("irq_handler_exit", change(cpu + name("IRQ"), R"(<stateValue type="null"/>)"));
    text += handler("power_cpu_idle", change(cpu + name("Idle"), field("state")));
    text += handler("sched_process_fork", change(thread("child_tid"), number(3)));
    return fmt::format(R"(<tmfxml><timeGraphView id="{0}.rows"><head><analysis id="{0}"/><label value="{1}"/></head><entry path="CPUs/*">)"
                       R"(<display type="constant" value="Thread"/></entry></timeGraphView>)"
                       R"(<stateProvider id="{0}" version="1"><head><label value="{1}"/></head>{2}</stateProvider></tmfxml>)",
                       KindId, label, text);
}

std::shared_ptr<const XmlAnalysisKind> kindOf(const std::string& text)
{
    const AnalysisFile file{"bench.xml", AnalysisOrigin::Given, text, readFile(text)};
    const auto listed = listAnalyses({file}, *Analyses::builtin());
    if (listed.empty() || !listed.front().kind)
        stop("the benchmark's analysis cannot be used");
    return listed.front().kind;
}

/// CPU time in seconds to run the analysis over the trace into a store, on one thread.
double secondsFor(const AnalysisKind& kind, const Trace& trace, const std::filesystem::path& folder)
{
    return threadSecondsOf([&] {
        const auto builder = makeFileStoreBuilder(folder / "one.store", "bench", claimedRange(trace).begin,
                                                  {.onFailure = [](const Error& error) { stop(error.what); }});
        IndexPass pass;
        pass.parts.push_back({&kind, {}, builder.get()});
        IndexProgress progress;
        if (const auto done = indexTrace(trace, pass, progress, 1, {}, {}); !done)
            stop(done.error().what);
    });
}

/// An XML pattern: each of its scenarios waits for an event with the scenario's number.
constexpr const char* KeyedPattern = R"(<tmfxml><pattern id="keyed" version="1"><patternHandler>
<test id="mine"><if><condition><stateValue type="eventField" value="number"/><stateValue type="query">
<stateAttribute type="constant" value="#CurrentScenario"/><stateAttribute type="constant" value="key"/></stateValue></condition></if></test>
<action id="keep"><stateChange><stateAttribute type="constant" value="#CurrentScenario"/><stateAttribute type="constant" value="key"/>
<stateValue type="eventField" value="number"/></stateChange></action>
<fsm id="f" initial="wait"><state id="wait"><transition event="open" target="open" action="keep"/></state>
<state id="open"><transition event="close" cond="mine" target="done"/></state><final id="done"/></fsm></patternHandler></pattern></tmfxml>)";

class Unheard final : public TreeListener {
public:
    void onNew(Quark) override { }
    void onChange(HostTimestamp, Quark attribute, const Value&) override
    {
        if (run)
            run->onChange(attribute);
    }
    ProgramRun* run = nullptr;
};

class Untaken final : public SegmentReceiver {
public:
    void take(const PatternSegment&) override { }
};

/// Time per event in ns with `live` open scenarios: events alternately close and reopen one of the same hundred scenarios.
double nsWithScenarios(std::int64_t live)
{
    constexpr std::int64_t Events = 400'000;
    static const test::FakeTrace trace({}, {"open", "other", "close"}, {});
    static const File file = readFile(KeyedPattern);
    Texts texts;
    Unheard listener;
    StepBudget effort;
    AttributeTree tree(texts, listener, effort);
    RunProblems problems;
    Untaken segments;
    Binding binding(file.programs.front(), trace, texts);
    PatternRun run(file.programs.front(), tree, segments, problems);
    listener.run = &run;
    run.start(hostTime(0));
    std::int64_t at = 0;
    const auto event = [&](std::uint32_t type, std::int64_t key) {
        EventRecord record;
        record.time = hostTime(++at);
        record.type = EventTypeId{type};
        std::byte bytes[4];
        const auto number = static_cast<std::uint32_t>(key);
        std::memcpy(bytes, &number, sizeof bytes);
        const EventView view{&record, &trace.eventTypes()[record.type], {bytes, 32, 0}, 0};
        if (binding.isUsed(record.type))
            run.onEvent(view, binding.typeOf(record.type), nullptr);
        else
            run.onUnmatchedEvent(record.time);
    };
    for (std::int64_t key = 0; key < live; ++key) {
        event(0, key);
        event(1, 0);
    }
    return 1e9 / double(Events) * threadSecondsOf([&] {
               for (std::int64_t i = 0; i < Events; i += 2) {
                   event(2, i / 2 % 100);
                   event(0, i / 2 % 100);
               }
           });
}

/// Returns the seconds from opening a trace with an edited analysis file until the first timeline that has some of the analysis' rows. The
/// stores of all other analyses exist already.
double secondsToPicture(Measuring& m, int edit)
{
    ExperimentOptions options;
    options.storeDirectory = m.subject.stores();
    auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
    return secondsOf([&] {
        (void)analyses->add(kindOf(twentyHandlers(fmt::format("edit {}", edit))));
        options.analyses = analyses;
        auto opened = Experiment::open({m.subject.trace(MostEvents)}, options);
        if (!opened)
            stop(opened.error().what);
        std::stop_source shown;
        const auto hasRows = [&] {
            const auto timeline = (*opened)->timeline();
            const auto& store = timeline->stores[placeOf(*timeline, 0, analyses->all().size() - 1)].store;
            return store && !store->tracks().empty();
        };
        (*opened)->start([&] {
            if (hasRows())
                shown.request_stop();
        });
        (void)(*opened)->wait(shown.get_token());
    });
}

} // namespace

void measureDeclared(Measuring& m)
{
    const std::uint64_t events = std::min(m.subject.requestedEvents(), MostEvents);
    const auto scratch = m.subject.scratch() / "declared";
    std::filesystem::create_directories(scratch);
    const auto experiment = m.subject.open(events);
    const auto trace = experiment->timeline()->traces.front().trace;
    const double millions = double(m.subject.eventsOf(events)) / 1e6;
    const auto kind = kindOf(twentyHandlers("Bench"));
    Samples own, builtin, few, many, edited;
    for (int i = 0; i < m.repeat; ++i) { // The variants take turns, so that a temporary slowdown of the machine affects all variants.
        own.add(secondsFor(*kind, *trace, scratch));
        builtin.add(secondsFor(test::analysisOf("kernel"), *trace, scratch));
        few.add(nsWithScenarios(100));
        many.add(nsWithScenarios(10'000));
    }
    for (int i = 0; i < m.repeat; ++i)
        edited.add(1e3 * secondsToPicture(m, i));
    m.figures.add({"declared_events",
                   "analysis in XML, 20 handlers, one thread",
                   "M events/s",
                   millions / own.best(),
                   millions / own.median(),
                   {},
                   {},
                   true});
    m.figures.add({"declared_share",
                   "the same beside the built-in kernel analysis",
                   "times",
                   builtin.best() / own.best(),
                   {},
                   {},
                   atLeast(0.5),
                   true});
    m.figures.add({"declared_scenarios", "pattern with 10,000 scenarios open", "ns/event", many.best(), many.median()});
    m.figures.add({"declared_scenarios_growth",
                   "100 times the scenarios: an event takes more by",
                   "times",
                   many.best() / few.best(),
                   {},
                   {},
                   atMost(2)});
    m.figures.add({"declared_edit",
                   fmt::format("file edited, {:.1f} M events: to its first picture", millions),
                   "ms",
                   edited.best(),
                   edited.median(),
                   {},
                   atMost(500)});
    std::error_code ignored;
    std::filesystem::remove_all(scratch, ignored);
}

} // namespace helio::bench
