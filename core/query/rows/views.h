#pragma once

#include "core/analysis/track_view.h"
#include "core/query/rows/rows.h"

#include <string>
#include <vector>

namespace helio {

struct MissingEvents;

/// Returns the ids of all views that may have rows or counters: the views of all analyses and correlators, whether or not the traces have
/// the events they need, then any other view that a store has rows or counters for.
std::vector<std::string> viewsOf(const Timeline& timeline);

/// Returns the views of viewsOf() whose rows have states; not views of samples' call stacks, which are made only to be shown
/// (Correlator::When::Shown).
std::vector<std::string> viewsOfStates(const Timeline& timeline);

/// Returns the views described by the analyses and correlators that the timeline was made with, in the order of their panels.
std::vector<TrackView> describedViews(const Timeline& timeline);

/// Returns the described views that get a panel: the basic views, and the views for which an analysis or correlator makes rows or counters
/// here or a store has some.
std::vector<TrackView> offeredViews(const Timeline& timeline);

/// True if a built-in analysis or correlator describes the view.
bool isBuiltinView(std::string_view id);

/// Returns the views that have a panel before anything is opened.
std::vector<TrackView> basicViews();

/// Returns the description of a view. If no analysis describes it, its title is its id, and its shape is Curves if a store has counters for
/// it.
TrackView viewDescription(const Timeline& timeline, std::string_view id);

/// A trace that lacks essential events of a view.
struct ViewMissingEvents {
    std::uint32_t trace = 0;
    const MissingEvents* need = nullptr; ///< Points into the timeline.
};
/// Returns the requirements of the view's rows that traces lack. Empty if any trace has all events needed by one analysis for such rows,
/// whatever other traces lack.
std::vector<ViewMissingEvents> findMissingEvents(const Timeline& timeline, std::string_view view);

/// Summary of a view.
struct ViewFacts {
    std::string id;
    std::string title; ///< The id if no analysis describes the view.
    std::vector<std::string> analyses; ///< Ids of the analyses and correlators that make its rows here.
    TrackView::Shape shape = TrackView::Shape::Rows;
    bool areCalls = false; ///< Rows are call stacks.
    bool isAttributeView = false; ///< Rows are the whole attribute tree of an analysis.
    std::size_t rows = 0; ///< Number of rows; for views of curves, number of series.
    std::string missing; ///< Why there are no rows, and the command that records the missing events, if known.
};

/// Returns why the view has no rows here: a clause without a full stop, or the analysis's own text. Requires: it has none.
std::string noRowsReason(const Timeline& timeline, std::string_view view);

/// Returns the facts of all views, in the order of viewsOf().
/// Cost: as rows() of each view.
std::vector<ViewFacts> viewFacts(const Timeline& timeline);

} // namespace helio
