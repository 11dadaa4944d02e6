#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

namespace helio::sql {
namespace {

struct RecordedTrack {
    std::int64_t id = 0;
    std::string name;
    std::string type;
    std::string unit;
    HostId host = 0;
    std::int64_t utid = -1;
    std::int64_t upid = -1;
    std::int64_t cpu = -1;
    bool isCounter = false;
};

std::vector<RecordedTrack> allTracks(const Recording& recording, const std::stop_token& stop)
{
    const auto idOrNone = [](const std::optional<std::uint32_t>& id) { return id ? std::int64_t{*id} : -1; };
    std::vector<RecordedTrack> all;
    for (const SliceTrack& track : recording.slices->tracks(stop))
        all.push_back(
            {track.id, track.name, track.type, {}, track.host, idOrNone(track.thread), idOrNone(track.process), track.cpu, false});
    for (const CounterTrack& track : *recording.counters)
        all.push_back(
            {track.id, track.name, track.type, track.unit, track.host, idOrNone(track.thread), idOrNone(track.process), track.cpu, true});
    return all;
}

std::unique_ptr<Table> makeTracks(const Recording& recording)
{
    using Track = RecordedTrack;
    std::vector<ListColumn<Track>> columns;
    columns.push_back({{"id", ColumnType::Integer, Search::Equal, true},
                       [](const Track& track, ValueSink sink) { sink.integer(track.id); },
                       [](const Track& track) { return track.id; }});
    columns.push_back({{"name", ColumnType::Text}, [](const Track& track, ValueSink sink) { sink.textOrNull(track.name); }});
    columns.push_back({{"type", ColumnType::Text}, [](const Track& track, ValueSink sink) { sink.textOrNull(track.type); }});
    columns.push_back({{"unit", ColumnType::Text}, [](const Track& track, ValueSink sink) { sink.textOrNull(track.unit); }});
    columns.push_back({{"machine_id"}, [](const Track& track, ValueSink sink) { sink.integer(track.host); }});
    columns.push_back({{"utid", ColumnType::Integer, Search::Equal},
                       [](const Track& track, ValueSink sink) { sink.id(track.utid); },
                       [](const Track& track) { return track.utid; }});
    columns.push_back({{"upid", ColumnType::Integer, Search::Equal},
                       [](const Track& track, ValueSink sink) { sink.id(track.upid); },
                       [](const Track& track) { return track.upid; }});
    columns.push_back({{"cpu", ColumnType::Integer, Search::Equal},
                       [](const Track& track, ValueSink sink) { sink.id(track.cpu); },
                       [](const Track& track) { return track.cpu; }});
    columns.push_back({{"is_counter", ColumnType::Integer, Search::Equal},
                       [](const Track& track, ValueSink sink) { sink.integer(track.isCounter ? 1 : 0); },
                       [](const Track& track) { return std::int64_t{track.isCounter}; }});
    return std::make_unique<ListTable<Track>>(std::move(columns), static_cast<double>(recording.slices->trackIdEnd()),
                                              [recording](const std::stop_token& stop) { return allTracks(recording, stop); });
}

} // namespace

/// All tracks. The views `track`, `thread_track`, `cpu_counter_track` and the like are parts of it.
extern const TableFactory recordedTrackTable;
const TableFactory recordedTrackTable{"recorded_track", makeTracks};

} // namespace helio::sql
