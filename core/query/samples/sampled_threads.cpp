#include "core/query/samples/sampled_threads.h"

#include "core/query/rows/composed.h"

#include <algorithm>

namespace helio {
namespace {

/// The threads that the filter names, by track. Empty where it names none at all.
std::vector<bool> wantedTracks(const Timeline& timeline, StoreIndex store, const SampleFilter& filter)
{
    if (filter.threads.empty() && filter.processes.empty())
        return {};
    const auto tracks = storeAt(timeline, store).tracks();
    std::vector<bool> wanted(tracks.size() + 1);
    const auto index = [&](TrackRef ref) {
        return ref.store == store && static_cast<std::size_t>(ref.track) < tracks.size() ? static_cast<std::size_t>(ref.track)
                                                                                         : tracks.size();
    };
    for (const TrackRef& thread : filter.threads)
        wanted[index(thread)] = true;
    for (const TrackRef& process : filter.processes) {
        const std::size_t leader = index(process);
        wanted[leader] = true;
        for (std::size_t i = 0; leader < tracks.size() && i < tracks.size(); ++i)
            if (tracks[i].role == TrackRole::Thread && tracks[i].pid == tracks[leader].pid && tracks[i].parent == process.track)
                wanted[i] = true;
    }
    wanted[tracks.size()] = false;
    return wanted;
}

} // namespace

SampledThreads::SampledThreads(const Timeline& timeline, StoreIndex store, const SampleFilter& filter)
    : m_index(store)
    , m_store(storeAt(timeline, store))
    , m_trace(traceOf(timeline, store))
    , m_host(timeline.traces[m_trace].host)
    , m_wanted(wantedTracks(timeline, store, filter))
    , m_names(m_store.tracks().size() + 2)
{
}

void SampledThreads::read(TrackId thread, Names& names) const
{
    names.isRead = true;
    const auto tracks = m_store.tracks();
    std::string_view last;
    if (static_cast<std::size_t>(thread) < tracks.size()) {
        // What it was called at the end; where the whole trace has but one time, no name lasted.
        if (const Track& track = tracks[static_cast<std::size_t>(thread)]; track.label != track.key)
            last = track.label;
        for (const TrackId child : m_store.childrenOf(thread))
            if (tracks[static_cast<std::size_t>(child)].role == TrackRole::Name)
                for (const HostInterval& held : m_store.intervals(child, {HostTimestamp::min(), HostTimestamp::max()}))
                    names.names.push_back({held.range.end, m_store.text(StringId{held.value}), Missing});
    }
    if (names.names.empty())
        names.names.push_back({HostTimestamp::max(), last, Missing});
}

std::uint32_t SampledThreads::indexOf(const HostSample& sample, std::vector<SampledThread>& threads)
{
    const auto tracks = m_store.tracks();
    const std::size_t place = sample.isIdle ? tracks.size() + 1 : std::min(static_cast<std::size_t>(sample.thread), tracks.size());
    Names& names = m_names[place];
    if (!names.isRead)
        read(sample.thread, names);
    auto name = std::upper_bound(names.names.begin(), names.names.end() - 1, sample.time,
                                 [](HostTimestamp at, const Name& n) { return at < n.end; });
    if (name->index != Missing)
        return name->index;
    SampledThread thread{{m_index, sample.thread}, m_trace, -1, -1, std::string(name->text), m_host};
    if (place < tracks.size()) {
        thread.pid = tracks[place].pid;
        thread.tid = tracks[place].tid;
    } else {
        thread.ref.track = NoTrack;
        if (sample.isIdle) {
            thread.comm = "swapper";
            thread.pid = thread.tid = 0;
        }
    }
    name->index = static_cast<std::uint32_t>(threads.size());
    threads.push_back(std::move(thread));
    return name->index;
}

} // namespace helio
