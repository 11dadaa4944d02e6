#pragma once

#include "core/findings/finding.h"
#include "widgets/time/finding_marks.h"

#include <memory>

namespace helio {

/// Returns the marks of a finding: of the occurrences in its evidence, and of its rows. `rank`: rank in the shown list, from 1.
std::shared_ptr<const FindingMarks> makeFindingMarks(const Finding& finding, int rank);

} // namespace helio
