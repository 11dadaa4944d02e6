#include "core/correlators/packets/packet_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace helio::packets {
namespace {

/// Payload of an observation: a range of byte positions in the stream, continued beyond the wrap-around of sequence numbers.
struct Part {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::uint32_t place = 0;
};

/// The observations of one flow on one host, in one direction.
class Side {
public:
    void add(std::uint32_t place, const PacketObservation& it)
    {
        m_parts.push_back({it.sequence, std::int64_t(it.sequence) + it.payload(), place});
    }

    /// Replaces sequence numbers by positions that do not wrap around. Each position, in time order, differs from the previous one by less
    /// than half of the number range.
    void unwrap(const MatchedEnds& ends)
    {
        std::ranges::sort(m_parts, {}, [&](const Part& it) { return std::pair(ends.at(it.place).time, it.place); });
        std::int64_t last = m_parts.front().begin;
        for (Part& it : m_parts) {
            const auto step = static_cast<std::int32_t>(static_cast<std::uint32_t>(it.begin) - static_cast<std::uint32_t>(last));
            const std::int64_t length = it.end - it.begin;
            it.begin = last + step;
            it.end = it.begin + length;
            last = it.begin;
        }
        std::ranges::stable_sort(m_parts, {}, &Part::begin);
        m_reach.resize(m_parts.size());
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            m_reach[i] = std::max(m_parts[i].end, i > 0 ? m_reach[i - 1] : m_parts[i].end);
    }

    bool holds(std::int64_t byte) const
    {
        const auto i = std::ranges::upper_bound(m_parts, byte, {}, &Part::begin) - m_parts.begin();
        return i > 0 && m_reach[static_cast<std::size_t>(i - 1)] > byte;
    }

    /// Returns the only part that contains the byte and is not matched as a whole packet; null if several parts or none qualify, or after
    /// too many search steps.
    const Part* holderOf(std::int64_t byte, const MatchedEnds& ends) const
    {
        constexpr int MostSteps = 64;
        const Part* found = nullptr;
        auto i = std::ranges::upper_bound(m_parts, byte, {}, &Part::begin) - m_parts.begin();
        for (int step = 0; i > 0 && m_reach[static_cast<std::size_t>(i - 1)] > byte; ++step, --i) {
            const Part& it = m_parts[static_cast<std::size_t>(i - 1)];
            const bool isOne = it.end > byte && !ends.isMatched(it.place);
            if (step > MostSteps || (found && isOne))
                return nullptr;
            if (isOne)
                found = &it;
        }
        return found;
    }

    const std::vector<Part>& parts() const { return m_parts; }
    const Part* partOf(std::uint32_t place) const
    {
        const auto found = std::ranges::find(m_parts, place, &Part::place);
        return found != m_parts.end() ? &*found : nullptr;
    }

private:
    std::vector<Part> m_parts; ///< Parts, sorted by start after unwrap().
    /// For each part: largest `end` among this part and all parts before it in m_parts. A search backwards for a byte stops where this
    /// number is too small.
    std::vector<std::int64_t> m_reach;
};

struct Sides {
    std::map<std::uint16_t, Side> out; ///< Departures of the flow, keyed by the sending host.
    std::map<std::uint16_t, Side> in;
    std::set<std::uint16_t> looseOut; ///< Hosts at which packets departed without a match as whole packets.
    std::set<std::uint16_t> looseIn;
};

class PartMatcher {
public:
    PartMatcher(const Side& out, const Side& in, std::int64_t positionOffset, MatchedEnds& ends)
        : m_out(out)
        , m_in(in)
        , m_positionOffset(positionOffset)
        , m_ends(ends)
    {
    }

    void find()
    {
        for (const Part& in : m_in.parts()) {
            if (!isLoose(in) || !m_out.holds(in.end - 1 + m_positionOffset))
                continue;
            m_ends.setDepartureSeen(in.place);
            if (const Part* out = m_out.holderOf(in.end - 1 + m_positionOffset, m_ends))
                add(*out, in);
        }
        for (const Part& out : m_out.parts())
            if (isLoose(out) && m_out.holderOf(out.end - 1, m_ends) == &out)
                if (const Part* in = m_in.holderOf(out.end - 1 - m_positionOffset, m_ends))
                    add(out, *in);
        for (const auto& [out, in] : m_found)
            m_ends.match(out, in, true);
    }

private:
    bool isLoose(const Part& it) const { return !m_ends.isMatched(it.place) && it.end > it.begin; }

    void add(const Part& out, const Part& in)
    {
        const PacketObservation& sent = m_ends.at(out.place);
        const PacketObservation& received = m_ends.at(in.place);
        if (isLoose(out) && isLoose(in) && sent.acknowledgement == received.acknowledgement && sent.hops >= received.hops)
            m_found.emplace(out.place, in.place);
    }

    const Side& m_out;
    const Side& m_in;
    /// Number that is added to a byte's position in m_in (arrivals) to get its position in m_out (departures).
    const std::int64_t m_positionOffset;
    MatchedEnds& m_ends;
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_found;
};

Sides sidesOf(std::span<const PacketObservation> all, std::span<const std::uint32_t> loose, const MatchedEnds& ends)
{
    Sides sides;
    for (const std::uint32_t place : loose)
        (ends.at(place).isOut ? sides.looseOut : sides.looseIn).insert(ends.at(place).host);
    for (const PacketObservation& it : all) {
        const auto& wanted = it.isOut ? sides.looseOut : sides.looseIn;
        if (it.payload() > 0 && wanted.contains(it.host))
            (it.isOut ? sides.out : sides.in)[it.host].add(ends.placeOf(it), it);
    }
    return sides;
}

} // namespace

void matchParts(std::span<const PacketObservation> all, std::span<const std::uint32_t> loose, MatchedEnds& ends,
                const std::stop_token& stop)
{
    Sides sides = sidesOf(all, loose, ends);
    for (auto* side : {&sides.out, &sides.in})
        for (auto& [host, it] : *side)
            it.unwrap(ends);
    // For each pair of hosts, a packet that both hosts recorded as a whole. sides.out and sides.in count the bytes of the sender's stream
    // from different starting points; the positions of this packet show the difference.
    std::map<std::pair<std::uint16_t, std::uint16_t>, MatchedEnds::Match> common;
    const std::uint32_t first = ends.placeOf(all.front());
    for (const MatchedEnds::Match& it : ends.wholeMatches(first, first + static_cast<std::uint32_t>(all.size())))
        if (ends.at(it.out).payload() > 0)
            common.try_emplace({ends.at(it.out).host, ends.at(it.in).host}, it);
    for (const auto& [outHost, out] : sides.out)
        for (const auto& [inHost, in] : sides.in) {
            if (outHost == inHost || stop.stop_requested())
                continue;
            std::int64_t positionOffset = 0;
            if (const auto known = common.find({outHost, inHost}); known != common.end()) {
                const Part* sent = out.partOf(known->second.out);
                const Part* received = in.partOf(known->second.in);
                positionOffset = sent && received ? sent->begin - received->begin : 0;
            }
            PartMatcher(out, in, positionOffset, ends).find();
        }
}

} // namespace helio::packets
