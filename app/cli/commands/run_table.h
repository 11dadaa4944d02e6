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

/// runTable() runs a command that prints a table: opens the traces, checks the options and prints the table. If a view has no rows,
/// prints which events were not recorded. `fill` receives the requested views; with `shape`, only views of that shape. `check` runs before
/// any output and reports options that name something that does not exist.
using FillTable = std::function<void(const OpenedExperiment&, const std::vector<std::string>& views, TableWriter&)>;
/// Function that returns the columns of a table, for tables whose columns depend on the recorded data.
using TableColumns = std::function<std::vector<std::string>(const OpenedExperiment&)>;
using CheckTable = std::function<Status(const OpenedExperiment&, const std::vector<std::string>& views)>;
int runTable(const RowTableOptions& options, std::vector<std::string> columns, const FillTable& fill, const CheckTable& check = {},
             std::optional<TrackView::Shape> shape = {});
int runTable(const RowTableOptions& options, const TableColumns& columns, const FillTable& fill, const CheckTable& check = {},
             std::optional<TrackView::Shape> shape = {});

/// Checks that --filter uses only what rows and intervals have (names, state, duration, time).
/// Errors: Usage if the filter uses fields that only events and some segments have.
Status checkFilterOfRows(const SelectionOptions& options);

/// Returns the label of a row. In text output, includes the host if there are several, because names and TIDs may be equal on several
/// hosts.
std::string labelOf(const Timeline& timeline, const Row& row, OutputFormat format);

/// Returns the cell with the trace of a row or segment; an empty cell if its store belongs to all traces together.
Cell traceCell(const Timeline& timeline, StoreIndex store, std::uint32_t trace);
Cell traceCell(const Timeline& timeline, const Row& row);

/// Returns the id of a row; in text output, followed by the label.
std::string nameOf(const Timeline& timeline, const Row& row, OutputFormat format);

} // namespace helio
