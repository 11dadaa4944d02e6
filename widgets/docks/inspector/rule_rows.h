#pragma once

#include "widgets/code/code_pane.h"
#include "widgets/workspace/analysis_list.h"

#include <optional>
#include <vector>

namespace helio {

/// Whether any rule asked for a field that events did not have: without one the column of those would only take room.
bool isAnyMissing(const std::vector<RuleFacts>& rules);
/// The columns that stand before the source of an analysis.
std::vector<CodeColumn> ruleColumns(bool withMissing);

/// The source, line by line, with what came of each rule beside the line that it stands in; without `rules` as it is. `problems`: of this
/// file.
std::vector<CodeRow> ruleRows(const QString& source, const std::vector<RuleFacts>& rules, const std::vector<AnalysisProblem>& problems);

/// The rule that stands in a line, from 1. Nothing: none.
std::optional<std::size_t> ruleAt(const std::vector<RuleFacts>& rules, int line);

/// "12 rules, 3 never fired, 1 lacks fields".
QString sumOf(const std::vector<RuleFacts>& rules);

} // namespace helio
