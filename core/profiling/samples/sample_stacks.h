#pragma once

#include "core/base/time.h"
#include "core/query/rows/rows.h"
#include "core/store/samples.h"
#include "core/symbol/unwinding/unwind_end.h"
#include "core/trace/process/module.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

struct Timeline;

/// Progress of a long query.
/// Threads: written by the query's thread, read by any thread.
struct QueryProgress {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0}; ///< Number of records to process; `done` is the number of processed records. 0 if unknown.
};

/// Kind of samples in all traces of the experiment; kinds with the same name are merged.
struct SampleKindFacts {
    SampleKind kind;
    std::uint64_t samples = 0; ///< Number of samples in the whole experiment.
    std::string title{}; ///< Title in the window, for example "Calls, wall time"; if empty, the window shows the kind's name.

    const std::string& label() const { return title.empty() ? kind.name : title; }
};

/// True if the samples are calls of functions.
inline bool areCalls(const SampleKind& kind) { return kind.origin == SampleKind::Origin::Called; }

/// Returns the kinds of samples in the experiment: kinds of events first, and frequent kinds before rare ones. Empty if no samples were
/// recorded.
/// Cost: negligible.
std::vector<SampleKindFacts> sampleKinds(const Timeline& timeline);

/// Name that stands for all kinds of off-CPU time together.
constexpr std::string_view AllOffCpu = "off-cpu";
/// Returns the names of the kinds that AllOffCpu consists of; empty if there are no kinds of off-CPU time. "off-cpu:woken-by" is excluded
/// because it repeats the times of another kind. Waits for locks are excluded because a thread may spend them spinning on a CPU.
std::vector<std::string> offCpuKinds(const std::vector<SampleKindFacts>& kinds);

struct HostCpu {
    std::uint32_t host = 0; ///< Index into Timeline::hosts.
    std::int32_t cpu = -1;
    bool operator==(const HostCpu&) const = default;
};

/// Selects samples. A sample passes if its thread is in `threads` or `processes` and all other members accept it. An empty member accepts
/// all samples.
struct SampleFilter {
    /// Time ranges; a sample in several ranges counts once. An off-CPU sample is in each range that its off-CPU time overlaps; only its
    /// time within the ranges counts.
    std::vector<TimeRange> ranges;
    std::vector<std::string> kinds; ///< Names of kinds of samples; empty for the first of sampleKinds().
    std::vector<TrackRef> threads; ///< Rows of the threads whose samples pass.
    std::vector<TrackRef> processes; ///< Rows of process leaders, which select all threads of the process.
    std::vector<HostCpu> cpus;
    std::uint32_t modes = ~0u; ///< Bit mask of the code modes whose samples pass: bit n for CodeMode n.
    /// Additional condition that a sample must meet to pass; `thread` may be invalid.
    std::function<bool(TrackRef thread, Timestamp time)> accepts;
};

/// Node of the tree of collected call stacks: a frame and, through `parent`, its callers. The frame has an address, but no function name
/// yet; StackNames has the names.
struct CollectedNode {
    std::uint32_t parent = 0; ///< Index of the caller's node, which is lower than the index of this node; 0 if there is no caller.
    StoreIndex store{}; ///< Index in the timeline of the store that contains this node's stack.
    StackFrame frame; ///< Frame of the node; its module is an index into modulesOf() of `store`.
    /// Index into StackProfile::texts if the node is not code (`frame` is then meaningless); 0 if the node is a frame.
    std::uint32_t text = 0;
};

/// Sum of the samples with the same stack, thread, command name and CPU.
struct CollectedStack {
    std::uint32_t node = 0; ///< Node of the innermost frame; 0 if no frames were recorded.
    std::uint32_t thread = 0; ///< Index into StackProfile::threads of the sampled thread.
    std::int32_t cpu = -1;
    std::uint64_t samples = 0;
    std::uint64_t weight = 0; ///< Sum of the weights of the samples, in the unit of StackProfile::kind.
    Timestamp first; ///< Time of the first sample with this stack.
    UnwindEnd end = UnwindEnd::Complete; ///< Complete if the stack is complete; otherwise, the reason why its outermost frames are missing.
    double squares = 0; ///< Sum of the squared weights, like SampleSum::squares.
};

