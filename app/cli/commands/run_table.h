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

/// What the commands that print a table share: opens, checks, prints, says what a view lacks. `fill` gets the views asked for, with a shape
/// those of that one. What the options ask for that is not there, `check` reports before anything is printed.
using FillTable = std::function<void(const OpenedExperiment&, const std::vector<std::string>& views, TableWriter&)>;
using TableColumns = std::function<std::vector<std::string>(const OpenedExperiment&)>; ///< Where they depend on what was recorded.
using CheckTable = std::function<Status(const OpenedExperiment&, const std::vector<std::string>& views)>;
int runTable(const RowTableOptions& options, std::vector<std::string> columns, const FillTable& fill, const CheckTable& check = {},
             std::optional<TrackView::Shape> shape = {});
int runTable(const RowTableOptions& options, const TableColumns& columns, const FillTable& fill, const CheckTable& check = {},
             std::optional<TrackView::Shape> shape = {});

/// An error where the filter asks rows, and what lasts on them, for what only events and some segments have.
Status checkFilterOfRows(const SelectionOptions& options);

/// A row's label; for people with the host, where there are several: names and TIDs are alike on all of them.
std::string labelOf(const Timeline& timeline, const Row& row, OutputFormat format);

/// The trace of a row, or of a segment of a store; nothing where that is of all traces together.
Cell traceCell(const Timeline& timeline, StoreIndex store, std::uint32_t trace);
Cell traceCell(const Timeline& timeline, const Row& row);

/// A row's id; for people with its label.
std::string nameOf(const Timeline& timeline, const Row& row, OutputFormat format);

} // namespace helio
