#include "core/analyses/locks/lock_rows.h"

#include <cstdio>
#include <utility>

namespace helio::locks {
namespace {

SegmentKindId addKind(StateSink& sink, const char* id, const char* title)
{
    SegmentKind kind;
    kind.id = id;
    kind.title = title;
    kind.nameTitle = "Lock";
    kind.valueTitle = "By";
    kind.hasFields = true;
    return *sink.segments().addKind(kind);
}

} // namespace

SegmentKindId waitsIn(StateSink& sink) { return addKind(sink, "lock", "Waits for locks"); }

SegmentKindId holdsIn(StateSink& sink) { return addKind(sink, "lock-hold", "Locks held"); }

TrackId addLockRow(StateSink& sink, const std::string& key, const std::string& label, const char* kind, std::int32_t pid,
                   std::size_t number)
{
    if (number >= MostRows)
        return NoTrack;
    Track track;
    track.view = View;
    track.kind = kind;
    track.key = key;
    track.label = label;
    track.pid = pid;
    track.states = *sink.stateSet(lockStates());
    track.valueKind = ValueKind::Text;
    track.sortKey = static_cast<std::int32_t>(number);
    return sink.addTrack(std::move(track));
}

std::string hexadecimal(std::uint64_t number)
{
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
    return text;
}

} // namespace helio::locks
