#pragma once

#include "core/query/rows/row_notes.h"

#include <QString>

namespace helio {

/// Returns the tooltip of a virtual machine or a vCPU, which says where it runs and how that is known: "web runs in process 171 of nest:
/// set by hand". Empty if the note does not say it.
QString machineTooltip(const Timeline& timeline, const Row& row, const RowNote& note);

} // namespace helio
