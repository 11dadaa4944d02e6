#pragma once

#include "core/profiling/export/call_tree_text.h"
#include "core/profiling/samples/collect_calls.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>

namespace helio {

/// Samples of one kind with the names of their functions.
struct SpeedscopeProfile {
    const StackProfile& profile; ///< Samples from collectSingleSamples(). The order of the stacks becomes speedscope's "time order".
    const StackNames& names;
    WeightBy by = WeightBy::Samples;
};

/// Traced calls of a thread.
struct CallSequence {
    struct Call {
        TimeRange range;
        std::uint32_t function = 0; ///< Index into SpeedscopeCalls::functions.
    };
    std::string name; ///< Name of the sequence, for example "call: worker (123)".
    std::vector<Call> calls; ///< Calls sorted by start; a caller comes before its callees.
};

/// Traced calls of all threads.
struct SpeedscopeCalls {
    std::vector<CallSequence> threads; ///< Threads with the most calls first.
    std::vector<SampledFunction> functions;
};

/// Returns the calls that overlap the filter's ranges, except calls of hidden functions and modules.
///
/// Threads: any but the UI thread, because functions are named.
/// Cost: 24 bytes and about 100 ns per call.
SpeedscopeCalls collectCallSequences(const Timeline& timeline, const CallKind& kind, const SampleFilter& filter,
                                     const CallTreeOptions& options, std::stop_token stop = {});

/// Selection and presentation of a speedscope file.
struct SpeedscopeOptions {
    std::vector<SampleKind> kinds; ///< Kinds of samples, from speedscopeKinds().
    std::optional<CallKind> calls; ///< Calls to write, in addition to the samples.
    std::function<SampleFilter(const SampleKind& kind)> filterOf; ///< Returns the filter for the samples or calls of a kind.
    std::optional<WeightBy> by; ///< Measure of the samples: by default, their weights.
    CallTreeOptions tree; ///< Options for stacks; the base Command counts as None, because the format has a profile for each thread.
    bool expandsInlined = true;
    std::string name; ///< Name of the file for the user.
};

/// Returns the kinds of samples that a speedscope file contains: all kinds with samples, or only `chosen`. Calls are not included.
/// AllOffCpu stands for several kinds, of which each gets profiles of its own.
std::vector<SampleKind> speedscopeKinds(const Timeline& timeline, const std::optional<SampleKind>& chosen);

/// Samples and calls of a speedscope file.
struct SpeedscopeRecording {
    std::vector<std::pair<StackProfile, StackNames>> samples; ///< Samples of each kind, and their names.
    SpeedscopeCalls calls;

    bool hasSamples() const;
};

/// Collects and names the samples and calls.
/// Threads: any but the UI thread, because functions are named.
SpeedscopeRecording collectSpeedscope(const Timeline& timeline, const SpeedscopeOptions& options, std::stop_token stop = {});
void writeSpeedscope(const SpeedscopeRecording& recording, const SpeedscopeOptions& options, const TextSink& write);

/// Writes speedscope's file format (version 0.0.1). Each kind of samples has a profile for each thread, in descending order of the threads'
/// sums. Samples become "sampled" profiles in time order, with their weights, in ns if weights are times. Stacks and frames are the same as
/// in a call tree with these options. If weights are times, all profiles begin and end at the same times, and a stack without frames stands
/// for time without samples. Calls become "evented" profiles.
/// https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources
void writeSpeedscope(std::span<const SpeedscopeProfile> parts, const SpeedscopeCalls& calls, const CallTreeOptions& options,
                     std::string_view name, const TextSink& write);

} // namespace helio