/// Sampled thread under one of its names.
struct SampledThread {
    /// Row of the thread that was sampled; invalid for the idle thread, for an unknown thread, and if no analysis made a row.
    TrackRef ref;
    std::uint32_t trace = 0;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::string comm; ///< Name of the thread when the samples were taken; empty if unknown.
    std::uint32_t host = 0; ///< Index into Timeline::hosts.
    std::string lastName{}; ///< Label of the thread's row; empty if unknown.
    std::string process{}; ///< Label of the row of the process's leader; empty if unknown.
};

/// Returns the names of processes, keyed by host and PID. The name is the label of the leader's row; else the name of the leader or of the
/// first thread at the time of the samples.
std::map<std::pair<std::uint32_t, std::int32_t>, std::string> processNames(std::span<const SampledThread> threads);

/// Text of a node that is not code but a thread's state or the value of a state.
struct ProfileText {
    std::string words;
    std::string color; ///< Colour in the format of StateStyle; empty if the text has no colour of its own.
};

/// Samples summed up by stack, the input of call trees and tables. A value, without references to the timeline.
struct StackProfile {
    std::vector<CollectedNode> nodes; ///< Tree of frames; node 0 stands for no frame.
    std::vector<CollectedStack> stacks; ///< Stacks in the order of their first samples.
    std::vector<SampledThread> threads;
    std::vector<ProfileText> texts{{}}; ///< Texts of nodes that are not code; text 0 stands for no text.
    SampleKind kind; ///< Kind of the samples in the profile; the first kind if there are several.
    TimeRange range{}; ///< Time range from the first to the last sample; empty without samples.
    std::uint64_t samples = 0; ///< Number of samples. `samples` and `weight` never exceed INT64_MAX: larger sums are replaced by INT64_MAX.
    std::uint64_t weight = 0;
    std::uint64_t notUnwound = 0; ///< Number of samples whose user frames could not be unwound and are missing in the stacks.
    std::uint64_t damaged = 0; ///< Number of samples that were lost because a store is damaged; 0 for intact stores.
    bool isStopped = false; ///< True if collecting was stopped, so that the profile contains only the samples collected until then.
};

/// Sums up the samples that pass the filter.
///
/// Threads: any but the UI thread, because the store is read. Samples with copies of registers and stack (perf record --call-graph dwarf)
/// are unwound the first time, which also reads the recording.
/// Errors: none; damaged samples are skipped and counted.
/// Cost: about 50 ns per sample; unwinding 10 us per sample.
StackProfile collectStacks(const Timeline& timeline, const SampleFilter& filter, QueryProgress* progress = nullptr,
                           std::stop_token stop = {});

/// Collects samples like collectStacks(), but keeps each sample as a stack of its own, in time order, for views that show single samples.
/// Cost: 64 bytes per sample.
StackProfile collectSingleSamples(const Timeline& timeline, const SampleFilter& filter, QueryProgress* progress = nullptr,
                                  std::stop_token stop = {});

/// Callback for each sample: trace by trace, kind by kind, and in time order within each kind. `sample` is a single sample with its weight;
/// `first` is its time. The profile contains the nodes and threads found so far, and no stacks; visitSamples() returns this profile at the
/// end.
/// Cost: memory for the nodes only.
using SampleVisitor = std::function<void(const StackProfile& soFar, const CollectedStack& sample)>;
StackProfile visitSamples(const Timeline& timeline, const SampleFilter& filter, const SampleVisitor& visit, std::stop_token stop = {});

} // namespace helio
