#pragma once

#include "app/cli/selection/format_options.h"
#include "app/cli/selection/option_list.h"
#include "app/cli/selection/trace_options.h"
#include "core/fleet/trace_summary.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// Options of `fleet add`, `fleet sql`, `fleet run` and `fleet export`.
struct FleetOptions {
    enum class Action : std::uint8_t { Add, Sql, Run, Export };

    Action action = Action::Add;
    std::filesystem::path catalogue;
    std::vector<std::filesystem::path> sources; ///< Sources that `add` adds: recordings, folders, lists, and files of summaries.
    std::string statements; ///< Statements that `sql`, `run` and `export` run; empty for an export of the catalogue alone.
    std::vector<fleet::SummaryTag> tags; ///< Tags that `add` gives to the traces.
    std::string condition; ///< Expression of SQL that selects the traces for `run` and `export`; empty for all.
    std::string merge; ///< Statements over the table `result`, which `run` runs at the end; empty to print all rows.
    std::filesystem::path output; ///< Folder that `export` writes.
    bool replaces = false; ///< True if `export` may replace an earlier export.
    ReadingOptions reading;
    FormatOptions format{"fleet"};

    void addTo(OptionList& options);
    std::string missing() const;
    Status read();

private:
    Status readWords();
    Status checkAction() const;

    std::vector<std::filesystem::path> m_words;
    std::vector<std::string> m_tags;
};

/// Adds summaries to the catalogue, and prints what was added. Returns the exit status of the program.
int addToFleet(const FleetOptions& options);

/// Runs the statements over each trace of the catalogue, in processes of their own, and prints the rows. Returns the exit status of the
/// program.
int runOverFleet(const FleetOptions& options);

/// Writes the tables of the catalogue, and the rows of the statements over each trace if there are any, as CSV files in folders by day and
/// host, and prints what was written. Returns the exit status of the program.
int exportFleet(const FleetOptions& options);

} // namespace helio
