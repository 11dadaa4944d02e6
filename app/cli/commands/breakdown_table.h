#pragma once

#include "app/cli/output/table_writer.h"
#include "core/compare/breakdown.h"

#include <functional>
#include <optional>

namespace helio {

/// Returns `b` divided by `a`; nullopt if `a` is 0.
std::optional<double> ratio(Duration a, Duration b);

/// Writes the lines of a breakdown and their sum as a table. In JSON, `head` writes members before the rows.
void writeBreakdown(const Breakdown& breakdown, OutputFormat format, Output& output, const std::function<void(JsonWriter&)>& head);

} // namespace helio
