#include "core/profiling/calls/call_facts.h"

#include "core/profiling/calls/recorded_cpu_times.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/thread_cpu_times.h"
#include "core/query/rows/timeline_access.h"
#include "core/trace/process/recorded_names.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace helio {
namespace {

SourceLine sourceOf(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto nodes = storeAt(timeline, store).stacks().nodes();
    if (static_cast<std::size_t>(stack) >= nodes.size())
        return {};
    const StackFrame frame = nodes[static_cast<std::size_t>(stack)].frame();
    const Module* const module = moduleAt(timeline, store, frame.module);
    if (!module)
        return {};
    if (module->names) {
        const RecordedName name = module->names->at(frame.address);
        return {std::string(name.file), name.line};
    }
    if (!timeline.symbolizer)
        return {};
    const Symbol symbol = timeline.symbolizer->resolve(*module, frame.address);
    return symbol.frames.empty() ? SourceLine() : symbol.frames.back().source;
}

CalledFunction calledBy(const Timeline& timeline, const CallNames& names, const Segment& call)
{
    const StackId stack = call.recorded.stack();
    CalledFunction called{names.functionOf(call.store, stack), {}, sourceOf(timeline, call.store, stack)};
    called.label = called.function.name.empty() ? frameText(timeline, call.store, stack) : called.function.name;
    return called;
}

} // namespace

Row threadOf(const Timeline& timeline, const Segment& call)
{
    return rowOf(timeline, TrackRef{call.store, threadTrack(storeAt(timeline, call.store), call.recorded.track)}).value_or(Row());
}

CallTime callTime(const Timeline& timeline, const Segment& call, std::stop_token stop)
{
    CallTime time{lengthOf(call.range), Duration(call.recorded.value), {}, {}};
    ThreadCpuTimes clocks(timeline, call.range, stop);
    const TrackRef thread = clocks.rowThroughout(call.row(), call.range);
    if (!thread.isValid()) {
        time.onCpu = recordedCpuTime(timeline, call);
        return time;
    }
    ThreadCpuTimes ran(timeline, call.range, std::move(stop), ThreadCpuTimes::Stolen::LeftOut);
    if (clocks.hasCpuTimes(thread)) {
        time.onCpu = clocks.onCpu(thread, call.range);
        time.stolen = *time.onCpu - ran.onCpu(thread, call.range);
    }
    const TrackRef stateRow = ran.stateRowOf(thread);
    for (const StateTotal& it : totals(timeline, stateRow, call.range))
        if (it.total > Duration(0))
            time.states.push_back({stateKind(timeline, stateRow, it.state), it.total});
    std::ranges::stable_sort(time.states, std::greater(), &CallTime::StateTime::total);
    return time;
}

CallFacts callFacts(const Timeline& timeline, const CallNames& names, const Segment& call, std::stop_token stop)
{
    CallFacts facts{
        call, endOf(timeline, call), threadOf(timeline, call), calledBy(timeline, names, call), callTime(timeline, call, std::move(stop)),
        {}};
    for (const Segment& caller : callersOf(timeline, call))
        facts.callers.push_back({calledBy(timeline, names, caller), caller});
    return facts;
}

} // namespace helio
