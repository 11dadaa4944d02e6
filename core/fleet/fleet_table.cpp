#include "core/fleet/fleet_table.h"

#include "core/fleet/catalogue.h"
#include "core/fleet/catalogue_rows.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace helio::fleet {
namespace {

/// Returns a query for a text column that is cut after FleetTable::MostText characters.
std::string cut(const std::string& column) { return "substr(" + column + ", 1, " + std::to_string(FleetTable::MostText) + ")"; }

std::size_t shapeColumn(Duration length)
{
    const auto octaves = static_cast<std::uint64_t>(length.count()) / static_cast<std::uint64_t>(FleetLatency::firstColumnEnd.count());
    return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(octaves)), FleetLatency::Columns - 1);
}

/// Reads a catalogue into a table.
class FleetReader {
public:
    FleetReader(sql::Database& catalogue, const std::stop_token& stop)
        : m_catalogue(catalogue)
        , m_stop(stop)
    {
    }

    Result<FleetTable> read()
    {
        for (const auto part : {&FleetReader::readTraceRows, &FleetReader::readFindings, &FleetReader::readDigests, &FleetReader::readTags})
            if (const Status done = (this->*part)(); !done)
                return done.error();
        return std::move(m_table);
    }

private:
    Status query(const std::string& sql, const CatalogueRows::Take& take) { return runQuery(m_catalogue, sql, take, m_stop); }

    Status readTraceRows()
    {
        const std::string texts = cut("path") + ", " + cut("machine") + ", " + cut("host") + ", " + cut("boot") + ", " + cut("kernel")
            + ", " + cut("format") + ", " + cut("error");
        return query(
            "SELECT id, identity IS NOT NULL, " + texts
                + ", begin_ns, duration_ns, events, lost_events, gaps, cpus, cpu_busy_share, indexed_ns FROM trace ORDER BY id LIMIT "
                + std::to_string(FleetTable::MostTraces + 1),
            [this](CatalogueRow row) { takeTrace(row); });
    }

    void takeTrace(CatalogueRow row)
    {
        if (m_table.traces.size() == FleetTable::MostTraces) {
            m_table.isCut = true;
            return;
        }
        FleetTrace it;
        it.id = row.integer().value_or(0);
        it.isReadable = row.integer() == 1;
        for (std::string* const text : {&it.path, &it.machine, &it.host, &it.boot, &it.kernel, &it.format, &it.error})
            *text = row.text();
        it.beginNs = row.integer();
        if (const auto ns = row.count())
            it.duration = Duration(*ns);
        it.events = row.count();
        it.lostEvents = row.count();
        it.gaps = row.count().value_or(0);
        it.cpus = row.count();
        it.cpuBusyShare = row.share();
        it.indexedNs = row.integer().value_or(0);
        m_places.emplace(it.id, m_table.traces.size());
        m_table.traces.push_back(std::move(it));
    }

    Status readFindings()
    {
        return query("SELECT trace_id, " + cut("finder") + ", " + cut("subject") + ", " + cut("text") + ", " + cut("color")
                         + ", explained_ns, share FROM finding ORDER BY trace_id, rank",
                     [this](CatalogueRow row) {
                         FleetTrace* const trace = find(row);
                         if (!trace || trace->findings.size() == FleetTrace::MostFindings)
                             return;
                         FleetFinding it;
                         for (std::string* const text : {&it.finder, &it.subject, &it.text, &it.color})
                             *text = row.text();
                         it.explained = Duration(row.count().value_or(0));
                         it.share = row.share().value_or(0);
                         trace->findings.push_back(std::move(it));
                     });
    }

    Status readDigests()
    {
        for (const LatencyKind kind : LatencyKinds)
            if (const Status done =
                    query("SELECT trace_id, p99_ns, histogram FROM digest WHERE kind = '" + std::string(idOf(kind)) + "' AND name = ''",
                          [&](CatalogueRow row) { takeDigest(kind, row); });
                !done)
                return done;
        return Done{};
    }

    void takeDigest(LatencyKind kind, CatalogueRow row)
    {
        FleetTrace* const trace = find(row);
        if (!trace)
            return;
        FleetLatency it;
        it.p99 = Duration(row.count().value_or(0));
        DurationDigest digest;
        if (const Status added = digest.addText(row.text()); !added || digest.count() == 0) {
            ++m_table.damaged;
            return;
        }
        it.most = digest.most();
        it.count = digest.count();
        for (const DurationDigest::Bucket& bucket : digest.buckets()) {
            std::uint64_t& sum = it.shape[shapeColumn(bucket.begin)];
            sum = sum + bucket.count < sum ? UINT64_MAX : sum + bucket.count;
        }
        m_table.merged[static_cast<std::size_t>(kind)].add(digest);
        trace->latencies[static_cast<std::size_t>(kind)] = it;
    }

    Status readTags()
    {
        return query("SELECT trace_id, " + cut("name") + ", " + cut("value") + " FROM tag ORDER BY trace_id, name",
                     [this](CatalogueRow row) {
                         constexpr std::size_t MostTags = 100;
                         if (FleetTrace* const trace = find(row); trace && trace->tags.size() < MostTags) {
                             std::string name = row.text();
                             trace->tags.emplace_back(std::move(name), row.text());
                         }
                     });
    }

    /// Returns the trace whose id is the next value of a row; nullptr if there is none.
    FleetTrace* find(CatalogueRow& row)
    {
        const auto found = m_places.find(row.integer().value_or(0));
        return found == m_places.end() ? nullptr : &m_table.traces[found->second];
    }

    sql::Database& m_catalogue;
    std::stop_token m_stop;
    FleetTable m_table;
    std::unordered_map<std::int64_t, std::size_t> m_places; ///< Index of a trace in m_table by its id.
};

} // namespace

std::string_view idOf(LatencyKind kind)
{
    constexpr std::array<std::string_view, LatencyKinds.size()> Ids{"wakeup", "syscall", "block"};
    return Ids[static_cast<std::size_t>(kind)];
}

std::size_t FleetTable::readable() const
{
    return static_cast<std::size_t>(std::ranges::count_if(traces, [](const FleetTrace& it) { return it.isReadable; }));
}

std::size_t FleetTable::withFindings() const
{
    return static_cast<std::size_t>(std::ranges::count_if(traces, [](const FleetTrace& it) { return !it.findings.empty(); }));
}

Result<FleetTable> readFleet(const std::filesystem::path& catalogue, const std::stop_token& stop)
{
    const auto opened = openForQueries(catalogue, stop);
    return opened ? FleetReader(**opened, stop).read() : Result<FleetTable>(opened.error());
}

std::vector<std::uint32_t> orderByLatency(const FleetTable& table, LatencyKind kind)
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < table.traces.size(); ++i)
        if (table.traces[i].latency(kind) && !table.traces[i].hasLosses())
            order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return table.traces[i].latency(kind)->most; });
    return order;
}

} // namespace helio::fleet
