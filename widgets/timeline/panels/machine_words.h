#pragma once

#include "core/query/rows/row_notes.h"

#include <QString>

namespace helio {

/// Where a virtual machine or a vCPU runs and how that is known, for a tooltip: "web runs in process 171 of nest: set by hand". Empty: the
/// note says nothing of that.
QString machineWords(const Timeline& timeline, const Row& row, const RowNote& note);

} // namespace helio
