#pragma once

#include "core/experiment/timeline.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Type of an output, which determines the requests that it answers.
enum class OutputType {
    TimeGraph, ///< Rows with states and arrows.
    Chart, ///< Curves over time.
    Table, ///< Lines with columns.
    DataTree, ///< A tree with columns of numbers.
};

/// A view of an experiment that clients can show.
struct ServedOutput {
    std::string id;
    std::string name;
    std::string description;
    OutputType type = OutputType::TimeGraph;
    std::string view; ///< ID of the view that the output shows; empty if it shows none.
};

// Outputs that are no views of an analysis. Their ids have a prefix that no view has.
inline constexpr std::string_view EventsOutput = "heliograph.events"; ///< Table of all events.
/// Chart of the number of events over time. The viewer of VS Code shows the output with this id as the overview of a trace.
inline constexpr std::string_view HistogramOutput = "org.eclipse.tracecompass.internal.tmf.core.histogram.HistogramDataProvider";
inline constexpr std::string_view CpuUsageOutput = "heliograph.cpu-usage"; ///< Chart of the use of all CPUs of each host.
inline constexpr std::string_view EventCountsOutput = "heliograph.event-counts"; ///< Tree of the number of events by type.
inline constexpr std::string_view StateTimesPrefix =
    "heliograph.state-times."; ///< Tree of durations by row and state; a view's id follows.

/// Returns the outputs of an experiment, in the order in which clients show them. Views without rows are left out once the traces are
/// indexed.
/// Cost: makes the rows of each view.
std::vector<ServedOutput> outputsOf(const Timeline& timeline);

/// Returns the output with an id; nullopt if there is none. Finds all outputs of outputsOf(), and views that have no rows.
std::optional<ServedOutput> findOutput(const Timeline& timeline, std::string_view id);

/// Returns the word for the type of an output in the protocol, e.g. "TIME_GRAPH".
std::string_view wordOf(OutputType type);

} // namespace helio
