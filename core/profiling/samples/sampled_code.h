#pragma once

#include "core/profiling/samples/stack_names.h"
#include "core/query/events/events.h"
#include "core/query/rows/rows.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Number of a row's samples in a range, by the code that ran; the row's ticks show the same samples. Tracepoints are not counted.
struct SampleCounts {
    std::uint64_t user = 0;
    std::uint64_t kernel = 0;
    std::uint64_t other = 0; ///< Samples in a hypervisor or guest, or without a recorded mode.
    std::uint64_t events = 0; ///< Samples of other events than the one that measures CPU time.
    std::uint64_t all() const { return user + kernel + other + events; }
};
/// Returns exact counts.
/// Cost: small, however many samples there are.
SampleCounts sampleCounts(const Timeline& timeline, TrackRef row, TimeRange range);

/// Returns the function with the most samples of a row in a range, followed by its callers in the first such sample; inlined functions are
/// left out. Empty: no samples, or no stacks.
///
/// Threads: any but the UI thread.
/// Cost: as collectStacks() and nameStacks() of the range; reads a module's symbols at first use.
std::vector<SampledFunction> mostSampledStack(const Timeline& timeline, TrackRef row, TimeRange range, std::stop_token stop = {});

/// A sample of a row, with its names.
struct NamedSample {
    Timestamp time;
    CodeMode mode = CodeMode::Unknown; ///< User, kernel, or Unknown for all other modes.
    struct Frame {
        SampledFunction function;
        bool isInlined = false; ///< True if it was inlined into the next frame.
    };
    std::vector<Frame> stack; ///< Innermost first; empty if none was recorded.
    bool isCut = false; ///< True if outermost frames are missing.
    bool isRead = false; ///< False if the sample was not found again: its stack is not known.
};

/// Returns the sample of a row nearest to a moment; nullopt if the row has none.
/// Cost: as mostSampledStack(), and reading lines of debug information.
std::optional<NamedSample> nearestSample(const Timeline& timeline, TrackRef row, Timestamp at, std::stop_token stop = {});

/// Returns the sample that an event stands for; nullopt if it is none.
/// Cost: as nearestSample().
std::optional<NamedSample> sampleOf(const Timeline& timeline, const EventRow& event, std::stop_token stop = {});

} // namespace helio
