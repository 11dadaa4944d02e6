#pragma once

#include "core/query/rows/rows.h"
#include "widgets/timeline/graph/rows/graph_rows.h"
#include "widgets/timeline/graph/rows/row_tree.h"

#include <string_view>
#include <vector>

namespace helio {

/// Rows of a view as they are shown: rows of numbers become lines below the bars of their parents; interrupts summed over all CPUs are
/// gathered in a group. A group of frames is merged with the row of the outermost frames; below it are the rows of deeper frames and,
/// if they were recorded, the states of its thread as the last row.
struct ViewRows {
    std::vector<Row> rows;
    std::vector<RowAnnotations> beside; ///< Indexed by row.
};
ViewRows makeViewRows(const Timeline& timeline, std::string_view view);

/// Returns the view whose links are shown between the rows of `view`: the view of threads if call stacks show the states of their threads,
/// otherwise `view`.
std::string findLinkView(const Timeline& timeline, std::string_view view, const GraphRows& rows);

/// Returns the visible rows of a tree for drawing.
std::vector<GraphRow> makeGraphRows(const RowTree& tree, const std::vector<RowAnnotations>& beside);
/// Returns the pinned rows of a tree for drawing.
std::vector<GraphRow> makePinnedGraphRows(const RowTree& tree, const std::vector<RowAnnotations>& beside);

} // namespace helio
