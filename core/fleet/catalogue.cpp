#include "core/fleet/catalogue.h"

#include "core/fleet/digest_functions.h"
#include "core/sql/engine/shared_database.h"

#include <array>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

namespace helio::fleet {
namespace {

using sql::SharedDatabase;
using sql::Value;
using Values = std::vector<Value>;

constexpr std::int64_t ApplicationId = 0x48'45'4c'46; ///< "HELF": marks the file of a catalogue.
constexpr std::int64_t SchemaVersion = 1;

/// Schema of the file. Digests of one kind and name lie beside each other, because queries that merge them read all of these.
constexpr const char* Schema = R"(
CREATE TABLE trace (
    id INTEGER PRIMARY KEY, identity TEXT UNIQUE, path TEXT NOT NULL, machine TEXT NOT NULL, host TEXT, boot TEXT, kernel TEXT, uuid TEXT,
    format TEXT, reader TEXT, begin_ns INTEGER, end_ns INTEGER, duration_ns INTEGER, traces INTEGER, events INTEGER, lost_events INTEGER,
    lost_packets INTEGER, gaps INTEGER, streams INTEGER, cpus INTEGER, bytes INTEGER, cpu_busy_share REAL, findings INTEGER, error TEXT,
    indexed_ns INTEGER NOT NULL, indexed_by TEXT, store_version TEXT);
CREATE INDEX trace_by_path ON trace (path, machine);
CREATE INDEX trace_by_host ON trace (host, begin_ns);
CREATE INDEX trace_by_begin ON trace (begin_ns);
CREATE TABLE finding (
    id INTEGER PRIMARY KEY, trace_id INTEGER NOT NULL REFERENCES trace (id), rank INTEGER NOT NULL, finder TEXT NOT NULL, subject TEXT,
    text TEXT NOT NULL, detail TEXT, host TEXT, explained_ns INTEGER NOT NULL, share REAL NOT NULL, begin_ns INTEGER NOT NULL,
    end_ns INTEGER NOT NULL, occurrences INTEGER NOT NULL, color TEXT, check_with TEXT);
CREATE INDEX finding_by_trace ON finding (trace_id, rank);
CREATE INDEX finding_by_finder ON finding (finder, subject, explained_ns);
CREATE TABLE digest (
    trace_id INTEGER NOT NULL REFERENCES trace (id), kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
    total_ns INTEGER NOT NULL, min_ns INTEGER NOT NULL, p50_ns INTEGER NOT NULL, p90_ns INTEGER NOT NULL, p99_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL, histogram TEXT NOT NULL, PRIMARY KEY (kind, name, trace_id)) WITHOUT ROWID;
CREATE INDEX digest_by_trace ON digest (trace_id);
CREATE TABLE quality (trace_id INTEGER NOT NULL REFERENCES trace (id), text TEXT NOT NULL, is_problem INTEGER NOT NULL);
CREATE INDEX quality_by_trace ON quality (trace_id);
CREATE TABLE tag (trace_id INTEGER NOT NULL REFERENCES trace (id), name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (trace_id, name));
CREATE INDEX tag_by_name ON tag (name, value);
)";

/// Views of queries. They are not in the file, because other programs lack the functions of digests.
constexpr const char* Views = R"(
CREATE TEMP VIEW worst_finding AS
    SELECT trace.id AS trace_id, trace.host AS host, trace.path AS path, finder, text, explained_ns, share
    FROM finding JOIN trace ON trace.id = finding.trace_id WHERE rank = 1;
CREATE TEMP VIEW fleet_latency AS
    SELECT kind, name, traces, digest_count(merged) AS count, total_ns, digest_lowest(merged, 0) AS min_ns,
        digest_percentile(merged, 50) AS p50_ns, digest_percentile(merged, 90) AS p90_ns, digest_percentile(merged, 99) AS p99_ns,
        digest_lowest(merged, 99) AS p99_lowest_ns, digest_highest(merged, 99) AS p99_highest_ns, digest_highest(merged, 100) AS max_ns
    FROM (SELECT kind, name, count(*) AS traces, sum(total_ns) AS total_ns, digest_merge(histogram) AS merged
        FROM digest GROUP BY kind, name);
)";

constexpr const char* TraceColumns = "identity, path, machine, host, boot, kernel, uuid, format, reader, begin_ns, end_ns, duration_ns, "
                                     "traces, events, lost_events, lost_packets, gaps, streams, cpus, bytes, cpu_busy_share, findings, "
                                     "error, indexed_ns, indexed_by, store_version";

/// Return the value of a column; 0 or an empty text if a foreign program wrote another type.
std::int64_t integerIn(const Value& value)
{
    const auto* const integer = std::get_if<std::int64_t>(&value);
    return integer ? *integer : 0;
}
std::string textIn(const Value& value)
{
    const auto* const text = std::get_if<std::string>(&value);
    return text ? *text : std::string();
}

