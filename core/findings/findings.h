#pragma once

#include "core/findings/finding.h"
#include "core/findings/finding_scope.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// A short list of findings in a recording, ranked by the time that they explain.
namespace helio {

constexpr std::size_t MostFindings = 12; ///< Maximum number of findings that are listed.

/// A limit of the recording: lost events, damage, or clocks that are not synchronized.
struct QualityNote {
    std::string text; ///< One sentence with a full stop.
    std::string command; ///< Command that avoids the problem in the next recording; empty if none is known.
    bool isProblem = true; ///< False for a note that all is well.
    std::vector<TimeRange> places{}; ///< Ranges in which the problem occurred, in time order; at most 1 000.
};

/// A finder that needs events that were not recorded.
struct UnableFinder {
    std::string title;
    std::string command; ///< Command that records the events; empty if none is known.
};

struct Findings {
    std::vector<Finding> all; ///< The findings, the most time explained first; at most MostFindings.
    std::vector<QualityNote> quality;
    std::size_t done = 0; ///< Number of finders that are done, of builtinFinders().
    std::size_t finders = 0; ///< Number of finders that looked.
    std::size_t without = 0; ///< Number of finders that looked and found nothing.
    std::vector<UnableFinder> unable; ///< Finders that need events that were not recorded.
    std::size_t more = 0; ///< Number of findings beyond MostFindings, which are left out.
    bool isStopped = false; ///< True if a stop was requested, so that findings may be missing.
};

/// Receives the findings so far, without QualityNotes. Called each time that another finder is done.
using FindingProgress = std::function<void(Findings&& soFar)>;

/// Looks for everything that stands out.
/// Threads: any but the UI thread. Finders look on several threads at once; they call `progress` one at a time.
/// Cost: a few passes over the states of all threads: about 0.1 s for a million events.
Findings collectFindings(const FindingRequest& request, const FindingProgress& progress = {});

/// Returns the time that a finding explains as a share of the scope's window, from 0 to 1.
double shareOf(const Finding& finding, TimeRange window);

} // namespace helio
