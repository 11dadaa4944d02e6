#pragma once

#include "app/cli/output/table_writer.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/row_selection.h"
#include "app/cli/selection/table_options.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// Runs a command that prints a table: opens the traces, checks the options, prints the table and tells the user what a view lacks. `fill`
/// gets the requested views, with `shape` only views of that shape. `check` reports requested things that do not exist before anything is
/// printed.
using FillTable = std::function<void(const OpenedExperiment&, const std::vector<std::string>& views, TableWriter&)>;
using TableColumns = std::function<std::vector<std::string>(const OpenedExperiment&)>; ///< Columns that depend on what was recorded.
using CheckTable = std::function<Status(const OpenedExperiment&, const std::vector<std::string>& views)>;
int runTable(const RowTableOptions& options, std::vector<std::string> columns, const FillTable& fill, const CheckTable& check = {},
             std::optional<TrackView::Shape> shape = {});
int runTable(const RowTableOptions& options, const TableColumns& columns, const FillTable& fill, const CheckTable& check = {},
             std::optional<TrackView::Shape> shape = {});

/// Checks that --filter asks only for facts of rows and their intervals.
/// Errors: Usage if it asks for something that only events and some segments have.
Status checkFilterOfRows(const SelectionOptions& options);

/// Label of a row; in text output with the host if there are several hosts, since names and TIDs are alike on all hosts.
std::string labelOf(const Timeline& timeline, const Row& row, OutputFormat format);

/// Trace of a row, or of a segment of a store; an empty cell if it belongs to all traces together.
Cell traceCell(const Timeline& timeline, StoreIndex store, std::uint32_t trace);
Cell traceCell(const Timeline& timeline, const Row& row);

/// Id of a row; in text output followed by its label.
std::string nameOf(const Timeline& timeline, const Row& row, OutputFormat format);

} // namespace helio
