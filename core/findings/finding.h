#pragma once

#include "core/base/time.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// One occurrence of what a finding says, for example one long wait.
struct Evidence {
    TimeRange range; ///< Range of the occurrence.
    TrackRef row{}; ///< Row that shows the occurrence; not valid if no row does.
    std::string text; ///< Description, for example "worker-3 (203) waited 39.7 ms for a CPU behind mixwork (185)".
};

/// A finding: one thing that stands out in a recording, with its evidence.
struct Finding {
    std::string finder; ///< Id of the finder, for example "scheduling-tail".
    /// Program, system call or other subject of the finding, without numbers that vary, to find the same problem in another recording.
    /// Findings of one finder with the same subject correspond to each other in their order.
    std::string subject{};
    std::string text; ///< The finding in one sentence with numbers, without a full stop. Says "probable" if the cause is inferred.
    std::string detail{}; ///< Further facts in one line, without a full stop; may be empty.
    /// Time in the range in which the finding applied to at least one thread or device. Times of several threads are not added up, so that
    /// the findings of different finders can be compared. For hot functions, their CPU time, and for interrupts and steal time, the lost
    /// CPU time, at most the range. For memory, the time of a leak times its share of the process's memory.
    Duration explained{};
    TimeRange range{}; ///< From the beginning of the first occurrence to the end of the last one.
    std::optional<std::uint32_t> host{}; ///< Index into Timeline::hosts; nullopt if the finding concerns several hosts.
    std::vector<TrackRef> rows{}; ///< Rows that the finding is about, the most affected first.
    std::vector<Evidence> evidence{}; ///< The largest occurrences, in time order; at most MostEvidence.
    std::uint64_t occurrences = 0; ///< Number of all occurrences, at least the number of elements in `evidence`.
    std::string check{}; ///< Command line with which to go on; empty if there is none.
    std::string color{}; ///< Colour in the format of StateStyle::color: that of the state or cause.
    bool isWait = false; ///< True if the occurrences are waits of threads, which the critical path explains.
};

constexpr std::size_t MostEvidence = 100; ///< Maximum number of occurrences that a finding keeps.

} // namespace helio
