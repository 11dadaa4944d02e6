#pragma once

#include "app/cli/selection/kept_experiments.h"
#include "app/cli/selection/trace_options.h"
#include "app/cli/serve/index_files.h"
#include "app/cli/serve/request_queue.h"
#include "core/base/result.h"
#include "core/sql/engine/database.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

class ResponseWriter;
class CommandOutput;

/// Traces that a server keeps open as one experiment, and the requests about them. The functions for requests send the responses; if one
/// returns an error, the request could not begin and no response was sent.
/// Threads: to be used by the main thread.
class OpenTraces {
public:
    /// Opens the traces of the request, with its options for reading them, and sends `number` and the description of the traces.
    Status open(std::int64_t number, const RequestQueue::Task& task, ResponseWriter& responses);
    bool isOpen() const { return m_isOpen; } ///< True if open() succeeded.

    /// Runs statements and sends their rows. Tables and views that statements make stay until the traces are closed.
    Status sql(const RequestQueue::Task& task, ResponseWriter& responses);
    /// Runs the command that has the name of the request's method, and sends the rows of its table.
    Status table(const RequestQueue::Task& task, ResponseWriter& responses);
    /// Runs any command of isTableCommand() and sends what it prints, unchanged.
    Status command(const RequestQueue::Task& task, ResponseWriter& responses);
    /// Draws a picture and sends it.
    Status render(const RequestQueue::Task& task, ResponseWriter& responses);
    /// Sends a list of the files of the index, which read() then serves.
    Status index(const RequestQueue::Task& task, ResponseWriter& responses);
    /// Sends bytes of a file of the index. Requires: index() succeeded; otherwise, Usage.
    Status read(const RequestQueue::Task& task, ResponseWriter& responses);

    /// Opens the traces of the request with its options, runs statements, and closes the traces: prints what the command `sql` prints.
    static Status query(const RequestQueue::Task& task, ResponseWriter& responses);

    /// True if there is a command of this name that prints something about opened traces.
    static bool isTableCommand(std::string_view name);

private:
    Status readOptions(const ServeRequest& request);
    std::vector<std::string> lineOf(const std::string& command, const std::vector<std::string>& options) const;
    int run(CommandOutput& output, std::vector<std::string> line);
    Status makeDatabase(CommandOutput& output);

    std::vector<std::string> m_paths;
    std::vector<std::string> m_readingOptions; ///< Options for reading the traces, e.g. "--no-sync"; part of each command line.
    ReadingOptions m_reading; ///< m_readingOptions as parsed values.
    std::set<std::string> m_messages; ///< Messages of open(), which later responses do not repeat.
    KeptExperiments m_kept;
    std::unique_ptr<sql::Database> m_database; ///< Database for SQL; nullptr before the first query.
    std::optional<IndexFiles> m_index; ///< Files of the index; nullopt before the first index().
    bool m_isOpen = false;
};

} // namespace helio
