#pragma once

#include "app/cli/output/table_writer.h"
#include "core/sql/engine/database.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>

namespace helio {

/// Returns a receiver that prints the rows of a query as a table. The table is complete when the receiver is destroyed.
std::unique_ptr<sql::RowReceiver> makeRowPrinter(Output& output, OutputFormat format);

/// Runs statements and prints the rows of the last one on standard output.
/// Errors: those of Database::run(); Unreadable if standard output cannot be written to.
Status printResult(sql::Database& database, std::string_view statements, OutputFormat format, std::stop_token stop = {});

/// Reads statements and commands from standard input until its end, and runs each of them. On a terminal, lines can be edited, and Ctrl-C
/// cancels the statement that runs. Errors are printed and end nothing. Returns the exit status: ExitInput if a statement failed that did
/// not come from a terminal.
/// `afterStatement` is called with each statement that succeeded.
int runSqlPrompt(sql::Database& database, OutputFormat format, std::function<void(std::string_view statement)> afterStatement);

} // namespace helio
