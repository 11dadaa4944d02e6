#include "core/export/tables/exported_tables.h"

#include "core/sql/open_database.h"

#include <algorithm>
#include <array>
#include <utility>

namespace helio {
namespace {

/// Keeps the rows of a small result.
class RowList final : public sql::RowReceiver {
public:
    void columns(std::span<const std::string>) override { }
    bool row(std::span<const sql::Value> values) override
    {
        rows.emplace_back(values.begin(), values.end());
        return true;
    }
    std::vector<std::vector<sql::Value>> rows;
};

std::string textOf(const sql::Value& value)
{
    const auto* text = std::get_if<std::string>(&value);
    return text ? *text : std::string();
}

/// Returns the condition that a table's rows overlap a time range; empty if all do or the rows have no times.
std::string timeCondition(const ExportedTable& table, TimeRange range)
{
    if (!table.has("ts"))
        return {};
    std::string condition;
    if (range.end != Timestamp::max())
        condition = "ts < " + std::to_string(nanoseconds(range.end));
    if (range.begin == Timestamp::min())
        return condition;
    condition += condition.empty() ? "" : " AND ";
    const std::string begin = std::to_string(nanoseconds(range.begin));
    const std::string after = "ts >= " + begin;
    return condition + (table.has("dur") ? "(" + after + " OR dur < 0 OR ts + dur > " + begin + ')' : after);
}

/// Joins two conditions by AND; either may be empty.
std::string bothOf(const std::string& a, const std::string& b) { return a.empty() || b.empty() ? a + b : a + " AND " + b; }

std::int64_t integerOf(const sql::Value& value, std::int64_t ifNull = -1)
{
    const auto* integer = std::get_if<std::int64_t>(&value);
    return integer ? *integer : ifNull;
}

constexpr const char* SelectedThreads = "(SELECT id FROM export_thread)";
constexpr const char* SelectedProcesses = "(SELECT id FROM export_process)";
constexpr const char* SelectedTracks = "(SELECT id FROM export_track)";

} // namespace

bool ExportedTable::has(std::string_view column) const { return std::ranges::find(columns, column, &Column::name) != columns.end(); }

ExportedTables::ExportedTables(std::unique_ptr<sql::Database> database, const ExportRequest& request)
    : m_database(std::move(database))
    , m_stop(request.stop)
    , m_selected(request.selection, *request.timeline)
{
}

Result<ExportedTables> ExportedTables::open(const ExportRequest& request)
{
    auto database = sql::openDatabase(request.timeline);
    if (!database)
        return database.error();
    ExportedTables tables(std::move(*database), request);
    if (const Status listed = tables.listTables(); !listed)
        return listed.error();
    if (const Status selected = tables.selectIds(); !selected)
        return selected.error();
    if (const Status selected = tables.selectRows(); !selected)
        return selected.error();
    return tables;
}

Result<ExportedTables::Rows> ExportedTables::rows(const std::string& statement) const
{
    RowList list;
    if (const Status done = query(statement, list); !done)
        return done.error();
    return std::move(list.rows);
}

Status ExportedTables::query(const std::string& statement, sql::RowReceiver& receiver) const
{
    Status done = m_database->run(statement, receiver, {.stop = m_stop});
    if (!done && m_stop.stop_requested())
        return Error{Error::Kind::Cancelled, "The export was cancelled"};
    return done;
}

std::string ExportedTables::condition(std::string_view table) const
{
    const auto found = m_conditions.find(table);
    return found == m_conditions.end() ? "1" : found->second;
}

Status ExportedTables::listTables()
{
    const auto named = rows("SELECT t.name, CASE t.type WHEN 'view' THEN s.sql END FROM pragma_table_list t LEFT JOIN sqlite_schema s "
                            "USING (name) WHERE t.schema = 'main' AND t.type IN ('view', 'virtual') AND t.name NOT LIKE 'sqlite_%' "
                            "ORDER BY t.type = 'view', t.name");
    if (!named)
        return named.error();
    for (const auto& row : *named) {
        ExportedTable table;
        table.name = textOf(row[0]);
        table.definition = textOf(row[1]);
        const auto columns = rows("SELECT name, type, hidden FROM pragma_table_xinfo(" + sql::quoted(table.name) + ")");
        if (!columns)
            return columns.error();
        for (const auto& column : *columns)
            if (integerOf(column[2]) == 0) // Hidden columns are no columns of `SELECT *`.
                table.columns.push_back({textOf(column[0]), textOf(column[1])});
        m_tables.push_back(std::move(table));
    }
    return Done{};
}

/// Creates a table with the first column of those rows of the query `candidates` that are selected.
Status ExportedTables::keepIds(const std::string& table, const std::string& candidates,
                               const std::function<bool(const std::vector<sql::Value>&)>& isSelected)
{
    constexpr std::size_t Longest = 60'000; // Length of a statement in bytes.
    const auto all = rows(candidates);
    if (!all)
        return all.error();
    std::string statement = "CREATE TABLE " + table + " (id INTEGER PRIMARY KEY)";
    const auto flush = [&](std::size_t longest) -> Status {
        if (statement.size() <= longest)
            return Done{};
        const auto done = rows(std::exchange(statement, {}));
        return done ? Status(Done{}) : done.error();
    };
    if (const Status made = flush(0); !made)
        return made;
    for (const auto& row : *all) {
        if (!isSelected(row))
            continue;
        statement += (statement.empty() ? "INSERT INTO " + table + " VALUES (" : ", (") + std::to_string(integerOf(row[0])) + ')';
        if (const Status done = flush(Longest); !done)
            return done;
    }
    return flush(0);
}

/// Makes the tables with the ids of the selected threads, processes and tracks.
Status ExportedTables::selectIds()
{
    using Values = std::vector<sql::Value>;
    const ExportSelection& selection = m_selected.selection();
    if (!selection.selectsRows())
        return Done{};
    const auto isThread = [&](const Values& row) {
        return m_selected.hasThread(static_cast<std::uint32_t>(integerOf(row[3])), static_cast<std::int32_t>(integerOf(row[2])),
                                    static_cast<std::int32_t>(integerOf(row[1])));
    };
    if (Status kept =
            keepIds("export_thread",
                    "SELECT thread.utid, thread.tid, process.pid, thread.machine_id FROM thread LEFT JOIN process USING (upid)", isThread);
        !kept)
        return kept;
    const auto isWholeProcess = [&](const Values& row) {
        return m_selected.hasProcess(static_cast<std::uint32_t>(integerOf(row[1])), static_cast<std::int32_t>(integerOf(row[2])),
                                     textOf(row[3]));
    };
    if (Status kept = keepIds("export_whole_process", "SELECT upid, machine_id, pid, name FROM process", isWholeProcess); !kept)
        return kept;
    if (Status kept = keepIds("export_process",
                              "SELECT id FROM export_whole_process UNION SELECT upid FROM thread WHERE upid IS NOT NULL AND utid IN "
                                  + std::string(SelectedThreads),
                              [](const Values&) { return true; });
        !kept)
        return kept;
    // A track is selected by its thread or process and by its CPU, and excluded if it lacks one of them that the selection demands.
    const auto isTrack = [&](const Values& row) {
        const auto host = static_cast<std::uint32_t>(integerOf(row[1]));
        const bool isOfThreads = integerOf(row[3]) >= 0;
        return m_selected.hasCpu(host, static_cast<std::int32_t>(integerOf(row[2]))) && (isOfThreads || !selection.selectsThreads());
    };
    return keepIds("export_track",
                   "SELECT track.id, track.machine_id, track.cpu, coalesce(selected.id, whole.id) FROM recorded_track AS track LEFT JOIN "
                   "export_thread AS selected ON selected.id = track.utid LEFT JOIN export_whole_process AS whole ON whole.id = track.upid "
                   "WHERE track.utid IS NULL OR selected.id IS NOT NULL",
                   isTrack);
}

/// Returns the condition that rows belong to the selected hosts, threads, CPUs and views; empty if all do.
std::string ExportedTables::placeCondition(const ExportedTable& table) const
{
    const ExportSelection& selection = m_selected.selection();
    std::string condition;
    const auto require = [&](const std::string& part) { condition = bothOf(condition, part); };
    if (!selection.view.empty() && table.has("view"))
        require("view = " + sql::quoted(selection.view));
    if (!selection.selectsRows())
        return condition;
    if (table.name == "recorded_track")
        return "id IN " + std::string(SelectedTracks);
    if (table.name == "process")
        return "upid IN " + std::string(SelectedProcesses);
    bool isOfHost = true; // True if the rows are limited to the selected host.
    if (const auto host = m_selected.host()) {
        const std::string number = std::to_string(*host);
        if (table.name == "machine" || table.name == "host")
            require("id = " + number);
        else if (table.has("machine_id"))
            require("machine_id = " + number);
        else if (table.has("host_id"))
            require("host_id = " + number);
        else if (table.has("from_host_id") && table.has("to_host_id"))
            require("(from_host_id = " + number + " OR to_host_id = " + number + ')');
        else
            isOfHost = false;
    }
    if (selection.selectsThreads() || !isOfHost) {
        const std::string threads = SelectedThreads;
        if (table.has("utid"))
            require("utid IN " + threads);
        else if (table.has("from_utid") && table.has("to_utid"))
            require("(from_utid IN " + threads + " OR to_utid IN " + threads + ')');
        else if (table.has("upid"))
            require("upid IN " + std::string(SelectedProcesses));
    }
    if (table.has("track_id"))
        require("track_id IN " + std::string(SelectedTracks));
    if (selection.cpu && table.has("cpu")) // The column has the number of the CPU, or the id that cpuId() makes of it.
        require("cpu % 4096 = " + std::to_string(*selection.cpu));
    return condition;
}

/// Returns the statement for the arguments of the selected events and slices.
std::string ExportedTables::argumentSelect() const
{
    std::string sets;
    for (const ExportedTable& table : m_tables)
        if (!table.isView() && table.has("arg_set_id") && table.name != "args" && table.name != "counter")
            sets += (sets.empty() ? "SELECT arg_set_id FROM " : " UNION SELECT arg_set_id FROM ") + table.name + " WHERE "
                + condition(table.name);
    return "SELECT args.* FROM (" + sets + ") AS owner CROSS JOIN args ON args.arg_set_id = owner.arg_set_id";
}

Status ExportedTables::selectRows()
{
    const ExportSelection& selection = m_selected.selection();
    if (!selection.view.empty() && std::ranges::none_of(m_tables, [](const ExportedTable& it) { return !it.isView() && it.has("view"); }))
        return Error{Error::Kind::Usage, "No table has rows of views; export without a view"};
    for (const ExportedTable& table : m_tables)
        if (const std::string condition = bothOf(timeCondition(table, selection.range), placeCondition(table)); !condition.empty())
            m_conditions[table.name] = condition;
    if (const auto slices = m_conditions.find("slice"); slices != m_conditions.end())
        m_conditions["flow"] = "EXISTS (SELECT 1 FROM slice WHERE id = flow.slice_out AND " + slices->second
            + ") AND EXISTS (SELECT 1 FROM slice WHERE id = flow.slice_in AND " + slices->second + ')';
    for (ExportedTable& table : m_tables) {
        const std::string condition = this->condition(table.name);
        table.select = "SELECT * FROM \"" + table.name + '"' + (condition == "1" ? "" : " WHERE " + condition);
        if (table.name == "args" && (!selection.isWholeTime() || selection.selectsRows()))
            table.select = argumentSelect();
    }
    return Done{};
}

} // namespace helio
