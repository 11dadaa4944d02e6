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

/// How far a long query is, for a progress bar. Written by its thread, read by any.
struct QueryProgress {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0}; ///< 0: not known yet.
};

/// A kind of sample over all traces: kinds of one name are one.
struct SampleKindFacts {
    SampleKind kind;
    std::uint64_t samples = 0; ///< In the whole experiment.
    std::string title{}; ///< "Calls, wall time". Empty: it is shown by its name.

    const std::string& label() const { return title.empty() ? kind.name : title; }
};

/// They are calls of functions, not samples.
inline bool areCalls(const SampleKind& kind) { return kind.origin == SampleKind::Origin::Called; }

/// What the experiment has samples of; those of events first, the most frequent first. Empty: no samples were recorded.
/// Cost: none to speak of.
std::vector<SampleKindFacts> sampleKinds(const Timeline& timeline);

/// What the times off the CPU of all kinds are called together.
constexpr std::string_view AllOffCpu = "off-cpu";
/// Those kinds' names, but for the one that has times again that another has: waits for locks are no such times, as some spin. Empty: there
/// are none.
std::vector<std::string> offCpuKinds(const std::vector<SampleKindFacts>& kinds);

struct HostCpu {
    std::uint32_t host = 0; ///< Index in Timeline::hosts.
    std::int32_t cpu = -1;
    bool operator==(const HostCpu&) const = default;
};

/// Which samples. What is empty restricts nothing; threads and processes are added up, all else is cut.
struct SampleFilter {
    std::vector<TimeRange> ranges; ///< A sample in any of them counts once. Off-CPU samples lie at their begin.
    std::vector<std::string> kinds; ///< By name. Empty: the first of sampleKinds().
    std::vector<TrackRef> threads; ///< Rows of threads.
    std::vector<TrackRef> processes; ///< Rows of processes (of their leaders): all their threads.
    std::vector<HostCpu> cpus;
    std::uint32_t modes = ~0u; ///< Bit n: CodeMode n.
    std::function<bool(TrackRef thread, Timestamp time)> accepts; ///< What else is asked of a sample; its thread may not be known.
};

/// A place in a collected call stack: its frame, and through its parent the callers. Not named yet.
struct CollectedNode {
    std::uint32_t parent = 0; ///< The caller's; lower than its own. 0: none.
    StoreIndex store{}; ///< Whose stack it is.
    StackFrame frame; ///< Its module is of those that modulesOf() has for the store.
    /// It is no code but stands for what StackProfile::texts has at this place; its frame means nothing. 0: it is a frame.
    std::uint32_t text = 0;
};

/// Samples that share stack, thread, command name and CPU, added up.
struct CollectedStack {
    std::uint32_t node = 0; ///< The innermost frame. 0: no frames were recorded.
    std::uint32_t thread = 0; ///< Index in StackProfile::threads.
    std::int32_t cpu = -1;
    std::uint64_t samples = 0;
    std::uint64_t weight = 0; ///< Sum of weights.
    Timestamp first; ///< Of the first of them.
    UnwindEnd end = UnwindEnd::Complete; ///< Else why outermost frames are missing.
    double squares = 0; ///< Sum of the weights' squares: see SampleSum.
};

/// Who was sampled, under one of its names.
struct SampledThread {
    TrackRef ref; ///< The row of its thread, of the life that was sampled. Not valid: idle, not known, or nobody made a row.
    std::uint32_t trace = 0;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::string comm; ///< Its name when the samples were taken. Empty: not known.
    std::uint32_t host = 0; ///< Index in Timeline::hosts.
    std::string lastName{}; ///< Label of its row; empty if unknown.
    std::string process{}; ///< Label of the row of its process's leader; empty if unknown.
};

/// The names of processes by host and PID: that of the leader's row, else that of the leader or of the first thread when it was sampled.
std::map<std::pair<std::uint32_t, std::int32_t>, std::string> processNames(std::span<const SampledThread> threads);

/// What stands for no code: a state of threads, or its value.
struct ProfileText {
    std::string words;
    std::string color; ///< As StateStyle has it. Empty: it has none of its own.
};

/// Samples added up by stack: all that call trees and tables are built from, for any number of times. A value; no reference to the
/// timeline.
struct StackProfile {
    std::vector<CollectedNode> nodes; ///< Node 0 stands for no frame.
    std::vector<CollectedStack> stacks; ///< In the order of their first samples.
    std::vector<SampledThread> threads;
    std::vector<ProfileText> texts{{}}; ///< Of nodes that are no code. The first is of none.
    SampleKind kind; ///< Of the samples; of the first one where several were asked for.
    TimeRange range{}; ///< First to last sample's time. Empty without samples.
    std::uint64_t samples = 0; ///< At most INT64_MAX, as the weight: more is cut where it is collected.
    std::uint64_t weight = 0;
    std::uint64_t notUnwound = 0; ///< Samples whose user frames could not be found: their stacks are the rest.
    std::uint64_t damaged = 0; ///< Samples that a damaged store lost. 0 where it is whole.
    bool isStopped = false; ///< `stop` came: it holds what was collected until then.
};

/// Adds up the samples that pass the filter.
///
/// Threads: any but the UI's: reads the store, and for samples with register and stack copies (perf record --call-graph dwarf) the
/// recording too, and unwinds them, the first time they are asked for.
/// Errors:  none; what is damaged is missing and counted.
/// Cost:    about 50 ns a sample; unwinding 10 us a sample.
StackProfile collectStacks(const Timeline& timeline, const SampleFilter& filter, QueryProgress* progress = nullptr,
                           std::stop_token stop = {});

} // namespace helio