Value textOrNull(const std::string& text) { return text.empty() ? Value() : Value(text); }
Value numberOf(std::uint64_t number) { return static_cast<std::int64_t>(number); }
Value numberOrNull(const std::optional<std::int64_t>& number) { return number ? Value(*number) : Value(); }
Value nanosecondsOf(Duration duration) { return static_cast<std::int64_t>(duration.count()); }

/// Returns the values of TraceColumns.
Values traceRow(const TraceSummary& it)
{
    const bool hasTimes = it.beginNs && it.endNs && *it.beginNs <= *it.endNs;
    // The difference of two times may be beyond 64 bits; it is then not known.
    std::int64_t duration = 0;
    const bool hasDuration = hasTimes && !__builtin_sub_overflow(*it.endNs, *it.beginNs, &duration);
    Values row{textOrNull(it.identity),
               it.path,
               it.machine,
               textOrNull(it.host),
               textOrNull(it.boot),
               textOrNull(it.kernel),
               textOrNull(it.uuid),
               textOrNull(it.format),
               textOrNull(it.reader),
               numberOrNull(it.beginNs),
               numberOrNull(it.endNs),
               hasDuration ? Value(duration) : Value()};
    for (const std::uint64_t number : {it.traces, it.events, it.lostEvents, it.lostPackets, it.gaps, it.streams, it.cpus, it.bytes})
        row.push_back(it.isReadable() ? numberOf(number) : Value());
    row.push_back(it.cpuBusyShare ? Value(*it.cpuBusyShare) : Value());
    row.push_back(it.isReadable() ? numberOf(it.findings.size() + it.moreFindings) : Value());
    row.insert(row.end(), {textOrNull(it.error), it.indexedNs, textOrNull(it.indexedBy), textOrNull(it.storeVersion)});
    return row;
}

/// Returns "?1, ?2, ... ?COUNT".
std::string parameters(std::size_t count)
{
    std::string text;
    for (std::size_t i = 1; i <= count; ++i)
        text += (i == 1 ? "?" : ", ?") + std::to_string(i);
    return text;
}

/// Prepares the schema, or checks that it is one that this program knows.
Status checkSchema(SharedDatabase& database, const std::filesystem::path& path, bool isCreated)
{
    std::int64_t application = 0, version = 0, objects = 0;
    const auto ask = [&](const char* query, std::int64_t& answer) {
        return database.run(query, {}, [&](std::span<const Value> row) { answer = integerIn(row[0]); });
    };
    for (const auto& [query, answer] : {std::pair("PRAGMA application_id", &application), std::pair("PRAGMA user_version", &version),
                                        std::pair("SELECT count(*) FROM sqlite_schema", &objects)})
        if (Status asked = ask(query, *answer); !asked)
            return asked;
    if (application == 0 && version == 0 && objects == 0 && isCreated)
        return database.execute(std::string(Schema) + "PRAGMA application_id = " + std::to_string(ApplicationId)
                                + "; PRAGMA user_version = " + std::to_string(SchemaVersion));
    std::int64_t tables = 0, others = 0;
    if (Status asked = ask("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('trace', 'finding', 'digest', 'quality', "
                           "'tag')",
                           tables);
        !asked)
        return asked;
    if (Status asked = ask("SELECT count(*) FROM sqlite_schema WHERE type IN ('view', 'trigger')", others); !asked)
        return asked;
    if (application == ApplicationId && version == SchemaVersion && (tables != 5 || others != 0)) // A view could compute without an end.
        return Error{Error::Kind::Corrupt, path.string() + ": its tables are not those of a catalogue"};
    if (application != ApplicationId)
        return Error{Error::Kind::Unsupported, path.string() + ": an SQLite database, but not a catalogue of traces"};
    if (version != SchemaVersion)
        return Error{Error::Kind::Unsupported,
                     path.string() + ": a catalogue of version " + std::to_string(version) + "; this program uses version "
                         + std::to_string(SchemaVersion) + ". Make a new one from its summaries"};
    return Done{};
}

class SqliteCatalogue final : public Catalogue {
public:
    explicit SqliteCatalogue(std::unique_ptr<SharedDatabase> database)
        : m_database(std::move(database))
    {
    }

    Status prepare(const std::filesystem::path& path)
    {
        // Larger pages than SQLite's, for a new file: queries that merge digests read a large part of it.
        if (Status set = m_database->execute("PRAGMA page_size = 8192"); !set)
            return set;
        return inTransaction([&] { return checkSchema(*m_database, path, true); });
    }

