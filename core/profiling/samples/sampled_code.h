#pragma once

#include "core/profiling/samples/stack_names.h"
#include "core/query/events/events.h"
#include "core/query/rows/rows.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Number of a row's samples in a range, by the mode of the code that ran. Samples of tracepoints are not counted. The row marks the
/// counted samples by ticks.
struct SampleCounts {
    std::uint64_t user = 0;
    std::uint64_t kernel = 0;
    std::uint64_t other = 0; ///< Number of samples in a hypervisor or guest, or without a recorded mode.
    std::uint64_t otherEvents = 0; ///< Samples of all events except the event that measures CPU time, e.g. of page faults.
    std::uint64_t all() const { return user + kernel + other + otherEvents; }
};
/// Returns the exact number of samples of a row in a range, by mode; 0 for each mode if there are no samples.
/// Cost: small, regardless of the number of samples.
SampleCounts sampleCounts(const Timeline& timeline, TrackRef row, TimeRange range);

/// Returns the function with the most samples of a row in a range, followed by its callers in the first of these samples, without inlined
/// functions. Empty if there are no samples or no stacks.
///
/// Threads: any but the UI thread.
/// Cost: like collectStacks() and nameStacks() for the range; reads a module's symbols at first use.
std::vector<SampledFunction> mostSampledStack(const Timeline& timeline, TrackRef row, TimeRange range, std::stop_token stop = {});

/// A sample of a row, with the names of its functions.
struct NamedSample {
    Timestamp time;
    CodeMode mode = CodeMode::Unknown; ///< Mode of the code that ran: user, kernel, or Unknown for all other modes.
    struct Frame {
        SampledFunction function;
        bool isInlined = false; ///< True if the function was inlined into the function of the next frame.
    };
    std::vector<Frame> stack; ///< Call stack, innermost function first; empty if none was recorded.
    bool isCut = false; ///< True if the outermost frames are missing.
    bool isRead = false; ///< True if the store contains the sample. If false, the stack is unknown.
};

/// Returns the sample of a row nearest to `at`; nullopt if the row has no samples.
/// Cost: like mostSampledStack(), plus reading lines of debug information.
std::optional<NamedSample> nearestSample(const Timeline& timeline, TrackRef row, Timestamp at, std::stop_token stop = {});

/// Returns the innermost function of a call stack in a store, with the identity that nameStacks() gives it; nullopt if the stack does not
/// exist. Inlined functions of such stacks have modules from makeInlinedPart().
///
/// Threads: any but the UI thread.
/// Cost: reads the module's symbols and lines at first use.
std::optional<SampledFunction> functionOfStack(const Timeline& timeline, StoreIndex store, StackId stack, std::stop_token stop = {});

/// Returns the sample that was recorded with an event; nullopt if the event is no sample.
/// Cost: like nearestSample().
std::optional<NamedSample> sampleOf(const Timeline& timeline, const EventRow& event, std::stop_token stop = {});

} // namespace helio
