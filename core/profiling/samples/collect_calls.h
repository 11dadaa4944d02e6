#pragma once

#include "core/profiling/samples/profile_nodes.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/thread_clock.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// Calls of functions as the samples of a profile: what is drawn of samples is drawn of calls too.
namespace helio {

/// One way to weigh calls.
struct CallKind {
    SampleKindFacts facts; ///< Its samples are calls, its weights ns.
    std::string segments; ///< The kind of the segments that the calls are.
    /// What weights are, and what of.
    enum class Weighs : std::uint8_t {
        Length, ///< The whole length.
        OnCpu, ///< The time on a CPU, as recorded.
        Ran, ///< The same without what was stolen of a guest's threads.
        /// The whole length, below the call by the states of its thread, stolen ones too: what they are called, and below that their
        /// values.
        States,
    };
    Weighs weighs = Weighs::Length;
};

/// Of each kind of segments that are calls: by length, named as they are, and where states of threads were recorded by time on a CPU,
/// "call:cpu", where there are guests of virtual machines also without what was stolen of them, "call:ran", and by those states,
/// "call:states". Cost: of finding out whether there are such states, some ns a row.
std::vector<CallKind> callKinds(const Timeline& timeline);
/// Whether a kind of that name, where there is one, may say what was stolen: that is known once machines' rows are made.
bool mayLeaveOutStolen(std::string_view name);
/// Whether times on a CPU beside it are with what was stolen.
ThreadClocks::Stolen stolenOf(const CallKind& kind);
std::optional<CallKind> callKind(const Timeline& timeline, std::string_view name);

/// Whether a filter chooses the calls of a thread, which it may name by its row of calls, of states, or any other of its TID; CPUs say
/// nothing of calls. `thread`: the track that they hang from.
bool choosesCallsOf(const Timeline& timeline, const SampleFilter& filter, TrackRef thread);

/// Adds the calls that overlap the filter's ranges to a profile: a stack for each path and thread, whose weight is the time in the ranges
/// that was its own, not its callees', and whose samples are the calls. Calls of threads whose states are not known have no time on a CPU,
/// and by states are unknown. Threads: any but the UI's. Cost: about 50 ns a call; by states, the more of them there are in a call.
void collectCalls(const Timeline& timeline, const CallKind& kind, const SampleFilter& filter, ProfileNodes& nodes, StackProfile& profile,
                  QueryProgress* progress, std::stop_token stop);

} // namespace helio
