#pragma once

#include "core/sql/engine/table.h"
#include "core/sql/tables/table_factory.h"

#include <memory>

namespace helio::sql {

/// Which flows a table-valued function follows from a slice.
enum class FlowDirection {
    Both, ///< Flows from the slice and to it, and further in the same direction from slice to slice.
    Following, ///< Flows from the slice and the slices that it contains, and so on.
    Preceding, ///< Flows to the slice and the slices that contain it, and so on.
};

/// Returns a table-valued function of the id of a slice: the flows that are connected with it.
std::unique_ptr<Table> makeFlowFunction(const Recording& recording, FlowDirection direction);

} // namespace helio::sql
