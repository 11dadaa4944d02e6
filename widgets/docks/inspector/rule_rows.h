#pragma once

#include "widgets/code/code_pane.h"
#include "widgets/workspace/analysis_list.h"

#include <optional>
#include <vector>

namespace helio {

/// True if any rule reads a field that its events do not have. Otherwise the column of missing fields is omitted.
bool hasMissingFields(const std::vector<RuleFacts>& rules);
/// Returns the columns to the left of an analysis's source. `withMissing`: includes the column of missing fields.
std::vector<CodeColumn> ruleColumns(bool withMissing);

/// Returns the lines of an analysis's source, each with the results of the rules in this line; without results if `rules` is empty.
/// `problems`: errors in this file.
std::vector<CodeRow> ruleRows(const QString& source, const std::vector<RuleFacts>& rules, const std::vector<AnalysisProblem>& problems);

/// Returns the index of the rule in line number `line`, counted from 1; nullopt if there is none.
std::optional<std::size_t> findRule(const std::vector<RuleFacts>& rules, int line);

/// Returns a summary of the rules, e.g. "12 rules, 3 never fired, 1 lacks fields".
QString summarizeRules(const std::vector<RuleFacts>& rules);

} // namespace helio
