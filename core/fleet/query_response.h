#pragma once

#include "core/base/result.h"
#include "core/sql/engine/filter.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Reading of responses that `heliograph serve --stdio` sends to the request `query` (resources/guide/serve.md): lines with the names of
/// the columns and with rows, and a last line with the status.
namespace helio::fleet {

/// Content of the last response to a request.
struct QueryEnd {
    bool isUsageError = false; ///< True if the statements or options are wrong.
    int status = 0; ///< Exit status of `heliograph sql`, unless isUsageError: 1 if a part of the trace could not be read.
    std::vector<std::string> messages; ///< Messages of `heliograph sql` to standard error, in their order.
};

/// Reads the end of a query from a response. Returns nullopt for the responses before the last one.
/// Errors: Corrupt if the line is no response.
Result<std::optional<QueryEnd>> readQueryEnd(std::string_view line);

/// Receives the rows of responses.
struct QueryRowReceiver {
    std::function<Status(std::vector<std::string>&& columns)> columns; ///< Called once, before the rows.
    std::function<Status(std::vector<sql::Value>& values)> row; ///< May change `values`, which are not used again.
};

/// Passes the columns and rows of a response to the receiver.
/// Errors: those of the receiver; Corrupt if the line is no response.
Status readQueryRows(std::string_view line, const QueryRowReceiver& receiver);

} // namespace helio::fleet
