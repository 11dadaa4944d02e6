#include "app/cli/fleet/query_run.h"

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/fleet/trace_runs.h"
#include "app/cli/output/output.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/fleet/query_response.h"

#include <QByteArray>

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <utility>

namespace helio {
namespace {

namespace fs = std::filesystem;

/// Returns the messages of a process as one line, without the path of the trace.
std::string messagesOf(const TraceRun& run, const std::string& path)
{
    std::string all;
    for (std::size_t at = 0; at < run.errors.size();) {
        const std::size_t end = std::min(run.errors.find('\n', at), run.errors.size());
        std::string line = run.errors.substr(at, end - at);
        if (const std::string prefix = path + ": "; line.starts_with(prefix))
            line.erase(0, prefix.size());
        if (!line.empty())
            all += (all.empty() ? "" : "; ") + line;
        at = end + 1;
    }
    return all;
}

/// Writes a text to a request: a string, or an object with the member "base64" if it is not UTF-8.
void writeText(JsonWriter& json, const std::string& text)
{
    if (isUtf8(text))
        return json.value(text);
    json.beginObject();
    json.member("base64", QByteArray::fromRawData(text.data(), qsizetype(text.size())).toBase64().toStdString());
    json.endObject();
}

/// Writes the user's options for reading traces as members of an object.
void writeReadingOptions(JsonWriter& json)
{
    std::map<std::string, std::vector<std::string>> valuesByName;
    for (const GivenOption& option : givenReadingOptions()) {
        std::vector<std::string>& values = valuesByName[option.name.substr(option.name.find_first_not_of('-'))];
        if (option.value)
            values.push_back(*option.value);
    }
    for (const auto& [name, values] : valuesByName) {
        json.key(name);
        if (values.empty()) {
            json.value(true);
            continue;
        }
        json.beginArray();
        for (const std::string& value : values)
            writeText(json, value);
        json.endArray();
    }
}

/// Runs the statements over all traces, and passes the rows to a sink.
class QueryRun {
public:
    QueryRun(const FleetOptions& options, const std::vector<fleet::CataloguedTrace>& traces, const fs::path& folder, RowSink& sink)
        : m_options(options)
        , m_traces(traces)
        , m_folder(folder)
        , m_sink(sink)
    {
    }

    Result<QueryRunResult> run(const std::stop_token& stop)
    {
        TraceRunRequest request;
        for (const fleet::CataloguedTrace& trace : m_traces)
            request.paths.push_back(trace.path);
        request.jobs = m_options.reading.experiment.jobs;
        request.requestFor = [this](const std::string& path) { return requestFor(path); };
        request.folder = m_folder;
        request.stop = stop;
        runOverTraces(request, [this](std::size_t index, const TraceRun& run) { return take(m_traces[index].path, run); });
        if (!m_status)
            return m_status.error();
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "cancelled"};
        if (m_columns.empty() && !m_columnsWithoutRows.empty()) {
            m_columns = m_columnsWithoutRows;
            if (const Status begun = m_sink.begin(m_columns); !begun)
                return begun.error();
        }
        if (!m_columns.empty())
            if (const Status finished = m_sink.finish(); !finished)
                return finished.error();
        return QueryRunResult{m_failed, !m_columns.empty()};
    }

private:
    /// Returns the request to `heliograph serve --stdio` for a trace.
    std::string requestFor(const std::string& path) const
    {
        std::string line;
        JsonWriter json(line);
        json.beginObject();
        json.member("id", 1);
        json.member("method", "query");
        json.key("params").beginObject();
        json.key("paths").beginArray();
        writeText(json, path);
        json.endArray();
        json.key("sql");
        writeText(json, m_options.statements);
        json.key("options").beginObject();
        json.member("quiet", true);
        json.member("jobs", 1);
        if (const fs::path& stores = m_options.reading.experiment.storeDirectory; !stores.empty())
            writeText(json.key("store-dir"), stores.string());
        writeReadingOptions(json);
        json.endObject();
        json.endObject();
        json.endObject();
        return line;
    }

    /// Takes the result for a trace. Returns false after an error that ends the run.
    bool take(const std::string& path, const TraceRun& run)
    {
        const std::string messages = messagesOf(run, path);
        if (!run.problem.empty()) {
            fail(path, run.problem);
        } else if (run.status == ExitUsage) { // The statements or options are wrong, for this trace as for any other.
            m_status = Error{Error::Kind::Usage, messages};
        } else if (const Status read = readRows(path, run.responses); !read) {
            if (m_isSinkBroken)
                m_status = read;
            else
                fail(path, read.error().what);
        } else if (run.status != ExitDone) {
            fail(path, messages.empty() ? fmt::format("the process ended with status {}", run.status) : messages);
        }
        return bool(m_status);
    }

    void fail(const std::string& path, const std::string& why)
    {
        warn(path + ": " + why);
        ++m_failed;
    }

    Status readRows(const std::string& path, const fs::path& responses)
    {
        std::ifstream stream(responses, std::ios::binary);
        std::vector<std::string> columns;
        fleet::QueryRowReceiver receiver;
        receiver.columns = [&](std::vector<std::string>&& names) {
            columns = std::move(names);
            columns.insert(columns.begin(), "trace");
            m_columnsWithoutRows = columns;
            return Done{};
        };
        receiver.row = [&](std::vector<sql::Value>& values) -> Status {
            values.insert(values.begin(), path);
            if (m_columns.empty()) {
                m_columns = columns;
                if (Status begun = m_sink.begin(m_columns); !begun)
                    return broken(begun);
            }
            if (columns != m_columns || values.size() != columns.size())
                return Error{Error::Kind::Corrupt, "its columns are not those of the other traces"};
            Status added = m_sink.row(values);
            return added ? added : broken(added);
        };
        for (std::string line; std::getline(stream, line);)
            if (Status read = fleet::readQueryRows(line, receiver); !read)
                return read;
        return Done{};
    }
    Status broken(const Status& status)
    {
        m_isSinkBroken = true;
        return status;
    }

    const FleetOptions& m_options;
    const std::vector<fleet::CataloguedTrace>& m_traces;
    const fs::path& m_folder;
    RowSink& m_sink;
    std::vector<std::string> m_columns; ///< Columns of the rows, "trace" first; empty before the first row.
    std::vector<std::string> m_columnsWithoutRows; ///< Columns of the last statement, "trace" first; empty if it has none.
    Status m_status = Done{};
    bool m_isSinkBroken = false; ///< True if the sink failed, which ends the run.
    std::size_t m_failed = 0;
};

} // namespace

Result<std::vector<fleet::CataloguedTrace>> readSelectedTraces(const FleetOptions& options, sql::Database& catalogue)
{
    auto traces = fleet::readTraces(catalogue, options.condition);
    if (!traces && traces.error().kind == Error::Kind::Usage && !options.condition.empty())
        return makeUsageError("--where", traces.error().what);
    if (traces && traces->empty())
        return Error{Error::Kind::NotFound,
                     options.catalogue.string() + ": no readable traces" + (options.condition.empty() ? "" : " with " + options.condition)};
    return traces;
}

int exitStatusFor(std::size_t failed)
{
    if (failed == 0)
        return ExitDone;
    warn(fmt::format("{} {} could not be read completely", failed, failed == 1 ? "trace" : "traces"));
    return ExitInput;
}

Result<QueryRunResult> runQuery(const FleetOptions& options, const std::vector<fleet::CataloguedTrace>& traces, const fs::path& folder,
                                RowSink& sink, const std::stop_token& stop)
{
    return QueryRun(options, traces, folder, sink).run(stop);
}

} // namespace helio
