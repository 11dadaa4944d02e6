#pragma once

#include "core/query/rows/rows.h"
#include "widgets/timeline/graph/rows/graph_rows.h"
#include "widgets/timeline/graph/rows/row_tree.h"

#include <string_view>
#include <vector>

namespace helio {

/// A view's rows as they are shown: numbers that are lines go below the bars of what they are of, interrupts over all CPUs hang below a
/// group; a group of frames is the row of the outermost ones, has the deeper ones below it, and last, where they were recorded, the states
/// of its thread.
struct ViewRows {
    std::vector<Row> rows;
    std::vector<RowBeside> beside; ///< By row.
};
ViewRows viewRows(const Timeline& timeline, std::string_view view);

/// The view whose links are shown between a view's rows: of call stacks, which have the states of their threads, that of threads.
std::string linkViewOf(const Timeline& timeline, std::string_view view, const GraphRows& rows);

/// What a tree shows, ready to be drawn.
std::vector<GraphRow> graphRows(const RowTree& tree, const std::vector<RowBeside>& beside);
/// The pinned ones alone.
std::vector<GraphRow> pinnedGraphRows(const RowTree& tree, const std::vector<RowBeside>& beside);

} // namespace helio
