#include "core/sql/table_functions/flow_functions.h"

namespace helio::sql {

extern const TableFactory followingFlowFunction;
const TableFactory followingFlowFunction{"following_flow",
                                         [](const Recording& recording) { return makeFlowFunction(recording, FlowDirection::Following); }};

} // namespace helio::sql
