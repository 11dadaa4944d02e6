#include "core/query/rows/sampled_rows.h"

#include "core/query/rows/event_threads.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio {
namespace {

/// A row of a TID, with the time from which samples of the TID belong to the row. If a sample lies between the lifetimes of two rows, it
/// belongs to the earlier row.
struct RowLife {
    HostTimestamp begin;
    TrackRef row;
};

/// Returns the rows of a TID in a store, in time order. The first row begins at the minimum time, so that every sample has a row.
std::vector<RowLife> livesIn(const Timeline& timeline, StoreIndex index, const Store& store, std::int32_t tid)
{
    std::vector<RowLife> lives;
    // End of the previous row that has intervals; the minimum time before the first such row. A row without intervals is assumed to begin
    // at this time.
    HostTimestamp known = HostTimestamp::min();
    for (const TrackId id : store.tracksOf(TrackRole::Thread, tid)) {
        const Track& track = store.tracks()[static_cast<std::size_t>(id)];
        if (hostTidOf(timeline, {index, id}) != tid)
            continue;
        lives.push_back({track.intervals > 0 ? track.life.begin : known, {index, id}});
        known = track.intervals > 0 ? track.life.end : known;
    }
    std::ranges::stable_sort(lives, {}, &RowLife::begin);
    if (!lives.empty())
        lives.front().begin = HostTimestamp::min();
    return lives;
}

/// Returns the rows of a TID from the first store of the trace that has rows of the TID.
std::vector<RowLife> livesIn(const Timeline& timeline, std::uint32_t trace, std::int32_t tid)
{
    std::vector<RowLife> lives;
    forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
        if (lives.empty())
            lives = livesIn(timeline, index, store, tid);
    });
    return lives;
}

TimeRange lifeOf(const Timeline& timeline, TrackRef row, std::int32_t tid)
{
    TimeRange life = RowTicks().life;
    const auto lives = livesIn(timeline, row.store, *storeOf(timeline, row), tid);
    const auto own = std::ranges::find(lives, row, &RowLife::row);
    if (own == lives.end())
        return life;
    const ClockTransform& clock = clockOf(timeline, row.store);
    if (own != lives.begin())
        life.begin = clock(own->begin);
    if (own + 1 != lives.end())
        life.end = clock((own + 1)->begin);
    return life;
}

TrackId childOf(const Store& store, TrackId parent, TrackRole role)
{
    for (const TrackId child : store.childrenOf(parent))
        if (store.tracks()[static_cast<std::size_t>(child)].role == role)
            return child;
    return NoTrack;
}

bool isOfSamples(TrackRole role) { return role >= TrackRole::SamplesUser && role <= TrackRole::SamplesEvents; }

} // namespace

RowTicks ticksOf(const Timeline& timeline, TrackRef row, TrackRole role)
{
    const Track* const track = trackOf(timeline, row);
    if (!track)
        return {};
    RowTicks ticks;
    if (const TrackId own = childOf(*storeOf(timeline, row), row.track, role); own != NoTrack)
        ticks.track = {row.store, own};
    const bool isThread = track->role == TrackRole::Thread && hostTidOf(timeline, row) >= 0;
    if (ticks.track.isValid() || !isOfSamples(role) || !(isThread || track->role == TrackRole::Cpu))
        return ticks;
    forEachStoreOf(timeline, traceOf(timeline, row), [&](StoreIndex index, const Store& store) {
        const auto sampled =
            isThread ? store.tracksOf(TrackRole::SampledThread, track->tid) : store.tracksOf(TrackRole::SampledCpu, track->cpu);
        if (!ticks.track.isValid() && !sampled.empty())
            ticks.track = {index, childOf(store, sampled.front(), role)};
    });
    if (!ticks.track.isValid())
        return {};
    if (isThread)
        ticks.life = lifeOf(timeline, row, track->tid);
    return ticks;
}

SampledRows::SampledRows(const Timeline& timeline, StoreIndex samples)
    : m_timeline(timeline)
    , m_store(samples)
    , m_threads(storeAt(timeline, samples).tracks().size() + 1)
{
}

void SampledRows::read(TrackId thread, Thread& of)
{
    of.first = static_cast<std::uint32_t>(m_lives.size());
    const auto tracks = storeAt(m_timeline, m_store).tracks();
    const auto place = static_cast<std::size_t>(thread);
    const bool isKnown = place < tracks.size();
    const bool isThread = isKnown && tracks[place].role == TrackRole::SampledThread && tracks[place].tid > 0;
    // True if the store has one track for each name of the thread.
    const bool isNamed = isThread && tracks[place].label != tracks[place].key;
    // Search for several tracks of one TID. Analyses make one track for each TID, so several exist only in a damaged store; all of
    // them use the lifetimes of the first track.
    if (const auto alike = isThread && !isNamed ? storeAt(m_timeline, m_store).tracksOf(TrackRole::SampledThread, tracks[place].tid)
                                                : std::span<const TrackId>();
        !alike.empty() && alike.front() != thread) {
        Thread& first = m_threads[static_cast<std::size_t>(alike.front())];
        if (first.lives == 0)
            read(alike.front(), first);
        of = first;
        return;
    }
    if (isThread)
        for (const RowLife& life : livesIn(m_timeline, traceOf(m_timeline, m_store), tracks[place].tid))
            m_lives.push_back({life.begin, life.row, thread});
    else if (isKnown)
        m_lives.push_back({HostTimestamp::min(), {m_store, thread}, thread});
    if (m_lives.size() == of.first)
        m_lives.push_back({HostTimestamp::min(), {}, isKnown ? thread : NoTrack});
    of.lives = static_cast<std::uint32_t>(m_lives.size()) - of.first;
}

} // namespace helio
