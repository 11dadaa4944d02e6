#pragma once

#include "core/xml_analysis/declared_kind.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio::xml {

/// How a rule of an analysis fared on a trace: a handler, a precondition or a transition.
struct RuleReport {
    Place place;
    std::string element; ///< "transition"
    std::string what; ///< "irq_handler_exit [same_line] -> done"
    std::uint64_t events = 0; ///< That it was tried at.
    std::uint64_t asked = 0; ///< Of them those at which it was decided: an earlier one may be taken first.
    std::uint64_t fired = 0; ///< At which it changed something, or was taken.
    std::vector<std::string> missing; ///< Fields that it asked for and that some of these events did not have.
    EventNames names{}; ///< Of the events that it is for.
    std::vector<std::string> neverThere{}; ///< Of `missing`, those that none of the events had at which it was decided.
};

/// What came of an analysis on a trace.
struct CheckReport {
    std::vector<RuleReport> rules; ///< In the order of the file.
    std::uint64_t attributes = 0;
    std::uint64_t segments = 0;
    std::vector<Diagnostic> problems; ///< That it met.
    std::vector<HostTimestamp> times; ///< When the rule fired that was asked for, in order, the first ones.
};

/// A rule whose firings are to be known.
struct RuleTimes {
    std::size_t rule = 0; ///< Its place in CheckReport::rules.
    std::size_t most = 0; ///< So many at most; RuleReport::fired counts all.
};

/// How the rules of a program fared, in the order of the file.
std::vector<RuleReport> rulesOf(const Program& program, const std::vector<RuleCount>& counts);

/// What the rules of an analysis did that has run. `times`: that it was to keep the times of.
CheckReport reportOf(const DeclaredKind& kind, DeclaredAnalysis& analysis, std::optional<RuleTimes> times = {});

/// Runs the analysis over the trace; nothing is kept. Cost: as reading the trace, and what the analysis takes.
CheckReport checkOn(const DeclaredKind& kind, const Trace& trace, std::stop_token stop = {}, std::optional<RuleTimes> times = {});

} // namespace helio::xml
