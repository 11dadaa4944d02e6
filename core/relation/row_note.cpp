#include "core/relation/row_note.h"

namespace helio {
namespace {

constexpr const char* NoteKind = "note";

} // namespace

Track noteTrack(const RowNote& note, TrackId row, const std::string& rowKey)
{
    Track track;
    track.kind = NoteKind;
    track.key = rowKey + '/' + NoteKind;
    track.label = note.title;
    track.parent = row;
    track.pid = static_cast<std::int32_t>(note.trace);
    track.cpu = note.inner;
    track.tid = static_cast<std::int32_t>(note.source.store);
    track.isKernelThread = note.isOfInside;
    track.sortKey = static_cast<std::int32_t>(note.source.track);
    return track;
}

std::optional<RowNote> readNote(const Track& track)
{
    if (!track.view.empty() || track.role != TrackRole::Other || track.kind != NoteKind)
        return {};
    const TrackRef source{StoreIndex{static_cast<std::uint32_t>(track.tid)}, TrackId{static_cast<std::uint32_t>(track.sortKey)}};
    return RowNote{static_cast<std::uint32_t>(track.pid), track.cpu, source, track.isKernelThread, track.label};
}

} // namespace helio
