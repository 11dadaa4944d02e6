#pragma once

#include "core/analysis/track_view.h"
#include "core/query/rows/rows.h"

#include <string>
#include <vector>

namespace helio {

struct Requirement;

/// The ids of the views there may be rows or counters for: those of all analyses and relations, whether the traces have what they need or
/// not, then any other that a store has rows or counters for.
std::vector<std::string> viewsOf(const Timeline& timeline);

/// Those of them whose rows have states: not those of samples' stacks, which are only shown (RelationKind::When::Shown).
std::vector<std::string> viewsOfStates(const Timeline& timeline);

/// The views that the analyses and relations describe which the timeline was made with, in the order of their panels.
std::vector<TrackView> describedViews(const Timeline& timeline);

/// Those of them that have a panel: the basic ones, those that something here makes rows or counters for, and those that a store has any
/// for.
std::vector<TrackView> offeredViews(const Timeline& timeline);

/// Whether an analysis or a relation that was built in describes the view.
bool isBuiltinView(std::string_view id);

/// What has a panel before anything is opened.
std::vector<TrackView> basicViews();

/// How the analyses of the timeline describe a view; one that none describes is called as its id, and has curves where a store has counters
/// for it.
TrackView viewNamed(const Timeline& timeline, std::string_view id);

/// A trace that lacks essential events of a view.
struct ViewLack {
    std::uint32_t trace = 0;
    const Requirement* need = nullptr; ///< The timeline's.
};
/// Requirements of the view's rows that traces lack. Empty if one trace has all that an analysis needs for such rows, whatever other traces
/// lack.
std::vector<ViewLack> lacksOf(const Timeline& timeline, std::string_view view);

/// What there is to say of a view.
struct ViewFacts {
    std::string id;
    std::string title; ///< The id where no analysis describes it.
    std::vector<std::string> analyses; ///< Ids of those that make its rows here; of relations, too.
    TrackView::Shape shape = TrackView::Shape::Rows;
    bool areCalls = false; ///< Rows are call stacks.
    bool areAttributes = false; ///< Rows are all that an analysis keeps.
    std::size_t rows = 0; ///< Of curves: series.
    std::string missing; ///< Why there are none, and the command that records what it takes, where that is known.
};

/// Why the view has no rows here: a sentence without its full stop, or what its analysis says. Requires: it has none.
std::string whyNoRows(const Timeline& timeline, std::string_view view);

/// In the order of viewsOf(). Cost: as rows() of each.
std::vector<ViewFacts> viewFacts(const Timeline& timeline);

} // namespace helio
