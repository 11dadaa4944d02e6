#pragma once

#include "app/gui/common/session_file.h"
#include "app/gui/compare_window/alignment_control.h"

namespace helio {

/// Comparison as stored in a `.heliograph` file, which may also store a plain session.
struct Comparison {
    SessionState a;
    SessionState b;
    QString program; ///< Compared program; empty: chosen when both sides are known.
    bool comparesThreads = false; ///< Compares the selected rows of the sides instead of a program.
    AlignmentControl::By alignBy = AlignmentControl::By::Subject;
    QString function; ///< Name of the function to align by if `alignBy` is By::Function.
    Alignment zero{}; ///< Alignment of By::Hand and By::Bookmarks.
    bool isLinked = true;
    bool isBeside = false; ///< A is left of B instead of above.
    QJsonObject layout; ///< Layout of the window: visible docks and tabs, and the look of the differential flame graph.
};

/// Compares the traces of both sides from their beginnings.
Comparison comparisonOf(const QStringList& a, const QStringList& b);

/// Compares two positions, ranges, threads or calls of one experiment or of two. Each side shows its own range on an axis of its own; both
/// axes are as long as the longer range. Compares threads if the selected threads differ or rows of calls are selected. Returns nullopt if
/// the positions do not differ.
std::optional<Comparison> comparePositions(const SessionState& a, const SessionState& b);

Status saveComparison(const Comparison& comparison, const QString& path);
/// Reads a comparison from a file.
/// Errors: NotFound if the file is not a comparison.
Result<Comparison> loadComparison(const QString& path);

} // namespace helio
