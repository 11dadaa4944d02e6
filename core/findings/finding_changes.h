#pragma once

#include "core/findings/findings.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// Changes between the findings of two recordings.
namespace helio {

/// A finding that differs between two recordings, which may have different lengths: shares of the time are compared, not times.
struct FindingChange {
    std::optional<Finding> before; ///< The finding in the first recording; nullopt if only the second one has it.
    std::optional<Finding> after; ///< The finding in the second recording; nullopt if only the first one has it.
    double shareBefore = 0; ///< Share of the first recording's window that the finding explains, from 0 to 1; 0 without the finding.
    double shareAfter = 0;

    double difference() const { return shareAfter - shareBefore; }
    const Finding& shown() const { return after ? *after : *before; } ///< Returns the later of the findings.
    /// Returns "new", "gone", "more" or "less".
    const char* word() const { return !before ? "new" : !after ? "gone" : difference() > 0 ? "more" : "less"; }
};

/// The findings of one recording, and the window in which they were found.
struct WindowFindings {
    Findings findings;
    TimeRange window;
};

/// Returns the findings whose share changed by at least 0.5 % of the window and by a fifth of the larger share, the largest change first.
/// Findings of the two recordings are the same if their finders and subjects (Finding::subject) are equal.
std::vector<FindingChange> compareFindings(const WindowFindings& before, const WindowFindings& after);

/// Explains why a program takes longer in the recording `b` than in `a`, as `compare` does. The finding is about `b`.
/// `program`: name of the program; empty for the first of commonPrograms(). Returns nullopt if the program did not run in both recordings,
/// or if its runs take about the same time. Threads: any but the UI thread. Cost: that of computeBreakdown().
std::optional<Finding> findSlowerProgram(const FindingScope& a, const FindingScope& b, const std::string& program);

} // namespace helio
