#include "core/sql/table_functions/flow_functions.h"

namespace helio::sql {

extern const TableFactory directlyConnectedFlowFunction;
const TableFactory directlyConnectedFlowFunction{
    "directly_connected_flow", [](const Recording& recording) { return makeFlowFunction(recording, FlowDirection::Both); }};

} // namespace helio::sql