    Status add(std::span<const TraceSummary> summaries, const std::function<void(Addition)>& told) override
    {
        std::vector<Addition> additions;
        const Status done = inTransaction([&]() -> Status {
            for (const TraceSummary& summary : summaries) {
                const auto added = summary.isReadable() ? addReadable(summary) : addUnreadable(summary);
                if (!added)
                    return added.error();
                additions.push_back(*added);
            }
            return Done{};
        });
        for (const Addition addition : additions)
            if (done && told)
                told(addition);
        return done;
    }

private:
    template <typename Change> Status inTransaction(const Change& change)
    {
        if (Status begun = m_database->execute("BEGIN IMMEDIATE"); !begun)
            return begun;
        const Status done = change();
        const Status ended = m_database->execute(done ? "COMMIT" : "ROLLBACK");
        return done ? ended : done;
    }

    /// Id and time of a row of the table `trace`.
    struct KnownTrace {
        std::int64_t id = 0;
        std::int64_t indexedNs = 0;
    };
    Result<std::optional<KnownTrace>> find(const std::string& condition, const Values& values)
    {
        std::optional<KnownTrace> found;
        const Status done = m_database->run("SELECT id, indexed_ns FROM trace WHERE " + condition + " ORDER BY indexed_ns DESC LIMIT 1",
                                            values, [&](std::span<const Value> row) {
                                                found = KnownTrace{integerIn(row[0]), integerIn(row[1])};
                                            });
        return done ? Result(found) : Result<std::optional<KnownTrace>>(done.error());
    }

    Result<Addition> addReadable(const TraceSummary& summary)
    {
        const auto known = find("identity = ?1", {summary.identity});
        if (!known)
            return known.error();
        if (*known && (*known)->indexedNs >= summary.indexedNs) {
            const Status tagged = addTags((*known)->id, summary);
            return tagged ? Result(Addition::Unchanged) : Result<Addition>(tagged.error());
        }
        const auto id = *known ? replace((*known)->id, summary) : insert(summary);
        if (!id)
            return id.error();
        // An earlier attempt to read the recording, or a folder above it, may have failed.
        const Values failed{summary.path, summary.machine, summary.indexedNs};
        const std::string attempts = "SELECT id FROM trace WHERE identity IS NULL AND machine = ?2 AND indexed_ns <= ?3 AND (path = ?1 OR "
                                     "substr(?1, 1, length(path) + 1) = path || '/')";
        for (const std::string& statement :
             {"DELETE FROM tag WHERE trace_id IN (" + attempts + ")", "DELETE FROM trace WHERE id IN (" + attempts + ")"})
            if (const Status done = m_database->run(statement, failed); !done)
                return done.error();
        if (const Status done = addContents(*id, summary); !done)
            return done.error();
        return *known ? Addition::Updated : Addition::New;
    }

    Result<Addition> addUnreadable(const TraceSummary& summary)
    {
        // The newest summary of the path itself or of a path below it: '0' is the character after '/'.
        const auto newest = find("(path = ?1 OR path > ?1 || '/' AND path < ?1 || '0') AND machine = ?2", {summary.path, summary.machine});
        if (!newest)
            return newest.error();
        if (*newest && (*newest)->indexedNs >= summary.indexedNs)
            return Addition::Unchanged;
        const auto failed = find("identity IS NULL AND path = ?1 AND machine = ?2", {summary.path, summary.machine});
        if (!failed)
            return failed.error();
        const auto id = *failed ? replace((*failed)->id, summary) : insert(summary);
        if (!id)
            return id.error();
        const Status tagged = addTags(*id, summary);
        return tagged ? Result(Addition::Unreadable) : Result<Addition>(tagged.error());
    }

    Result<std::int64_t> insert(const TraceSummary& summary)
    {
        const Values row = traceRow(summary);
        const Status done =
            m_database->run("INSERT INTO trace (" + std::string(TraceColumns) + ") VALUES (" + parameters(row.size()) + ")", row);
        return done ? Result(m_database->lastRow()) : Result<std::int64_t>(done.error());
    }

    /// Replaces the facts of a trace, and removes its findings, digests and notes. Returns its id.
    Result<std::int64_t> replace(std::int64_t id, const TraceSummary& summary)
    {
        Values row = traceRow(summary);
        const std::string values = parameters(row.size());
        row.emplace_back(id);
        const std::string where = " WHERE id = ?" + std::to_string(row.size());
        if (const Status done = m_database->run("UPDATE trace SET (" + std::string(TraceColumns) + ") = (" + values + ")" + where, row);
            !done)
            return done.error();
        for (const char* table : {"finding", "digest", "quality"})
            if (const Status done = m_database->run("DELETE FROM " + std::string(table) + " WHERE trace_id = ?1", Values{id}); !done)
                return done.error();
        return id;
    }

    Status addTags(std::int64_t id, const TraceSummary& summary)
    {
        for (const auto& [name, value] : summary.tags)
            if (Status done = m_database->run("INSERT OR REPLACE INTO tag VALUES (?1, ?2, ?3)", Values{id, name, value}); !done)
                return done;
        return Done{};
    }

