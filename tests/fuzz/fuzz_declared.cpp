// Reads any bytes as an XML analysis file, and runs each of its analyses over a few events: no input may cause a crash, a hang, or memory
// use that the file's size does not bound.

#include "core/xml_analysis/file.h"
#include "core/xml_analysis/output/path_watch.h"
#include "core/xml_analysis/running/pattern_run.h"

#include <cstdint>
#include <memory>
#include <string_view>

using namespace helio;
using namespace helio::xml;

namespace {

/// A trace without streams, whose event types have a number, a text and a context; the test makes the events, all with the same bytes.
class SmallTrace final : public Trace {
public:
    SmallTrace()
    {
        IntegerType number;
        number.bits = 64;
        number.isSigned = true;
        const auto integer = std::make_shared<const FieldType>(FieldType{8, number});
        const auto text = std::make_shared<const FieldType>(FieldType{8, StringType{}});
        for (const char* name : {"a", "b", "sched_switch", "irq_handler_entry", "irq_handler_exit"}) {
            EventType type;
            type.name = name;
            type.streamContext = std::make_shared<const FieldType>(FieldType{8, StructType{{{"tid", integer}}}});
            type.payload = std::make_shared<const FieldType>(
                FieldType{8, StructType{{{"n", integer}, {"irq", integer}, {"next_tid", integer}, {"s", text}, {"name", text}}}});
            m_types.add(std::move(type));
        }
    }
    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_types; }
    std::span<const StreamInfo> streams() const override { return {}; }
    std::unique_ptr<EventStream> openStream(std::uint32_t, StreamPosition) const override { return nullptr; }
    std::span<const Diagnostic> diagnostics() const override { return {}; }

private:
    TraceInfo m_info;
    EventTypes m_types;
};

/// Reports new attributes to the watched paths and changed attributes to the running program, as in a run that writes a store.
class Listener final : public TreeListener {
public:
    void onNew(Quark attribute) override
    {
        if (paths)
            paths->onNew(attribute);
    }
    void onChange(HostTimestamp, Quark attribute, const Value&) override
    {
        if (run)
            run->onChange(attribute);
    }
    PathWatch* paths = nullptr;
    ProgramRun* run = nullptr;
};

class NoSegments final : public SegmentReceiver {
public:
    void take(const PatternSegment&) override { }
};

void watch(const std::vector<ViewEntry>& entries, Quark base, const Wildcards& wildcards, PathWatch& paths)
{
    for (const ViewEntry& entry : entries)
        paths.watch(base, entry.path, wildcards, [&](Quark found, const Wildcards& all) { watch(entry.entries, found, all, paths); });
}

void runOver(const Program& program, const std::vector<View>& views)
{
    static const SmallTrace trace;
    constexpr int Events = 40;
    Texts texts;
    Listener listener;
    StepBudget effort;
    AttributeTree tree(texts, listener, effort);
    PathWatch paths(tree);
    RunProblems problems;
    NoSegments segments;
    for (const View& view : views)
        watch(view.entries, Root, {}, paths);
    listener.paths = &paths;
    Binding binding(program, trace, texts);
    std::unique_ptr<ProgramRun> run;
    if (program.isPattern)
        run = std::make_unique<PatternRun>(program, tree, segments, problems);
    else
        run = std::make_unique<ProviderRun>(program, tree, problems);
    listener.run = run.get();
    run->start(hostTime(0));
    std::byte bytes[64] = {};
    for (int i = 0; i < Events; ++i) {
        EventRecord record;
        record.time = hostTime(i * 10);
        record.type = EventTypeId(static_cast<std::uint32_t>(i % 5));
        record.cpu = i % 2;
        record.payloadOffset = 64;
        bytes[0] = std::byte(i % 3);
        bytes[8] = std::byte(i % 4);
        bytes[16] = std::byte(i / 2 % 4);
        bytes[32] = std::byte('x');
        const EventView event{&record, &trace.eventTypes()[record.type], {bytes, sizeof bytes * 8, 0}, 0};
        if (binding.isUsed(record.type))
            run->onEvent(event, binding.typeOf(record.type), nullptr);
        else if (run->wantsNextEvent())
            run->onUnmatchedEvent(record.time);
    }
    run->finish(hostTime(Events * 10));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const File file = readFile({reinterpret_cast<const char*>(data), size});
    if (file.isUsable())
        for (const Program& program : file.programs)
            runOver(program, file.views);
    return 0;
}
