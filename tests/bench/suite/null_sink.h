#pragma once

#include "core/store/file/string_pool.h"
#include "core/store/store.h"

#include <deque>

namespace helio::bench {

/// A sink that keeps only tracks and texts: a run with this sink measures reading and analysing without a store.
class NullSink final : public StateSink {
public:
    Result<StateSetId> stateSet(const StateSet&) override { return StateSetId{}; }
    Result<State> addState(StateSetId, const StateKind&) override { return State{}; }
    Result<LinkKind> linkKind(const LinkKindInfo&, LinkKind known) override { return known; }
    StringId string(std::string_view text) override { return m_strings.intern(text); }
    TrackId addTrack(Track track) override
    {
        m_recorder.addTrack();
        m_tracks.push_back(std::move(track));
        return TrackId(m_tracks.size() - 1);
    }
    Track& track(TrackId id) override { return m_tracks[std::size_t(id)]; }
    void link(const Link&) override { ++links; }
    Result<std::uint32_t> integer(std::int64_t) override { return std::uint32_t{}; }
    Result<std::uint32_t> real(double) override { return std::uint32_t{}; }

    std::uint64_t links = 0;

protected:
    void makeRoom(std::uint32_t, TrackBoundaries& row) override
    {
        if (row.capacity() < Kept)
            row.reserve(2 * row.capacity());
        else
            row.dropFirst(row.size() / 2);
    }

private:
    /// Size in interval boundaries at which a track stops growing. A full track drops half of its boundaries at once, which is cheap for
    /// each boundary.
    static constexpr std::size_t Kept = 512;

    std::deque<Track> m_tracks;
    StringInterner m_strings;
};

} // namespace helio::bench
