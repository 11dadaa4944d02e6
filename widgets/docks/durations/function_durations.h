#pragma once

#include "core/latency/intervals/lengths_by_name.h"
#include "core/profiling/calls/function_calls.h"

#include <QString>

#include <memory>
#include <vector>

namespace helio {

/// How long the calls of one function lasted. Immutable.
struct FunctionDurations {
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const CallNames> names;
    FunctionCalls calls; ///< Of those two.
    SampledFunction function;
    std::string label; ///< As rows have it: its name, else its address.
    DurationSpread lengths;
    std::vector<LengthBucket> logarithmic;
    std::vector<LengthBucket> linear;
};

/// Threads: any but the UI's. Cost: as FunctionCalls, and of sorting the lengths.
std::shared_ptr<const FunctionDurations> durationsOf(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const CallNames> names,
                                                     const SampledFunction& function, std::stop_token stop);
/// Of the function that was called.
std::shared_ptr<const FunctionDurations> durationsOf(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const CallNames> names,
                                                     const Segment& call, std::stop_token stop);

/// The calls of one bucket. Immutable.
struct BucketCalls {
    struct Call {
        Segment call;
        std::uint32_t thread = 0; ///< Its index in threads.
    };
    LengthBucket bucket;
    std::vector<Call> calls; ///< In the order of segments; the first ones where they are too many.
    std::vector<QString> threads;

    bool isCut() const { return calls.size() < bucket.count; }
};

constexpr std::size_t MostListedCalls = 100'000; ///< Some 10 MB.

/// Threads: any but the UI's. Cost: as FunctionCalls, and some us a thread.
std::shared_ptr<const BucketCalls> callsOf(const FunctionDurations& durations, const LengthBucket& bucket, std::stop_token stop);

/// The search over states that finds the same calls: "name == "render" && duration >= 14200ns && duration < 14600ns".
QString searchFor(const FunctionDurations& durations, const LengthBucket& bucket);

/// The expression that calls of this function match: "name == "render"".
QString nameFilterOf(const FunctionDurations& durations);

} // namespace helio
