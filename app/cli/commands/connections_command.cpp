#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/selection/option_list.h"
#include "core/network/connections.h"
#include "core/query/rows/messages.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

struct ConnectionsOptions {
    RowTableOptions table{"connections"};

    void addTo(OptionList& options)
    {
        table.TableOptions::addTo(options, "Only matching connections, for example: name =~ \":5432$\" && duration > 1s");
        table.format.addTo(options);
    }
    std::string missing() const { return table.missing(); }
    Status read()
    {
        return table.read([this]() -> Status {
            return table.selection.cpu ? makeUsageError("--cpu", "connections belong to threads, not to CPUs") : Status(Done{});
        });
    }
};

/// Rows of threads, keyed by host and TID.
using Threads = std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<Row>>;

Threads threadsOf(const Timeline& timeline)
{
    Threads all;
    for (Row& row : threads(timeline))
        all[{row.host, row.tid}].push_back(std::move(row));
    return all;
}

/// Returns a row that stands for one end of a connection. It has the properties that options and filters can test: host, TID, and the
/// names of the thread that owns the end.
Row rowOf(const Timeline& timeline, const Threads& threads, const ConnectionFacts& connection, const ConnectionEnd& end)
{
    Row row;
    if (const auto found = threads.find({end.host, end.tid}); end.tid > 0 && found != threads.end())
        for (const Row& thread : found->second)
            if (!row.ref.isValid() || thread.life.begin <= connection.range.begin)
                row = thread;
    row.host = end.host;
    row.tid = end.tid;
    row.id = nameOf(timeline, connection);
    row.label = row.id;
    return row;
}

/// Selects connections with at least one end that matches the options.
class EndSelection {
public:
    EndSelection(const SelectionOptions& options, const Timeline& timeline)
        : m_selection(options, timeline)
        , m_timeline(timeline)
        , m_isOfAll(options.row.empty() && !options.filter && options.process.empty() && !options.thread && options.host.empty())
        , m_threads(m_isOfAll ? Threads() : threadsOf(timeline))
    {
    }

    bool selects(const ConnectionFacts& connection) const
    {
        return m_isOfAll || std::ranges::any_of(std::array{&connection.from, &connection.to}, [&](const ConnectionEnd* end) {
                   const Row row = rowOf(m_timeline, m_threads, connection, *end);
                   RowFacts facts = m_selection.factsOf(row);
                   facts.names.push_back(row.label);
                   return m_selection.isChosen(row) && m_selection.selects(facts, {}, connection.range);
               });
    }

private:
    const RowSelection m_selection;
    const Timeline& m_timeline;
    const bool m_isOfAll;
    const Threads m_threads;
};

Cell count(std::uint64_t number) { return Cell::integer(static_cast<std::int64_t>(number)); }
Cell orNone(std::optional<Duration> known) { return known ? Cell(*known) : Cell(); }

void fill(const ConnectionsOptions& options, const OpenedExperiment& opened, TableWriter& table)
{
    const Timeline& timeline = *opened.timeline;
    const EndSelection selection(options.table.selection, timeline);
    for (const ConnectionFacts& it : collectConnections(timeline, opened.window)) {
        if (!selection.selects(it))
            continue;
        const ConnectionEnd& a = it.from;
        const ConnectionEnd& b = it.to;
        const bool isMatched = a.median || b.median;
        const auto ofLengths = [&](std::uint64_t number) { return it.hasLengths ? count(number) : Cell(); };
        table.row({it.protocol,
                   a.address,
                   b.address,
                   hostOf(timeline, a),
                   hostOf(timeline, b),
                   it.range.begin,
                   it.range.end - Duration(1),
                   count(a.counts.packets),
                   count(b.counts.packets),
                   ofLengths(a.counts.bytes),
                   ofLengths(b.counts.bytes),
                   ofLengths(a.counts.payloadBytes),
                   ofLengths(b.counts.payloadBytes),
                   ofLengths(a.counts.retransmissions),
                   ofLengths(b.counts.retransmissions),
                   it.syn ? Cell(*it.syn) : Cell(),
                   orNone(it.answered),
                   orNone(it.acknowledged),
                   orNone(it.handshake()),
                   wordOf(it.ending),
                   Cell::id(a.tid),
                   a.process,
                   wordOf(a.ownerEvidence),
                   Cell::id(b.tid),
                   b.process,
                   wordOf(b.ownerEvidence),
                   count(a.counts.matched),
                   count(b.counts.matched),
                   orNone(a.median),
                   orNone(a.p99),
                   orNone(b.median),
                   orNone(b.p99),
                   isMatched && it.error != Duration::max() ? Cell(it.error) : Cell(),
                   a.translated,
                   b.translated});
    }
}

int run(const ConnectionsOptions& options)
{
    const auto check = [](const OpenedExperiment& opened, const std::vector<std::string>&) -> Status {
        if (hasUnidentifiedPackets(*opened.timeline))
            return Error{Error::Kind::Usage,
                         "addresses were not recorded, so packets cannot be assigned to connections"
                             + adviseRecording(RecordableData::Packets, opened.timeline.get()).suffix()};
        if (!hasConnections(*opened.timeline))
            return Error{Error::Kind::Usage,
                         "no packet events were recorded" + adviseRecording(RecordableData::Packets, opened.timeline.get()).suffix()};
        return Done{};
    };
    return runTable(
        options.table,
        {"protocol",         "from",          "to",         "from_host",  "to_host",      "begin_ns",        "end_ns",
         "from_packets",     "to_packets",    "from_bytes", "to_bytes",   "from_payload", "to_payload",      "from_retransmitted",
         "to_retransmitted", "syn_ns",        "syn_ack_ns", "ack_ns",     "handshake_ns", "closed",          "from_tid",
         "from_process",     "from_known_by", "to_tid",     "to_process", "to_known_by",  "from_matched",    "to_matched",
         "from_p50_ns",      "from_p99_ns",   "to_p50_ns",  "to_p99_ns",  "error_ns",     "from_translated", "to_translated"},
        [&](const OpenedExperiment& opened, const std::vector<std::string>&, TableWriter& table) { fill(options, opened, table); }, check);
}

} // namespace

extern const Command connectionsCommand;
const Command connectionsCommand{72,
                                 "connections",
                                 "Print network connections: endpoints, threads, packets, latencies",
                                 callOf<ConnectionsOptions, run>,
                                 R"(heliograph connections TRACE --process postgres
heliograph connections WEB DB --filter 'name =~ ":5432$" && duration > 1s'
)",
                                 R"(The name of a connection is "tcp A > B"; --filter also knows the names of the threads at its ends.
)"};

} // namespace helio
