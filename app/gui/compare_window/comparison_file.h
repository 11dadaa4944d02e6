#pragma once

#include "app/gui/common/session_file.h"
#include "app/gui/compare_window/alignment_control.h"

namespace helio {

/// A comparison as stored in a `.heliograph` file; such a file has either a comparison or a session.
struct Comparison {
    SessionState a;
    SessionState b;
    QString program; ///< Compared program; if empty, a program is chosen when both sides are known.
    bool comparesThreads = false; ///< True to compare the selected rows of the sides instead of a program.
    AlignmentControl::By alignBy = AlignmentControl::By::Subject;
    QString function; ///< Name of the function to align by if `alignBy` is By::Function.
    Alignment zero{}; ///< Aligned times; only used if `alignBy` is By::Hand or By::Bookmarks.
    bool isLinked = true;
    bool isBeside = false; ///< True if A is left of B instead of above.
    QJsonObject layout; ///< Layout of the window: visible docks and tabs, and settings of the differential flame graph.
};

/// Returns a comparison of the traces `a` and `b` from their beginnings.
Comparison comparisonOf(const QStringList& a, const QStringList& b);

/// Returns a comparison of the selections in two session states, which may be of the same experiment. Each side shows its selected range on
/// its own time axis; both axes have the length of the longer range. The comparison is of threads if both states select threads, and either
/// the threads differ or both selected rows are rows of calls. Returns nullopt if the two states select the same range and the same thread,
/// and have the same traces.
std::optional<Comparison> comparePositions(const SessionState& a, const SessionState& b);

Status saveComparison(const Comparison& comparison, const QString& path);
/// Reads a comparison from a file.
/// Errors: NotFound if the file is not a comparison.
Result<Comparison> loadComparison(const QString& path);

} // namespace helio
