#pragma once

#include "app/cli/fleet/fleet_options.h"
#include "core/base/result.h"
#include "core/fleet/catalogue.h"
#include "core/sql/engine/filter.h"

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Receives the rows of all traces.
class RowSink {
public:
    virtual ~RowSink() = default;

    /// Called once, before the first row, or before finish() if there are no rows. The first column is "trace".
    virtual Status begin(const std::vector<std::string>& columns) = 0;
    virtual Status row(const std::vector<sql::Value>& values) = 0;
    /// Called once at the end, after begin().
    virtual Status finish() = 0;
};

/// Returns the traces that the options select, in the order of the catalogue.
/// Errors: Usage if the condition is wrong; NotFound if there are none.
Result<std::vector<fleet::CataloguedTrace>> readSelectedTraces(const FleetOptions& options, sql::Database& catalogue);

struct QueryRunResult {
    std::size_t failed = 0; ///< Number of traces that could not be read completely. The reasons were printed.
    bool hasColumns = false; ///< False if no trace gave a result, not even one without rows: RowSink::begin() was not called then.
};

/// Warns of traces that could not be read completely, and returns the exit status of the program.
int exitStatusFor(std::size_t failed);

/// Runs the statements of the options over each trace, in processes of their own, and passes the rows to the sink in the order of the
/// traces. `folder`: temporary folder, in which rows wait for their turn.
/// Errors: Usage if the statements or options are wrong; those of the sink; Cancelled.
Result<QueryRunResult> runQuery(const FleetOptions& options, const std::vector<fleet::CataloguedTrace>& traces,
                                const std::filesystem::path& folder, RowSink& sink, const std::stop_token& stop);

} // namespace helio
