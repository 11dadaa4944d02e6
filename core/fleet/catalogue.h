#pragma once

#include "core/base/result.h"
#include "core/fleet/trace_summary.h"
#include "core/sql/engine/database.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio::fleet {

/// Result of adding a summary to a catalogue.
enum class Addition : std::uint8_t {
    New, ///< The trace was not in the catalogue.
    Updated, ///< The summary replaced an older one of the same trace.
    Unchanged, ///< The catalogue had this summary, or a newer one.
    Unreadable, ///< The summary says why a trace could not be read.
};

/// A trace of a catalogue.
struct CataloguedTrace {
    std::int64_t id = 0;
    std::string path;
    std::string day; ///< Day of its begin in UTC, as YYYY-MM-DD; empty if unknown.
    std::string host; ///< Name of the recorded host; empty if not recorded.
};

/// Summaries of traces in an SQLite file, whose tables resources/guide/fleet.md describes. A trace is recognized by its identity: its
/// summary replaces an older one. Several processes may add to a catalogue at the same time.
///
/// Threads: to be used by one thread.
/// Errors: those of sql::SharedDatabase; Unsupported if the file is a database of another kind or version.
class Catalogue {
public:
    /// Opens a catalogue, or creates it, to add summaries.
    static Result<std::unique_ptr<Catalogue>> open(const std::filesystem::path& path);
    virtual ~Catalogue() = default;

    /// Adds summaries in one transaction: all or none of them. Passes the result of each to `told`, in order, if it is set.
    /// Cost: about 0.1 ms for each summary, and a write to the disk.
    virtual Status add(std::span<const TraceSummary> summaries, const std::function<void(Addition)>& told = {}) = 0;
};

/// True if a file begins like a catalogue of any version. Reads its first bytes only.
bool isCatalogue(const std::filesystem::path& path);

/// Opens a catalogue for queries of users: with its tables, the views of fleetViews(), and the functions of digests. Users cannot change
/// the catalogue. `stop`: a request ends the wait for a process that holds the file, with the error Cancelled.
Result<std::unique_ptr<sql::Database>> openForQueries(const std::filesystem::path& path, const std::stop_token& stop = {});

/// Returns the readable traces of a catalogue, in the order in which they were added; of traces with the same path, the newest.
/// `condition`: expression of SQL over the table `trace`; empty for all.
/// Errors: Usage if the condition is wrong.
Result<std::vector<CataloguedTrace>> readTraces(sql::Database& catalogue, const std::string& condition = {});

} // namespace helio::fleet
