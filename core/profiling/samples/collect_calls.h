#pragma once

#include "core/profiling/samples/profile_nodes.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/thread_cpu_times.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// Collection of function calls as samples of a profile, so that views of samples can also show calls.
namespace helio {

/// Way to weigh calls, presented as a kind of samples.
struct CallKind {
    SampleKindFacts facts; ///< Kind of samples that represents the calls: each call counts as a sample, and its weight is a time in ns.
    std::string segments; ///< Id of the segment kind of the calls.
    /// Time by which a call is weighed.
    enum class WeighedTime : std::uint8_t {
        Length, ///< The weight is the whole length of the call.
        OnCpu, ///< The weight is the recorded CPU time during the call.
        Ran, ///< CPU time during the call, without the steal time of a guest's threads.
        /// Whole length of the call including steal time, split into the states of its thread. The frame of the call has a child frame for
        /// each state, and the frame of a state has a child frame for each value of the state.
        States,
    };
    WeighedTime weighs = WeighedTime::Length;
};

/// Returns the call kinds of a timeline. Each kind of segments that are calls gives a kind by length, named like the segment kind. If
/// states of threads were recorded, it also gives kinds by CPU time ("call:cpu") and by states ("call:states"). If there are virtual
/// machines, it also gives a kind by CPU time without steal time ("call:ran").
/// Cost: checks for recorded states, a few ns per row.
std::vector<CallKind> callKinds(const Timeline& timeline);
/// True if kinds with this name can exclude steal time. Whether a kind really excludes it is known only once the timeline has the
/// rows of virtual machines.
bool mayExcludeStealTime(std::string_view name);
/// Returns whether CPU times displayed with the kind include steal time.
ThreadCpuTimes::Stolen stealTimeOf(const CallKind& kind);
std::optional<CallKind> callKind(const Timeline& timeline, std::string_view name);

/// True if the filter selects the calls of a thread. The filter may contain the thread's row of calls, of states, or any other row with its
/// TID; CPUs of the filter are ignored. `thread` is the parent of the thread's tracks of calls.
bool selectsCallsOf(const Timeline& timeline, const SampleFilter& filter, TrackRef thread);

/// Adds the calls that overlap the filter's ranges to a profile, with one stack for each path and thread. The weight of a stack is the
/// time of its calls in the ranges without their callees; its samples are the calls. If the states of a thread are unknown, its calls have
/// no CPU time and an unknown state.
/// Threads: any but the UI thread.
/// Cost: about 50 ns per call; by states, more if calls contain many states.
void collectCalls(const Timeline& timeline, const CallKind& kind, const SampleFilter& filter, ProfileNodes& nodes, StackProfile& profile,
                  QueryProgress* progress, std::stop_token stop);

} // namespace helio
