#pragma once

#include "core/analysis/track_view.h"
#include "core/query/rows/rows.h"

#include <string>
#include <vector>

namespace helio {

struct MissingEvents;

/// Returns the ids of all views that may have rows or counters: the views of all analyses and correlators, even if the traces lack the
/// events for them, followed by other views for which a store has rows or counters.
std::vector<std::string> viewsOf(const Timeline& timeline);

/// Returns the views of viewsOf() with rows that have states. Excludes views of samples' call stacks: their correlators run only when
/// the view is shown (Correlator::When::Shown).
std::vector<std::string> viewsOfStates(const Timeline& timeline);

/// Returns the views described by the analyses and correlators that the timeline was made with, in the order of their panels.
std::vector<TrackView> describedViews(const Timeline& timeline);

/// Returns the described views that get a panel: the basic views, views for which an analysis or correlator can make rows or counters from
/// the timeline's traces, and views for which a store has rows or counters.
std::vector<TrackView> offeredViews(const Timeline& timeline);

/// True if a built-in analysis or correlator describes the view.
bool isBuiltinView(std::string_view id);

/// Returns the views that have a panel even if no trace is open.
std::vector<TrackView> basicViews();

/// Returns the description of a view. If no analysis describes it, its title is its id, and its shape is Curves if a store has counters for
/// it.
TrackView viewDescription(const Timeline& timeline, std::string_view id);

/// A trace that lacks essential events of a view.
struct ViewMissingEvents {
    std::uint32_t trace = 0;
    const MissingEvents* need = nullptr; ///< Requirement that the trace lacks; points into the timeline.
};
/// Returns the events that the view's rows require and the traces lack. Empty if at least one trace has all events that an analysis needs
/// for the view's rows.
std::vector<ViewMissingEvents> findMissingEvents(const Timeline& timeline, std::string_view view);

struct ViewFacts {
    std::string id;
    std::string title; ///< Title of the view; its id if no analysis describes the view.
    std::vector<std::string> analyses; ///< Ids of the analyses and correlators that make the view's rows from the traces of the timeline.
    TrackView::Shape shape = TrackView::Shape::Rows;
    bool areCalls = false; ///< True if the rows are call stacks.
    bool isAttributeView = false; ///< True if the rows are the whole attribute tree of an analysis.
    std::size_t rows = 0; ///< Number of rows; for views of curves, number of series.
    /// Text that explains why there are no rows, with the command that records the missing events if known; empty if there are rows.
    std::string missing;
};

/// Returns why the view has no rows: a clause without a full stop, or a text from the analysis. Requires: the view has no rows.
std::string noRowsReason(const Timeline& timeline, std::string_view view);

/// Returns the facts of all views, in the order of viewsOf().
/// Cost: makes the rows of each view.
std::vector<ViewFacts> viewFacts(const Timeline& timeline);

} // namespace helio
