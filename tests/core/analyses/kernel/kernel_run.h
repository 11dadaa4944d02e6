#pragma once

// KernelRun: results of the kernel analysis for a recorded trace, and facts from the trace's events to compare them with.

#include "core/analysis/analysis.h"
#include "core/store/store.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/merged_events.h"
#include "tests/support/indexed.h"

#include <QString>

#include <map>
#include <string>

namespace helio::test {

struct KernelRun {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const Store> store;
    HostRange range{};
    std::map<int, HostRange> switches; ///< Times of the first and last sched_switch on each CPU.
    /// Number of system calls by name. Counts entry events that come after the first sched_switch of the same CPU. The trace's last event
    /// is not counted, because its state would have no duration.
    std::map<std::string, std::uint64_t> entries;
    std::vector<Loss> losses;

    const Track& track(std::size_t index) const { return store->tracks()[index]; }
    std::vector<HostInterval> intervals(std::size_t index) const { return store->intervals(static_cast<TrackId>(index), everything()); }
    const std::string& state(std::size_t index, const HostInterval& interval) const
    {
        return store->stateSets()[static_cast<std::size_t>(track(index).states)].states[static_cast<std::size_t>(interval.state)].name;
    }
    std::string text(const HostInterval& interval) const { return std::string(store->text(static_cast<StringId>(interval.value))); }

    /// Returns the index of the row with the key; -1 if there is none.
    int find(const std::string& key) const
    {
        for (std::size_t i = 0; i < store->tracks().size(); ++i) {
            if (track(i).key == key && !track(i).view.empty())
                return static_cast<int>(i);
        }
        return -1;
    }

    static HostRange everything()
    {
        return {hostTime(std::numeric_limits<std::int64_t>::min() / 2), hostTime(std::numeric_limits<std::int64_t>::max() / 2)};
    }
};

inline bool isOnCpu(const std::string& state)
{
    return state.starts_with("running") || state == "interrupted" || state == "exiting" || state == "page-fault";
}

/// Opens the kernel trace in or below the folder; nullptr if there is none.
inline std::shared_ptr<const Trace> openKernelTrace(const QString& path)
{
    for (const TraceFormat* format : builtinTraceFormats()) {
        for (const TraceSource& source : format->find(path.toStdString())) {
            auto trace = format->open(source);
            if (trace && analysisOf("kernel").appliesTo(**trace))
                return *trace;
        }
    }
    return nullptr;
}

inline KernelRun runKernel(const QString& path, std::unique_ptr<StoreBuilder> builder)
{
    KernelRun run;
    run.trace = openKernelTrace(path);
    if (!run.trace)
        return run;
    const auto analysis = analysisOf("kernel").make({*run.trace}, *builder);
    MergedEvents events(*run.trace);
    const auto reportLosses = [&] {
        for (const Loss& loss : events.takeOpenedLosses())
            analysis->onLossBegin(loss);
        for (const Loss& loss : events.takeLosses()) {
            run.losses.push_back(loss);
            analysis->onLoss(loss);
        }
    };
    std::string entry;
    for (bool isFirst = true; events.next(); isFirst = false) {
        const EventView& event = events.event();
        if (isFirst) {
            run.range.begin = event.time();
            analysis->begin(event.time());
        }
        run.range.end = event.time();
        reportLosses();
        analysis->onEvents({{event.record, 1}, event.packet, event.stream});
        if (!entry.empty())
            ++run.entries[entry];
        entry.clear();
        if (event.type->name == "sched_switch")
            run.switches.try_emplace(event.cpu(), HostRange{event.time(), event.time()}).first->second.end = event.time();
        else if (event.type->name.starts_with("syscall_entry_") && run.switches.contains(event.cpu()))
            entry = event.type->name.substr(14);
    }
    reportLosses();
    analysis->finish(run.range.end);
    StoreSummary summary;
    summary.range = run.range;
    run.store = *builder->finish(summary);
    return run;
}

inline KernelRun runKernel(const QString& path) { return runKernel(path, makeMemoryStoreBuilder(HostTimestamp())); }

} // namespace helio::test
