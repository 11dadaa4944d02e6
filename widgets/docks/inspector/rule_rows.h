#pragma once

#include "widgets/code/code_pane.h"
#include "widgets/workspace/analysis_list.h"

#include <optional>
#include <vector>

namespace helio {

/// True if any rule asked for a field that events did not have. If not, the column of missing fields is left out.
bool hasMissingFields(const std::vector<RuleFacts>& rules);
/// Returns the columns left of the source of an analysis. `withMissing`: includes the column of missing fields.
std::vector<CodeColumn> ruleColumns(bool withMissing);

/// Returns the source line by line, each with the results of the rules in it; without results if `rules` is empty. `problems`: of this
/// file.
std::vector<CodeRow> ruleRows(const QString& source, const std::vector<RuleFacts>& rules, const std::vector<AnalysisProblem>& problems);

/// Returns the index of the rule in a line, counted from 1; empty if there is none.
std::optional<std::size_t> findRule(const std::vector<RuleFacts>& rules, int line);

/// Returns e.g. "12 rules, 3 never fired, 1 lacks fields".
QString summarizeRules(const std::vector<RuleFacts>& rules);

} // namespace helio
