#pragma once

#include "widgets/workspace/analysis_list.h"

#include <vector>

namespace helio {

class NoticeBar;

/// The first of them that is an error; null: none is.
const AnalysisProblem* firstError(const std::vector<AnalysisProblem>& problems);

/// Says across the window what is wrong with the files of analyses, with links "edit", "inspect" and "messages"; nothing where nothing is.
void showNotice(NoticeBar& bar, const std::vector<AnalysisProblem>& problems);

} // namespace helio
