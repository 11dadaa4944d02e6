#pragma once

#include "core/query/rows/rows.h"
#include "widgets/timegraph/rows/graph_rows.h"
#include "widgets/timegraph/rows/row_tree.h"

#include <string_view>
#include <vector>

namespace helio {

/// A view's rows as they are shown: frequencies go below their CPU's band, interrupts over all CPUs hang below a group.
struct ViewRows {
    std::vector<Row> rows;
    std::vector<TrackRef> frequencies; ///< By row; not valid where there is none.
};
ViewRows viewRows(const Timeline& timeline, std::string_view view);

/// What a tree shows, ready to be drawn.
std::vector<GraphRow> graphRows(const RowTree& tree, const std::vector<TrackRef>& frequencies);
/// The pinned ones alone.
std::vector<GraphRow> pinnedGraphRows(const RowTree& tree, const std::vector<TrackRef>& frequencies);

} // namespace helio
