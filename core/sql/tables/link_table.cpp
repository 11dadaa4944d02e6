#include "core/query/rows/arrows.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/timeline_access.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>
#include <string>

namespace helio::sql {
namespace {

struct LinkRow {
    Timestamp ts;
    Arrow arrow;
};

enum LinkColumn : int {
    LinkTs,
    LinkDur,
    LinkKindId,
    LinkFromUtid,
    LinkToUtid,
    LinkFromRow,
    LinkToRow,
    LinkCpu,
    LinkDetail,
    LinkFromHost,
    LinkToHost
};

constexpr std::array LinkColumns{
    Column{"ts", ColumnType::Integer, Search::Ordered},
    Column{"dur"},
    Column{"kind", ColumnType::Text, Search::Equal},
    Column{"from_utid"},
    Column{"to_utid"},
    Column{"from_row", ColumnType::Text},
    Column{"to_row", ColumnType::Text},
    Column{"cpu"},
    Column{"detail", ColumnType::Text},
    Column{"from_host_id"},
    Column{"to_host_id"},
};

/// Returns the kinds of links that stores and correlators have.
LinkIds allLinkKinds(const Timeline& timeline)
{
    LinkIds kinds;
    const auto add = [&kinds](std::span<const LinkKindInfo> some) {
        for (const LinkKindInfo& kind : some)
            if (!kind.id.empty() && std::ranges::find(kinds.ids, kind.id) == kinds.ids.end())
                kinds.ids.push_back(kind.id);
    };
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) { add(store.linkKinds()); });
    forEachInterTraceLinks(timeline, [&](RelationIndex, const InterTraceLinks& links) { add(links.kinds()); });
    return kinds;
}

/// Wake-ups, context switches, migrations, packets and flows: what leads from one row to another.
class LinkTable final : public TimeTable<LinkRow> {
public:
    explicit LinkTable(const Recording& recording)
        : m_recording(recording)
        , m_kinds(allLinkKinds(recording.timeline()))
    {
    }

    std::span<const Column> columns() const override { return LinkColumns; }
    double estimatedRows() const override { return static_cast<double>(m_recording.scheduling->runIds().total()) + 1'000; }

private:
    Rows rows(const Filter& filter) const override
    {
        LinkIds kinds = m_kinds;
        if (const Value* const kind = filter.equalValue(LinkKindId)) {
            const auto* const text = std::get_if<std::string>(kind);
            std::erase_if(kinds.ids, [text](const std::string& id) { return !text || id != *text; });
        }
        TimeRange all = rangeOf(m_recording.timeline());
        all.end += Duration(1);
        const auto collect = [this, kinds, stop = filter.stop()](TimeRange part, std::vector<LinkRow>& out) {
            if (kinds.isEmpty())
                return;
            ArrowWalk walk(m_recording.timeline(), kinds, part, stop);
            while (walk.next())
                if (const Arrow arrow = walk.arrow(); part.contains(arrow.fromTime))
                    out.push_back({arrow.fromTime, arrow});
        };
        return {timesAllowed(filter, LinkTs, all), all, static_cast<std::uint64_t>(estimatedRows()), collect, filter.stop()};
    }

    void write(const LinkRow& row, int column, ValueSink sink) const override
    {
        const Timeline& timeline = m_recording.timeline();
        const Arrow& arrow = row.arrow;
        switch (column) {
        case LinkTs: return sink.integer(nanoseconds(arrow.fromTime));
        case LinkDur: return sink.integer((arrow.toTime - arrow.fromTime).count());
        case LinkKindId: return sink.text(kindOf(timeline, arrow).id);
        case LinkFromUtid: return writeThread(arrow.from, arrow.fromTime, sink);
        case LinkToUtid: return writeThread(arrow.to, arrow.toTime, sink);
        case LinkFromRow: return writeRow(arrow.from, sink);
        case LinkToRow: return writeRow(arrow.to, sink);
        case LinkCpu: return writeCpu(arrow, sink);
        case LinkFromHost: return writeHost(arrow.from, sink);
        case LinkToHost: return writeHost(arrow.to, sink);
        case LinkDetail: return sink.textOrNull(arrow.detail);
        default: return;
        }
    }

    void writeThread(TrackRef row, Timestamp at, ValueSink sink) const
    {
        if (const auto thread = m_recording.things->threadOf(row, at))
            sink.integer(*thread);
    }

    void writeRow(TrackRef row, ValueSink sink) const
    {
        if (const Track* const track = trackOf(m_recording.timeline(), row))
            sink.text(track->key);
    }

    void writeHost(TrackRef row, ValueSink sink) const
    {
        const Timeline& timeline = m_recording.timeline();
        if (row.isValid() && !isOfAllTraces(timeline, row.store))
            sink.integer(timeline.traces[traceOf(timeline, row)].host);
    }

    void writeCpu(const Arrow& arrow, ValueSink sink) const
    {
        const bool hasCpu = arrow.relation == NoRelation && arrow.kind != LinkKind::Packet && arrow.kind < LinkKind::FirstOwn;
        if (const TrackRef end = arrow.from.isValid() ? arrow.from : arrow.to; hasCpu && end.isValid()) {
            const HostId host = m_recording.timeline().traces[traceOf(m_recording.timeline(), end)].host;
            sink.id(cpuId(host, static_cast<std::int32_t>(arrow.cpu)));
        }
    }

    Recording m_recording;
    LinkIds m_kinds;
};

} // namespace

extern const TableFactory linkTable;
const TableFactory linkTable{"link",
                             [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<LinkTable>(recording); }};

} // namespace helio::sql
