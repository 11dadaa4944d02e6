#pragma once

#include "widgets/workspace/analysis_list.h"

#include <vector>

namespace helio {

class NoticeBar;

/// Returns the first problem that is an error; nullptr if there is none.
const AnalysisProblem* firstError(const std::vector<AnalysisProblem>& problems);

/// Shows the errors in analysis files in the notice bar, with the links "edit", "inspect" and "messages"; hides the bar if there is none.
void showNotice(NoticeBar& bar, const std::vector<AnalysisProblem>& problems);

} // namespace helio
