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

/// Progress of a long query. Written by the query's thread, read by any thread.
struct QueryProgress {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0}; ///< 0 if not known yet.
};

/// A kind of sample over all traces: kinds with the same name are merged.
struct SampleKindFacts {
    SampleKind kind;
    std::uint64_t samples = 0; ///< Number of samples in the whole experiment.
    std::string title{}; ///< Title in the window: "Calls, wall time". Empty: shown by its name.

    const std::string& label() const { return title.empty() ? kind.name : title; }
};

/// True if the samples are calls of functions.
inline bool areCalls(const SampleKind& kind) { return kind.origin == SampleKind::Origin::Called; }

/// Returns the kinds of samples in the experiment; kinds of events first, the most frequent first. Empty: no samples were recorded.
/// Cost: negligible.
std::vector<SampleKindFacts> sampleKinds(const Timeline& timeline);

/// Name that stands for all kinds of off-CPU time together.
constexpr std::string_view AllOffCpu = "off-cpu";
/// Returns the names of the kinds that make up AllOffCpu. "off-cpu:woken-by" is left out because it repeats the times of another kind;
/// waits for locks are left out because some of them spin. Empty: there are none.
std::vector<std::string> offCpuKinds(const std::vector<SampleKindFacts>& kinds);

struct HostCpu {
    std::uint32_t host = 0; ///< Index into Timeline::hosts.
    std::int32_t cpu = -1;
    bool operator==(const HostCpu&) const = default;
};

/// Selects samples. An empty member restricts nothing. A sample passes if its thread is in `threads` or `processes`, and if it meets all
/// other members.
struct SampleFilter {
    std::vector<TimeRange> ranges; ///< A sample in several ranges counts once. Off-CPU samples lie at their begin.
    std::vector<std::string> kinds; ///< Names of kinds. Empty: the first of sampleKinds().
    std::vector<TrackRef> threads; ///< Rows of threads.
    std::vector<TrackRef> processes; ///< Rows of process leaders: all their threads.
    std::vector<HostCpu> cpus;
    std::uint32_t modes = ~0u; ///< Bit n: CodeMode n.
    std::function<bool(TrackRef thread, Timestamp time)> accepts; ///< Further condition; the thread may not be valid.
};

/// A node of collected call stacks: a frame, and through its parent the callers. Not named yet.
struct CollectedNode {
    std::uint32_t parent = 0; ///< Index of the caller's node, lower than the node's own; 0 if there is none.
    StoreIndex store{}; ///< Store of the stack.
    StackFrame frame; ///< Its module is an index into modulesOf() of the store.
    /// Index into StackProfile::texts if the node is no code; `frame` is then meaningless. 0: the node is a frame.
    std::uint32_t text = 0;
};

/// Samples with the same stack, thread, command name and CPU, summed up.
struct CollectedStack {
    std::uint32_t node = 0; ///< Node of the innermost frame; 0 if no frames were recorded.
    std::uint32_t thread = 0; ///< Index into StackProfile::threads.
    std::int32_t cpu = -1;
    std::uint64_t samples = 0;
    std::uint64_t weight = 0; ///< Sum of weights.
    Timestamp first; ///< Time of the first sample.
    UnwindEnd end = UnwindEnd::Complete; ///< Complete, or the reason why outermost frames are missing.
    double squares = 0; ///< Sum of the squared weights: see SampleSum.
};

/// A thread that was sampled, under one of its names.
struct SampledThread {
    TrackRef ref; ///< Row of the thread's life that was sampled. Not valid: idle, not known, or no analysis made a row.
    std::uint32_t trace = 0;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::string comm; ///< Its name when the samples were taken; empty if not known.
    std::uint32_t host = 0; ///< Index in Timeline::hosts.
    std::string lastName{}; ///< Label of its row; empty if unknown.
    std::string process{}; ///< Label of the row of its process's leader; empty if unknown.
};

/// Returns the names of processes by host and PID: the label of the leader's row, else the name of the leader or of the first thread when
/// it was sampled.
std::map<std::pair<std::uint32_t, std::int32_t>, std::string> processNames(std::span<const SampledThread> threads);

/// Text of a node that is no code: a thread's state, or its value.
struct ProfileText {
    std::string words;
    std::string color; ///< Colour in the format of StateStyle; empty: no colour of its own.
};

/// Samples summed up by stack: the input of call trees and tables, for any number of them. A value, without references to the timeline.
struct StackProfile {
    std::vector<CollectedNode> nodes; ///< Node 0 stands for no frame.
    std::vector<CollectedStack> stacks; ///< In the order of their first samples.
    std::vector<SampledThread> threads;
    std::vector<ProfileText> texts{{}}; ///< Texts of nodes that are no code. Text 0 stands for none.
    SampleKind kind; ///< Kind of the samples; of several kinds, the first.
    TimeRange range{}; ///< From the first to the last sample's time; empty without samples.
    std::uint64_t samples = 0; ///< At most INT64_MAX, like `weight`: larger counts are cut when collected.
    std::uint64_t weight = 0;
    std::uint64_t notUnwound = 0; ///< Number of samples whose user frames could not be unwound: their stacks lack these frames.
    std::uint64_t damaged = 0; ///< Number of samples that a damaged store lost; 0 if it is intact.
    bool isStopped = false; ///< True if `stop` was requested: the profile has what was collected until then.
};

/// Sums up the samples that pass the filter.
///
/// Threads: any but the UI thread: reads the store. For samples with copies of registers and stack (perf record --call-graph dwarf) it also
/// reads the recording, and unwinds them the first time.
/// Errors: none; damaged samples are left out and counted.
/// Cost: about 50 ns per sample; unwinding 10 us per sample.
StackProfile collectStacks(const Timeline& timeline, const SampleFilter& filter, QueryProgress* progress = nullptr,
                           std::stop_token stop = {});

/// Collects samples like collectStacks(), but each sample is a stack of its own, in time order: for views that show them one after the
/// other.
/// Cost: 64 bytes per sample.
StackProfile collectSingleSamples(const Timeline& timeline, const SampleFilter& filter, QueryProgress* progress = nullptr,
                                  std::stop_token stop = {});

/// Called for each sample, trace by trace and kind by kind, in time order within each kind. `sample` is a single sample at time `first`
/// with its weight. The profile holds the nodes and threads met so far, and no stacks; visitSamples() returns it at the end.
/// Cost: memory for the nodes alone.
using SampleVisitor = std::function<void(const StackProfile& soFar, const CollectedStack& sample)>;
StackProfile visitSamples(const Timeline& timeline, const SampleFilter& filter, const SampleVisitor& visit, std::stop_token stop = {});

} // namespace helio
