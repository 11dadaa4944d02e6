#include "core/fleet/catalogue_export.h"

#include "core/fleet/partitioned_files.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace helio::fleet {
namespace {

struct TableQuery {
    const char* name;
    const char* columns; ///< Columns of the files.
    const char* joined; ///< Joins the table with `trace`; empty for that table.
    const char* order; ///< Order of the rows in a file.
};

constexpr std::array Tables{
    TableQuery{"trace",
               "trace.id, identity, path, machine, host AS host_name, boot, kernel, uuid, format, reader, begin_ns, end_ns, duration_ns, "
               "traces, events, lost_events, lost_packets, gaps, streams, cpus, bytes, cpu_busy_share, findings, error, indexed_ns, "
               "indexed_by, store_version",
               "", "trace.id"},
    TableQuery{"finding",
               "trace_id, rank, finder, subject, text, detail, finding.host AS host_name, explained_ns, share, finding.begin_ns, "
               "finding.end_ns, occurrences, color, check_with",
               " JOIN finding ON trace_id = trace.id", "trace_id, rank"},
    TableQuery{"digest", "trace_id, kind, name, count, total_ns, min_ns, p50_ns, p90_ns, p99_ns, max_ns, histogram",
               " JOIN digest ON trace_id = trace.id", "trace_id, kind, name"},
    TableQuery{"quality", "trace_id, text, is_problem", " JOIN quality ON trace_id = trace.id", "trace_id, quality.rowid"},
    TableQuery{"tag", "trace_id, name, value", " JOIN tag ON trace_id = trace.id", "trace_id, name"},
};

/// Returns a text; empty for any other value.
std::string_view textOrEmpty(const sql::Value& value)
{
    const auto* const text = std::get_if<std::string>(&value);
    return text ? std::string_view(*text) : std::string_view();
}

/// Writes rows, whose first value is the partition.
class RowWriter final : public sql::RowReceiver {
public:
    RowWriter(std::filesystem::path folder, std::stop_token stop)
        : m_folder(std::move(folder))
        , m_stop(std::move(stop))
    {
    }

    void columns(std::span<const std::string> names) override { m_files.emplace(m_folder, names.subspan(1), m_stop); }
    bool row(std::span<const sql::Value> values) override
    {
        m_status = m_files->addRow(textOrEmpty(values[0]), values.subspan(1));
        return bool(m_status);
    }
    Status finish() { return m_status && m_files ? m_files->finish() : m_status; }

    std::uint64_t rows() const { return m_files ? m_files->rows() : 0; }
    std::uint64_t files() const { return m_files ? m_files->files() : 0; }

private:
    std::filesystem::path m_folder;
    std::stop_token m_stop;
    std::optional<PartitionedFiles> m_files; ///< nullopt before the names of the columns.
    Status m_status = Done{};
};

Result<ExportedTable> exportTable(sql::Database& catalogue, const TableQuery& table, const std::string& condition,
                                  const std::filesystem::path& folder, const std::stop_token& stop)
{
    const std::string selected =
        condition.empty() ? std::string() : " WHERE trace.id IN (SELECT id FROM trace WHERE (" + condition + "\n))";
    const std::string query = std::string("SELECT hive_partition(date(trace.begin_ns / 1000000000, 'unixepoch'), trace.host), ")
        + table.columns + " FROM trace" + table.joined + selected + " ORDER BY 1, " + table.order;
    RowWriter writer(folder / table.name, stop);
    sql::RunLimits limits;
    limits.stop = stop;
    if (const Status done = catalogue.run(query, writer, limits); !done)
        return done.error();
    if (const Status done = writer.finish(); !done)
        return done.error();
    return ExportedTable{table.name, writer.rows(), writer.files()};
}

} // namespace

bool isExportedTable(std::string_view name) { return std::ranges::find(Tables, name, &TableQuery::name) != Tables.end(); }

Result<std::vector<ExportedTable>> exportTables(sql::Database& catalogue, const std::string& condition, const std::filesystem::path& folder,
                                                const std::stop_token& stop)
{
    const auto partition = [](std::span<const sql::Value> values) -> Result<sql::Value> {
        return sql::Value(partitionOf(textOrEmpty(values[0]), textOrEmpty(values[1])));
    };
    if (const Status added = catalogue.addFunction({"hive_partition", 2, partition}); !added)
        return added.error();
    // Until its end, a transaction reads the catalogue as it was at the first statement.
    if (const Status begun = catalogue.addViews("BEGIN"); !begun)
        return begun.error();
    std::vector<ExportedTable> exported;
    Status done = Done{};
    for (const TableQuery& table : Tables) {
        const auto written = exportTable(catalogue, table, condition, folder, stop);
        if (!written) {
            done = written.error();
            break;
        }
        exported.push_back(*written);
    }
    const Status ended = catalogue.addViews("END");
    if (!done || !ended)
        return done ? ended.error() : done.error();
    return exported;
}

} // namespace helio::fleet
