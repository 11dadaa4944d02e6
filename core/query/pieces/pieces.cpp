#include "core/query/pieces/pieces.h"

#include "core/query/hosts/message_ends.h"
#include "core/query/machines/machine_names.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/traffic/transits.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace helio {
namespace {

constexpr TimeRange Ever{Timestamp::min(), Timestamp::max()};

/// "Packet part", of "packet-part".
std::string titleOf(std::string kind)
{
    std::ranges::replace(kind, '-', ' ');
    if (!kind.empty())
        kind[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(kind[0])));
    return kind;
}

/// The names of one kind's segments. Those of frames are looked up once each.
class SegmentNames {
public:
    SegmentNames(const Timeline& timeline, const SegmentKind& kind)
        : m_timeline(timeline)
        , m_kind(kind)
        , m_machines(timeline)
    {
    }

    std::string_view of(const Segment& segment)
    {
        std::string_view own = m_kind.hasFrames ? frame(segment) : nameOf(m_timeline, segment);
        if (own.empty())
            own = m_kind.title;
        if (const std::string& machine = m_machines.machineOf(segment.row()); !machine.empty()) {
            m_text.assign(own).append(" of ").append(machine);
            return m_text;
        }
        if (m_timeline.hosts.size() < 2 || isOfAllTraces(m_timeline, segment.store))
            return own;
        m_text.assign(own).append(" on ").append(hostOf(segment));
        return m_text;
    }

private:
    std::string_view frame(const Segment& segment)
    {
        const auto [at, isNew] = m_frames.try_emplace({segment.store, segment.recorded.stack()});
        if (isNew)
            at->second = frameText(m_timeline, segment.store, segment.recorded.stack());
        return at->second;
    }
    const std::string& hostOf(const Segment& segment) const
    {
        return m_timeline.hosts[m_timeline.traces[traceOf(m_timeline, segment.store)].host].shownName();
    }

    const Timeline& m_timeline;
    const SegmentKind& m_kind;
    const MachineNames m_machines;
    std::map<std::pair<StoreIndex, StackId>, std::string> m_frames;
    std::string m_text;
};

void eachMessage(const Timeline& timeline, std::string_view kind, const std::function<void(const NamedPiece&)>& take,
                 const std::stop_token& stop)
{
    const auto takeOne = [&](const Transit& it) {
        const std::string name = connectionOf(timeline, it);
        take({it.range, endsOf(timeline, it.relation, it.place).from.row, name});
    };
    eachTransit(timeline, kind, Ever, takeOne, stop);
}

} // namespace

std::vector<PieceKind> pieceKinds(const Timeline& timeline)
{
    std::vector<PieceKind> kinds;
    for (const SegmentKind& it : segmentKinds(timeline))
        if (!it.areCalls)
            kinds.push_back({it.id, it.title.empty() ? titleOf(it.id) : it.title, it.nameTitle.empty() ? "Name" : it.nameTitle});
    for (const std::string& it : transitKinds(timeline))
        if (std::ranges::find(kinds, it, &PieceKind::id) == kinds.end())
            kinds.push_back({it, titleOf(it) + "s", "Connection"});
    return kinds;
}

void eachPiece(const Timeline& timeline, std::string_view kind, const std::function<void(const NamedPiece&)>& take, std::stop_token stop)
{
    const auto segments = findSegmentKind(timeline, kind);
    if (!segments)
        return eachMessage(timeline, kind, take, stop);
    SegmentNames names(timeline, *segments);
    eachSegment(
        timeline, kind, Ever,
        [&](const Segment& it) {
            take({it.range, it.row(), names.of(it)});
        },
        stop);
}

std::vector<NamedLengths> pieceLengths(const Timeline& timeline, std::string_view kind, std::stop_token stop)
{
    LengthsByName sums;
    eachPiece(
        timeline, kind, [&](const NamedPiece& it) { sums.add(it.name, it.range); }, std::move(stop));
    return sums.take();
}

std::vector<std::int64_t> lengthsOfPieces(const Timeline& timeline, std::string_view kind, std::string_view name, std::stop_token stop)
{
    std::vector<std::int64_t> lengths;
    const auto take = [&](const NamedPiece& it) {
        if (it.name == name)
            lengths.push_back(lengthOf(it.range).count());
    };
    eachPiece(timeline, kind, take, std::move(stop));
    return lengths;
}

std::vector<PlacedPiece> piecesOfLengths(const Timeline& timeline, std::string_view kind, std::string_view name, Duration from, Duration to,
                                         std::size_t most, std::stop_token stop)
{
    std::vector<PlacedPiece> found;
    const MachineNames machines(timeline);
    const auto take = [&](const NamedPiece& it) {
        const Duration length = lengthOf(it.range);
        if (found.size() < most && length >= from && length < to && it.name == name)
            found.push_back({it.range, machines.shownFor(it.row)});
    };
    eachPiece(timeline, kind, take, std::move(stop));
    return found;
}

} // namespace helio
