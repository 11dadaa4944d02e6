#pragma once

#include "core/xml_analysis/xml_analysis_kind.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio::xml {

/// Statistics of a rule of an analysis that was executed on a trace. A rule is a handler, a precondition or a transition.
struct RuleReport {
    SourcePosition place;
    std::string element; ///< Name of the XML element, for example "transition".
    std::string what; ///< Description for the user, for example "irq_handler_exit [same_line] -> done".
    /// Number of events to which the rule applies: events with a name that the rule lists. For a transition, a scenario must also be in the
    /// state from which the transition starts.
    std::uint64_t events = 0;
    /// Number of events for which the rule's conditions were evaluated; fewer than `events` if an earlier rule was taken first.
    std::uint64_t asked = 0;
    std::uint64_t fired = 0; ///< Number of times that the rule changed something or, for a transition, was taken.
    std::vector<std::string> missing; ///< Fields that the rule reads and that some of the evaluated events do not have.
    EventNames names{}; ///< Names of the events to which the rule applies.
    std::vector<std::string> alwaysMissing{}; ///< Fields in `missing` that none of the evaluated events has.
};

/// Result of executing an analysis on a trace.
struct CheckReport {
    std::vector<RuleReport> rules; ///< Statistics of the rules, in file order.
    std::uint64_t attributes = 0;
    std::uint64_t segments = 0;
    std::vector<Diagnostic> problems; ///< Problems that occurred while the analysis ran.
    /// Times at which the requested rule (FiringTimesRequest) fired, in time order, up to the requested number; empty if no times were
    /// requested.
    std::vector<HostTimestamp> times;
};

/// Request to record the times at which one rule fires.
struct FiringTimesRequest {
    std::size_t rule = 0; ///< Index of the rule in CheckReport::rules.
    std::size_t most = 0; ///< Maximum number of recorded times. (RuleReport::fired counts all firings.)
};

/// Returns the statistics of a program's rules as reports, in file order.
std::vector<RuleReport> makeRuleReports(const Program& program, const std::vector<RuleStatistics>& counts);

/// Returns the report of an analysis that has run. `times` is the request with which the analysis ran. The members `attributes` and
/// `segments` of the report stay 0; checkAnalysis() sets them.
CheckReport makeCheckReport(const XmlAnalysisKind& kind, XmlAnalysis& analysis, std::optional<FiringTimesRequest> times = {});

/// Runs the analysis on the trace and returns the statistics of its rules; the analysis's output is discarded.
/// Cost: reads the trace once, in addition to the work of the analysis.
CheckReport checkAnalysis(const XmlAnalysisKind& kind, const Trace& trace, std::stop_token stop = {},
                          std::optional<FiringTimesRequest> times = {});

} // namespace helio::xml
