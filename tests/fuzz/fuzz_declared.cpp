// Reads any bytes as an XML analysis file, and runs each of its analyses over a few events: no input may cause a crash, a hang, or memory
// use that the file's size does not bound.

#include "core/xml_analysis/file.h"
#include "core/xml_analysis/output/path_watch.h"
#include "core/xml_analysis/running/pattern_run.h"
#include "tests/fuzz/fuzz_trace.h"

#include <cstdint>
#include <memory>
#include <string_view>

using namespace helio;
using namespace helio::xml;

namespace {

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
    static const FuzzTrace trace;
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
    for (int i = 0; i < Events; ++i) {
        const FuzzEvent event(trace, i);
        const EventRecord& record = *event.view.record;
        if (binding.isUsed(record.type))
            run->onEvent(event.view, binding.typeOf(record.type), nullptr);
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
