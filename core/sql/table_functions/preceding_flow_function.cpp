#include "core/sql/table_functions/flow_functions.h"

namespace helio::sql {

extern const TableFactory precedingFlowFunction;
const TableFactory precedingFlowFunction{"preceding_flow",
                                         [](const Recording& recording) { return makeFlowFunction(recording, FlowDirection::Preceding); }};

} // namespace helio::sql
