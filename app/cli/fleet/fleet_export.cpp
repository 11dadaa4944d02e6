#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/fleet/fleet_options.h"
#include "app/cli/fleet/query_run.h"
#include "app/cli/interrupts.h"
#include "app/cli/output/output.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/open_experiment.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/export/export_file.h"
#include "core/fleet/catalogue_export.h"
#include "core/fleet/partitioned_files.h"
#include "core/io/leftovers.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <unistd.h>

namespace helio {
namespace {

namespace fs = std::filesystem;

/// Name of the file that marks the folder of an export. Hive and Spark skip names that begin with an underscore.
constexpr const char* MarkName = "_heliograph_export";
constexpr const char* ResultName = "result"; ///< Name of the table with the rows of the statements.

/// Returns a file in an export that heliograph did not write; empty if there is none. A file that cannot be read counts as one.
fs::path foreignFile(const fs::path& folder)
{
    std::error_code error;
    fs::recursive_directory_iterator it(folder, error);
    for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
        const std::string name = it->path().filename().string();
        const bool isFolder = it->is_directory(error) && !it->is_symlink(error);
        bool isOurs = false;
        switch (it.depth()) {
        case 0: isOurs = isFolder ? name == ResultName || fleet::isExportedTable(name) : name == MarkName; break;
        case 1: isOurs = isFolder && name.starts_with("day="); break;
        case 2: isOurs = isFolder && name.starts_with("host="); break;
        default: isOurs = !isFolder && name == fleet::PartitionFile; break;
        }
        if (!isOurs)
            return it->path();
    }
    return error ? folder : fs::path();
}

/// Checks that an export may be written to a folder.
Status checkTarget(const fs::path& target, bool replaces)
{
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (!fs::exists(status))
        return Done{};
    if (!fs::is_directory(status))
        return makeUsageError("--output", target.string() + " is not a folder");
    if (fs::is_empty(target, error) && !error)
        return Done{};
    if (error)
        return cannotWrite(target, error.value());
    if (!replaces)
        return makeUsageError("--output", target.string() + " is not empty. Use --force to replace an earlier export");
    if (!fs::exists(target / MarkName, error))
        return makeUsageError("--force", target.string() + " is not empty, and not an export of heliograph");
    if (const fs::path foreign = foreignFile(target); !foreign.empty())
        return makeUsageError("--force", foreign.string() + " is not part of an export, and would be lost. Move it elsewhere first");
    return Done{};
}

/// Writes the rows of the statements over each trace.
class PartitionedRows final : public RowSink {
public:
    PartitionedRows(fs::path folder, std::stop_token stop)
        : m_folder(std::move(folder))
        , m_stop(std::move(stop))
    {
    }

    /// Returns the partition of a trace, and remembers it.
    const std::string& partitionOf(const fleet::CataloguedTrace& trace)
    {
        std::string& partition = m_partitions[trace.path];
        if (partition.empty())
            partition = fleet::partitionOf(trace.day, trace.host);
        return partition;
    }

    Status begin(const std::vector<std::string>& columns) override
    {
        for (const std::string& name : columns)
            for (const char* const folder : {"day", "host"})
                if (::strcasecmp(name.c_str(), folder) == 0)
                    return Error{Error::Kind::Usage, fmt::format("the column \"{}\" is one of the folders; rename it with AS", name)};
        m_files.emplace(m_folder, columns, m_stop);
        return Done{};
    }
    Status row(const std::vector<sql::Value>& values) override
    {
        return m_files->addRow(m_partitions.at(std::get<std::string>(values[0])), values);
    }
    Status finish() override { return m_files->finish(); }

