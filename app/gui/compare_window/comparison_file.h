#pragma once

#include "app/gui/common/session_file.h"
#include "app/gui/compare_window/alignment_control.h"

namespace helio {

/// What a person compares, and how: as a `.heliograph` file keeps it beside plain sessions.
struct Comparison {
    SessionState a;
    SessionState b;
    QString program; ///< Empty: chosen when both are known.
    bool comparesThreads = false; ///< The chosen rows of the sides, not a program.
    AlignmentControl::By alignBy = AlignmentControl::By::Subject;
    QString function; ///< Of By::Function.
    Alignment zero{}; ///< Of By::Hand and By::Bookmarks.
    bool isLinked = true;
    bool isBeside = false; ///< A left of B, not above.
    QJsonObject layout; ///< Of the window: which docks and tabs are shown, and how the differential flame graph looks.
};

/// The traces of both sides, from their beginnings.
Comparison comparisonOf(const QStringList& a, const QStringList& b);

/// Two places, ranges, threads or calls of one experiment or of two: each with its own range on an axis of its own, both as far as the
/// longer one; their threads where these differ, or where rows of calls are selected. Nothing where they do not differ.
std::optional<Comparison> comparisonOfPlaces(const SessionState& a, const SessionState& b);

Status saveComparison(const Comparison& comparison, const QString& path);
/// An error of kind NotFound: it is not a file of a comparison.
Result<Comparison> loadComparison(const QString& path);

} // namespace helio
