#pragma once

#include "core/query/rows/rows.h"
#include "widgets/timeline/graph/rows/graph_rows.h"
#include "widgets/timeline/graph/rows/row_tree.h"

#include <string_view>
#include <vector>

namespace helio {

/// Rows of a view, prepared for drawing:
/// - rows of numbers become lines below the bars of their parents;
/// - interrupts that are summed over all CPUs are collected in a group;
/// - the group row of a call stack also shows the stack's outermost frames; its children are the rows of deeper frames and, if recorded, a
/// last row with the states of the stack's thread;
/// - if `foldsShortLived`, ten or more short-lived processes (or threads) with the same name and parent are collected in a fold
/// (FoldGroup). A process or thread is short-lived if it began and ended in the recording and lived at most 5 % of the recording's
/// duration.
struct ViewRows {
    std::vector<Row> rows;
    std::vector<RowAnnotations> beside; ///< Annotations, indexed by row.
};
ViewRows makeViewRows(const Timeline& timeline, std::string_view view, bool foldsShortLived = false);

/// Returns the view whose links are drawn between the rows of `view`: the view of threads if call stacks show their threads' states,
/// otherwise `view`.
std::string findLinkView(const Timeline& timeline, std::string_view view, const GraphRows& rows);

/// Returns the visible rows of a tree, ready for drawing.
std::vector<GraphRow> makeGraphRows(const RowTree& tree, const std::vector<RowAnnotations>& beside);
/// Returns the pinned rows of a tree, ready for drawing.
std::vector<GraphRow> makePinnedGraphRows(const RowTree& tree, const std::vector<RowAnnotations>& beside);

} // namespace helio
