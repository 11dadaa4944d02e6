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
/// - a group of frames is merged with the row of the outermost frames; its children are the rows of deeper frames and, if recorded, the
/// states of its thread as the last row;
/// - with `foldsShortLived`, ten or more processes (or threads) with the same name and parent are collected in a fold (FoldGroup), if each
/// began and ended in the recording and lived at most 5 % of its duration.
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
