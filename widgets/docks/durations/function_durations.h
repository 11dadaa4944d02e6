#pragma once

#include "core/latency/intervals/duration_stats.h"
#include "core/profiling/calls/function_calls.h"

#include <QString>

#include <memory>
#include <vector>

namespace helio {

/// Durations of the calls of one function. Immutable.
struct FunctionDurations {
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const CallNames> names;
    FunctionCalls calls; ///< Calls in `timeline` with the names of `names`.
    SampledFunction function;
    std::string label; ///< Name as rows show it: the function's name, else its address.
    DurationDistribution lengths;
    std::vector<HistogramBucket> logarithmic;
    std::vector<HistogramBucket> linear;
};

/// Computes the durations of a function's calls.
/// Threads: any but the UI thread.
/// Cost: that of FunctionCalls, and of sorting the durations.
std::shared_ptr<const FunctionDurations> computeDurations(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const CallNames> names,
                                                          const SampledFunction& function, std::stop_token stop);
/// Computes the durations of the calls of the function that `call` called.
std::shared_ptr<const FunctionDurations> computeDurations(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const CallNames> names,
                                                          const Segment& call, std::stop_token stop);

/// The calls of one bucket of a histogram. Immutable.
struct ListedCalls {
    struct Call {
        Segment call;
        std::uint32_t thread = 0; ///< Index in `threads`.
    };
    HistogramBucket bucket;
    std::vector<Call> calls; ///< In the order of segments; only the first MostListedCalls.
    std::vector<QString> threads;

    bool isCut() const { return calls.size() < bucket.count; }
};

constexpr std::size_t MostListedCalls = 100'000; ///< These take about 10 MB.

/// Finds the calls of a bucket.
/// Threads: any but the UI thread.
/// Cost: that of FunctionCalls, and a few µs per thread.
std::shared_ptr<const ListedCalls> findBucketCalls(const FunctionDurations& durations, const HistogramBucket& bucket, std::stop_token stop);

/// Returns the search over states that finds the same calls, e.g. `name == "render" && duration >= 14200ns && duration < 14600ns`.
QString makeDurationSearch(const FunctionDurations& durations, const HistogramBucket& bucket);

/// Returns the expression that matches calls of this function, e.g. `name == "render"`.
QString makeNameFilter(const FunctionDurations& durations);

} // namespace helio