    Status addContents(std::int64_t id, const TraceSummary& summary)
    {
        std::int64_t rank = 0;
        for (const SummaryFinding& it : summary.findings) {
            const Values row{id,
                             ++rank,
                             it.finder,
                             textOrNull(it.subject),
                             it.text,
                             textOrNull(it.detail),
                             textOrNull(it.host),
                             nanosecondsOf(it.explained),
                             it.share,
                             it.beginNs,
                             it.endNs,
                             numberOf(it.occurrences),
                             textOrNull(it.color),
                             textOrNull(it.check)};
            if (Status done = m_database->run("INSERT INTO finding VALUES (NULL, " + parameters(row.size()) + ")", row); !done)
                return done;
        }
        for (const SummaryLatency& it : summary.latencies) {
            const Values row{id,
                             it.kind,
                             it.name,
                             numberOf(it.digest.count()),
                             nanosecondsOf(it.digest.total()),
                             nanosecondsOf(it.digest.least()),
                             nanosecondsOf(it.median),
                             nanosecondsOf(it.p90),
                             nanosecondsOf(it.p99),
                             nanosecondsOf(it.digest.most()),
                             it.digest.text()};
            if (Status done = m_database->run("INSERT OR REPLACE INTO digest VALUES (" + parameters(row.size()) + ")", row); !done)
                return done;
        }
        for (const SummaryNote& it : summary.quality)
            if (Status done = m_database->run("INSERT INTO quality VALUES (?1, ?2, ?3)", Values{id, it.text, std::int64_t(it.isProblem)});
                !done)
                return done;
        return addTags(id, summary);
    }

    std::unique_ptr<SharedDatabase> m_database;
};

/// Receives rows with an integer and a text.
class TraceRows final : public sql::RowReceiver {
public:
    void columns(std::span<const std::string>) override { }
    bool row(std::span<const Value> values) override
    {
        traces.push_back({integerIn(values[0]), textIn(values[1]), textIn(values[2]), textIn(values[3])});
        return true;
    }
    std::vector<CataloguedTrace> traces;
};

} // namespace

Result<std::unique_ptr<Catalogue>> Catalogue::open(const std::filesystem::path& path)
{
    auto database = SharedDatabase::open(path, SharedDatabase::Access::Change);
    if (!database)
        return database.error();
    auto catalogue = std::make_unique<SqliteCatalogue>(std::move(*database));
    if (const Status prepared = catalogue->prepare(path); !prepared)
        return prepared.error();
    return std::unique_ptr<Catalogue>(std::move(catalogue));
}

bool isCatalogue(const std::filesystem::path& path)
{
    constexpr std::string_view Magic("SQLite format 3\0", 16);
    constexpr std::size_t ApplicationAt = 68; // The application's id, with its highest byte first.
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) // Opening a pipe would wait.
        return false;
    std::array<char, ApplicationAt + 4> head{};
    std::ifstream file(path, std::ios::binary);
    if (!file.read(head.data(), std::ssize(head)) || std::string_view(head.data(), Magic.size()) != Magic)
        return false;
    std::int64_t application = 0;
    for (std::size_t i = ApplicationAt; i < head.size(); ++i)
        application = application << 8 | static_cast<unsigned char>(head[i]);
    return application == ApplicationId;
}

Result<std::unique_ptr<sql::Database>> openForQueries(const std::filesystem::path& path, const std::stop_token& stop)
{
    {
        // Undoes what a killed process left unfinished, which a connection that only reads cannot.
        auto shared = SharedDatabase::open(path, SharedDatabase::Access::Read, stop);
        if (!shared)
            return shared.error();
        if (const Status checked = checkSchema(**shared, path, false); !checked)
            return checked.error();
    }
    auto database = sql::Database::create();
    if (!database)
        return database.error();
    if (const Status attached = (*database)->attach(path, "catalogue"); !attached)
        return attached.error();
    if (const Status added = addDigestFunctions(**database); !added)
        return added.error();
    if (const Status added = (*database)->addViews(Views); !added)
        return added.error();
    return database;
}

Result<std::vector<CataloguedTrace>> readTraces(sql::Database& catalogue, const std::string& condition)
{
    TraceRows rows;
    // SQLite takes the other columns of a group from the row with the maximum.
    const std::string query = "SELECT id, path, date(begin_ns / 1000000000, 'unixepoch'), host FROM "
                              "(SELECT id, path, begin_ns, host, max(indexed_ns) FROM trace WHERE identity IS NOT NULL"
        + (condition.empty() ? std::string() : " AND (" + condition + "\n)") + " GROUP BY path) ORDER BY id";
    if (const Status done = catalogue.run(query, rows); !done)
        return done.error();
    return std::move(rows.traces);
}

} // namespace helio::fleet
