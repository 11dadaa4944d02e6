#pragma once

#include "core/base/result.h"
#include "core/fleet/fleet_table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {
class Expression;
}

namespace helio::fleet {

/// An expression (core/query/filters/expression.h) over the traces of a table.
///
/// Fields: the columns of the table `trace` in catalogues; `time` and `duration` for begin_ns and duration_ns; `finding`, `finder` and
/// `subject` of any finding; `share` and `explained` of the first one; `wakeup`, `syscall` and `block` for the longest latency, and
/// wakeup.p99 for its percentile; each other name is a tag. Words without an operator are searched in all texts.
///
/// Immutable.
/// Threads: any at once; the table outlives the expression.
class FleetExpression {
public:
    /// Parses an expression; an empty text matches each trace.
    /// Errors: Usage; the text names the column, or the field that no trace has.
    static Result<FleetExpression> parse(std::string_view text, const FleetTable& table);

    bool matches(const FleetTrace& trace) const;

private:
    std::shared_ptr<const Expression> m_expression; ///< nullptr if each trace matches.
    Timestamp m_begin{}; ///< Begin of the first trace, from which times like "+1.5s" count.
};

/// Conditions that traces in a list must fulfil, all of them.
struct FleetConditions {
    std::string expression{}; ///< Text of a FleetExpression; empty for none.
    std::string finder{}; ///< Id of a finder that found something; empty for any.
    std::string host{}; ///< Name of the host; empty for any.
    std::optional<Duration> latency{}; ///< Least longest latency of the kind `latencyKind`.
    LatencyKind latencyKind = LatencyKind::Scheduling;
    bool hasFindings = false; ///< True to list traces with findings only.
    bool isNewest = false; ///< True to list only the newest trace of each host.
    std::optional<Duration> age{}; ///< Longest time from a trace's begin to the begin of the newest trace; nullopt for any.

    bool operator==(const FleetConditions&) const = default;
};

/// Returns the indexes of the traces that fulfil the conditions, in the order of the table.
/// Threads: any.
/// Errors:  Usage if the expression is wrong; Cancelled.
Result<std::vector<std::uint32_t>> filterFleet(const FleetTable& table, const FleetConditions& conditions,
                                               const std::stop_token& stop = {});

} // namespace helio::fleet