    fleet::ExportedTable written() const { return {ResultName, m_files ? m_files->rows() : 0, m_files ? m_files->files() : 0}; }

private:
    fs::path m_folder;
    std::stop_token m_stop;
    std::map<std::string, std::string> m_partitions; ///< Partitions by the path of the trace.
    std::optional<fleet::PartitionedFiles> m_files;
};

/// Runs the statements over the traces, and writes their rows below `folder`.
Result<fleet::ExportedTable> exportRows(const FleetOptions& options, sql::Database& catalogue, const fs::path& folder,
                                        const std::stop_token& stop, std::size_t& failed)
{
    auto traces = readSelectedTraces(options, catalogue);
    if (!traces)
        return traces.error();
    std::error_code error;
    const TemporaryFolder waiting(fs::temp_directory_path(error), "heliograph-fleet-");
    if (error || !waiting.isMade())
        return Error{Error::Kind::Unreadable,
                     "cannot create a temporary folder: " + (error ? error.message() : std::string(std::strerror(errno)))};
    PartitionedRows rows(folder / ResultName, stop);
    for (const fleet::CataloguedTrace& trace : *traces) // Sorting a single trace asks for no partition.
        rows.partitionOf(trace);
    std::ranges::stable_sort(*traces, {}, [&](const fleet::CataloguedTrace& trace) { return rows.partitionOf(trace); });
    const auto run = runQuery(options, *traces, waiting.path(), rows, stop);
    if (!run)
        return run.error();
    failed = run->failed;
    if (failed == traces->size() && rows.written().rows == 0)
        return Error{Error::Kind::Unreadable, "the statement failed for each trace, so nothing was exported"};
    return rows.written();
}

Status writeMark(const fs::path& folder, const FleetOptions& options)
{
    ExportFile file(folder / MarkName, {});
    JsonWriter json(file.buffer());
    json.beginObject();
    json.member("heliograph", version());
    json.member("catalogue", options.catalogue.string());
    json.endObject();
    file.write("\n");
    return file.close();
}

/// Puts the folder `written` in the place of the folder `target`, and removes the earlier content.
/// Errors: `target` is then what it was, unless the error says where its content is.
Status replaceFolder(const fs::path& written, const fs::path& target)
{
    if (::renameat2(AT_FDCWD, written.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0)
        return Done{}; // The earlier export is now in the temporary folder, which is removed.
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
        return cannotWrite(target, errno);
    // File systems such as NFS cannot exchange folders. The folder `earlier` is the only copy until the new export is in place, so its name
    // is none of those that removeLeftovers() removes.
    const fs::path earlier = target.string() + fmt::format(".earlier-{}", ::getpid());
    if (::rename(target.c_str(), earlier.c_str()) != 0)
        return cannotWrite(target, errno);
    if (::rename(written.c_str(), target.c_str()) != 0) {
        Error error = cannotWrite(target, errno);
        if (::rename(earlier.c_str(), target.c_str()) != 0)
            error.what += ". The earlier export is in " + earlier.string();
        return error;
    }
    std::error_code error;
    fs::remove_all(earlier, error);
    return error ? Status(cannotWrite(earlier, error.value())) : Done{};
}

/// Gives the written folder its name.
/// Errors: as checkTarget(), because another program may have put something there in the meantime.
Status putInPlace(const fs::path& written, const fs::path& target, bool replaces)
{
    if (Status checked = checkTarget(target, replaces); !checked)
        return checked;
    std::error_code error;
    const fs::file_status earlier = fs::status(target, error);
    const bool isReplaced = fs::exists(earlier) && replaces && !fs::is_empty(target, error);
    if (isReplaced) {
        if (Status replaced = replaceFolder(written, target); !replaced)
            return replaced;
    } else if (::rename(written.c_str(), target.c_str()) != 0) { // rename() replaces a folder only if it is empty.
        return cannotWrite(target, errno);
    }
    error.clear();
    if (fs::exists(earlier)) // The folder keeps its permissions.
        fs::permissions(target, earlier.permissions(), error);
    return error ? Status(cannotWrite(target, error.value())) : Done{};
}

Result<std::vector<fleet::ExportedTable>> writeFolder(const FleetOptions& options, sql::Database& catalogue, const std::stop_token& stop,
                                                      std::size_t& failed)
{
    std::error_code error;
    fs::path target = fs::weakly_canonical(options.output, error);
    if (!target.has_filename()) // "lake/"
        target = target.parent_path();
    if (error)
        return cannotWrite(options.output, error.value());
    if (const Status checked = checkTarget(target, options.replaces); !checked)
        return checked.error();
    const TemporaryFolder temporary(target.parent_path(), ".heliograph-export-");
    if (!temporary.isMade())
        return cannotWrite(target, errno);
    const fs::path folder = temporary.path() / "export"; // The temporary folder itself can only be read by its owner.
    fs::create_directory(folder, error);
    if (error)
        return cannotWrite(folder, error.value());
    auto tables = fleet::exportTables(catalogue, options.condition, folder, stop);
    if (!tables && tables.error().kind == Error::Kind::Usage && !options.condition.empty())
        return makeUsageError("--where", tables.error().what);
    if (!tables)
        return tables;
    if (!options.statements.empty()) {
        const auto rows = exportRows(options, catalogue, folder, stop, failed);
        if (!rows)
            return rows.error();
        tables->push_back(*rows);
    }
    if (const Status marked = writeMark(folder, options); !marked)
        return marked.error();
    if (::syncfs(temporary.descriptor()) != 0)
        return cannotWrite(target, errno);
    if (stop.stop_requested())
        return Error{Error::Kind::Cancelled, "cancelled"};
    if (const Status placed = putInPlace(folder, target, options.replaces); !placed)
        return placed.error();
    return tables;
}

} // namespace

int exportFleet(const FleetOptions& options)
{
    const auto catalogue = fleet::openForQueries(options.catalogue);
    if (!catalogue)
        return failWith(catalogue.error());
    Interrupts interrupts(Interrupts::Kind::First);
    const StopAtInterrupt interrupted(interrupts);
    std::size_t failed = 0;
    const auto tables = writeFolder(options, **catalogue, interrupted.token(), failed);
    if (!tables)
        return Interrupts::exitStatusOr(failWith(tables.error()));
    Output output;
    {
        TableWriter table(output, options.format.output, {"table", "rows", "files"}, TimeStyle());
        for (const fleet::ExportedTable& it : *tables)
            table.row({it.name, Cell::count(it.rows), Cell::count(it.files)});
    }
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return exitStatusFor(failed);
}

} // namespace helio
