#pragma once

#include "core/xml_analysis/xml_analysis_kind.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio::xml {

/// Statistics of a rule of an analysis (a handler, a precondition or a transition) on a trace.
struct RuleReport {
    SourcePosition place;
    std::string element; ///< Name of the XML element, e.g. "transition".
    std::string what; ///< Description for the user, e.g. "irq_handler_exit [same_line] -> done".
    std::uint64_t events = 0; ///< Number of events at which the rule was tried.
    std::uint64_t asked = 0; ///< Number of events at which the rule was decided; fewer than `events` if an earlier rule was taken first.
    std::uint64_t fired = 0; ///< Number of times that the rule changed something or, as a transition, was taken.
    std::vector<std::string> missing; ///< Fields that the rule read and that some of these events did not have.
    EventNames names{}; ///< Names of the events that the rule is for.
    std::vector<std::string> alwaysMissing{}; ///< Fields of `missing` that no event had at which the rule was decided.
};

/// Result of running an analysis on a trace.
struct CheckReport {
    std::vector<RuleReport> rules; ///< In file order.
    std::uint64_t attributes = 0;
    std::uint64_t segments = 0;
    std::vector<Diagnostic> problems; ///< Problems that the analysis met.
    /// Times of the first firings of the rule that was requested with FiringTimesRequest, in order; empty if none was requested.
    std::vector<HostTimestamp> times;
};

/// A rule whose firing times are recorded.
struct FiringTimesRequest {
    std::size_t rule = 0; ///< Index into CheckReport::rules.
    std::size_t most = 0; ///< Maximum number of recorded times; RuleReport::fired counts all firings.
};

/// Returns the statistics of a program's rules, in file order.
std::vector<RuleReport> makeRuleReports(const Program& program, const std::vector<RuleStatistics>& counts);

/// Returns the report of an analysis that has run. `times` is the rule whose times it was told to keep. `attributes` and `segments` stay 0.
CheckReport makeCheckReport(const XmlAnalysisKind& kind, XmlAnalysis& analysis, std::optional<FiringTimesRequest> times = {});

/// Runs the analysis over the trace and returns what its rules did; the result is not kept.
/// Cost: reads the trace once, in addition to the work of the analysis.
CheckReport checkAnalysis(const XmlAnalysisKind& kind, const Trace& trace, std::stop_token stop = {},
                          std::optional<FiringTimesRequest> times = {});

} // namespace helio::xml
