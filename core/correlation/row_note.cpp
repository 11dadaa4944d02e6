#include "core/correlation/row_note.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace helio {
namespace {

/// Prefixes of Track::kind, indexed by RowNote::Source; RowNote::known follows the prefix.
constexpr std::array<std::string_view, 4> Kinds{"note:", "note-inside:", "note-below:", "note-about:"};

} // namespace

Track noteTrack(const RowNote& note, TrackId row, const std::string& rowKey)
{
    Track track;
    track.kind = std::string(Kinds[static_cast<std::size_t>(note.kind)]) + note.known;
    track.key = rowKey + "/note";
    track.label = note.title;
    track.parent = row;
    track.pid = static_cast<std::int32_t>(note.trace);
    track.cpu = note.inner;
    track.tid = static_cast<std::int32_t>(note.source.store);
    track.sortKey = static_cast<std::int32_t>(note.source.track);
    return track;
}

std::optional<RowNote> readNote(const Track& track)
{
    const auto kind = std::ranges::find_if(Kinds, [&](std::string_view it) { return track.kind.starts_with(it); });
    if (!track.view.empty() || track.role != TrackRole::Other || kind == Kinds.end())
        return {};
    const auto is = static_cast<RowNote::Source>(kind - Kinds.begin());
    const TrackRef source{StoreIndex{static_cast<std::uint32_t>(track.tid)}, TrackId{static_cast<std::uint32_t>(track.sortKey)}};
    return RowNote{static_cast<std::uint32_t>(track.pid), track.cpu, source, is, track.label, track.kind.substr(kind->size())};
}

} // namespace helio
