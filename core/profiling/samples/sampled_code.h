#pragma once

#include "core/profiling/samples/stack_names.h"
#include "core/query/events/events.h"
#include "core/query/rows/rows.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Samples of a row in a range, as its ticks show them: by what ran. Tracepoints are not among them.
struct SampleCounts {
    std::uint64_t user = 0;
    std::uint64_t kernel = 0;
    std::uint64_t other = 0; ///< Hypervisor, guest, or not recorded.
    std::uint64_t events = 0; ///< Of other events than the one that measures CPU time.
    std::uint64_t all() const { return user + kernel + other + events; }
};
/// Exact, and cheap however many there are.
SampleCounts sampleCounts(const Timeline& timeline, TrackRef row, TimeRange range);

/// The function that most samples of a row in a range are in, and below it its callers as first seen; without inlined ones. Empty: no
/// samples, or no stacks.
///
/// Threads: any but the UI's. Cost: as collectStacks() and nameStacks() of the range; a module's symbols are read when first asked for.
std::vector<SampledFunction> mostSampledStack(const Timeline& timeline, TrackRef row, TimeRange range, std::stop_token stop = {});

/// A sample of a row, with its names.
struct NamedSample {
    Timestamp time;
    CodeMode mode = CodeMode::Unknown; ///< User, kernel, or unknown for all else.
    struct Frame {
        SampledFunction function;
        bool isInlined = false; ///< Into the next one.
    };
    std::vector<Frame> stack; ///< Innermost first. Empty: none was recorded.
    bool isCut = false; ///< Outermost frames are missing.
    bool isRead = false; ///< False: it could not be found again, and its stack is not known.
};

/// The sample of a row next to a moment. Nothing: the row has none. Cost: as mostSampledStack(), and lines of debug information.
std::optional<NamedSample> nearestSample(const Timeline& timeline, TrackRef row, Timestamp at, std::stop_token stop = {});

/// The sample that an event is. Nothing: it is none. Cost: as nearestSample().
std::optional<NamedSample> sampleOf(const Timeline& timeline, const EventRow& event, std::stop_token stop = {});

} // namespace helio
