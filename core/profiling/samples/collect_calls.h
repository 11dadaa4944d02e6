#pragma once

#include "core/profiling/samples/profile_nodes.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/thread_cpu_times.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// Calls of functions as samples of a profile, so that views of samples can show calls too.
namespace helio {

/// A way to weigh calls.
struct CallKind {
    SampleKindFacts facts; ///< Samples are calls, weights are ns.
    std::string segments; ///< Segment kind of the calls.
    /// Time that a call is weighed by.
    enum class WeighedTime : std::uint8_t {
        Length, ///< The whole length of the call.
        OnCpu, ///< The recorded CPU time.
        Ran, ///< The CPU time without the steal time of a guest's threads.
        /// The whole length, divided by the states of the thread, including stolen ones. Below the call's frame there is a frame
        /// for the state, and below it one for the state's value.
        States,
    };
    WeighedTime weighs = WeighedTime::Length;
};

/// Returns the call kinds of a timeline. For each kind of segments that are calls: by length, with the segment kind's name. If states of
/// threads were recorded, also by CPU time ("call:cpu") and by states ("call:states"). If there are guests of virtual machines, also by CPU
/// time without steal time ("call:ran").
/// Cost: checks whether there are such states, a few ns per row.
std::vector<CallKind> callKinds(const Timeline& timeline);
/// True if a kind of that name may leave out steal time. Whether it can is known once the rows of virtual machines are made.
bool mayExcludeStealTime(std::string_view name);
/// Returns whether CPU times that are shown with the kind include steal time.
ThreadCpuTimes::Stolen stealTimeOf(const CallKind& kind);
std::optional<CallKind> callKind(const Timeline& timeline, std::string_view name);

/// True if the filter selects the calls of a thread. It may name the thread by its row of calls, of states, or any other row of its TID;
/// CPUs of the filter are ignored. `thread`: the parent of the thread's tracks of calls.
bool selectsCallsOf(const Timeline& timeline, const SampleFilter& filter, TrackRef thread);

/// Adds the calls that overlap the filter's ranges to a profile. There is a stack for each path and thread. Its weight is the calls' own
/// time in the ranges, without callees; its samples are the calls. If the states of a thread are not known, its calls have no CPU time, and
/// their state is unknown.
/// Threads: any but the UI thread.
/// Cost: about 50 ns per call; by states, more if calls contain many states.
void collectCalls(const Timeline& timeline, const CallKind& kind, const SampleFilter& filter, ProfileNodes& nodes, StackProfile& profile,
                  QueryProgress* progress, std::stop_token stop);

} // namespace helio
