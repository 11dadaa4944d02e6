#pragma once

#include "app/cli/output/table_writer.h"
#include "core/compare/ledger.h"

#include <functional>
#include <optional>

namespace helio {

/// Of B to A; nothing without anything to divide by.
std::optional<double> ratio(Duration a, Duration b);

/// The lines of a ledger and their sum as a table; `head` stands before them in json.
void writeLedger(const Ledger& ledger, OutputFormat format, Output& output, const std::function<void(JsonWriter&)>& head);

} // namespace helio
