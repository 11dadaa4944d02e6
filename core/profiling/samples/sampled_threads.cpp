#include "core/profiling/samples/sampled_threads.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio {
namespace {

/// Returns the rows of the trace's threads that the filter selects.
std::set<TrackRef> wantedRows(const Timeline& timeline, std::uint32_t trace, const SampleFilter& filter)
{
    std::set<TrackRef> wanted(filter.threads.begin(), filter.threads.end());
    for (const TrackRef& process : filter.processes) {
        wanted.insert(process);
        const Track* leader = trackOf(timeline, process);
        if (leader && traceOf(timeline, process) == trace)
            forEachTrack(process.store, *storeOf(timeline, process), TrackRole::Thread, [&](TrackRef row, const Track& track) {
                if (track.pid == leader->pid && track.parent == process.track)
                    wanted.insert(row);
            });
    }
    return wanted;
}

std::string lastNameOf(const Track& thread) { return thread.label == thread.key ? std::string() : thread.label; }

} // namespace

std::map<std::pair<std::uint32_t, std::int32_t>, std::string> processNames(std::span<const SampledThread> threads)
{
    std::map<std::pair<std::uint32_t, std::int32_t>, std::string> names;
    for (const SampledThread& thread : threads)
        if (const auto [name, isNew] = names.emplace(std::pair(thread.host, thread.pid), thread.comm); !isNew && thread.tid == thread.pid)
            name->second = thread.comm;
    for (const SampledThread& thread : threads)
        if (!thread.process.empty())
            names[{thread.host, thread.pid}] = thread.process;
    return names;
}

SampledThreads::SampledThreads(const Timeline& timeline, StoreIndex store, const SampleFilter& filter)
    : m_timeline(timeline)
    , m_index(store)
    , m_trace(traceOf(timeline, store))
    , m_rows(timeline, store)
    , m_isFiltered(!filter.threads.empty() || !filter.processes.empty())
    , m_wanted(wantedRows(timeline, m_trace, filter))
{
}

SampledThreads::CachedThread& SampledThreads::knownOf(Life life)
{
    if (static_cast<std::size_t>(life) >= m_known.size())
        m_known.resize(m_rows.lives());
    return m_known[static_cast<std::size_t>(life)];
}

bool SampledThreads::isWantedRow(Life life)
{
    CachedThread& known = knownOf(life);
    if (known.wish == Selection::NotAsked)
        known.wish = m_rows.rowOf(life).isValid() && m_wanted.contains(m_rows.rowOf(life)) ? Selection::Wanted : Selection::Unwanted;
    return known.wish == Selection::Wanted;
}

std::vector<SampledThreads::Name> SampledThreads::namesOf(Life life) const
{
    const Track* const sampled = trackOf(m_timeline, {m_index, m_rows.threadOf(life)});
    if (sampled && sampled->role == TrackRole::SampledThread && sampled->label != sampled->key)
        return {{HostTimestamp::max(), sampled->label, Missing}};
    const TrackRef row = m_rows.rowOf(life);
    std::vector<Name> names;
    std::string_view last;
    if (const Track* track = trackOf(m_timeline, row)) {
        // Use the label of the track, which is the last name of the thread, if the trace has no name intervals: all events of such a
        // trace have the same time.
        if (track->label != track->key)
            last = track->label;
        const Store& store = *storeOf(m_timeline, row);
        if (const TrackRef held = attributeOf(m_timeline, row, TrackRole::Name); held.isValid())
            for (const HostInterval& name : store.intervals(held.track, {HostTimestamp::min(), HostTimestamp::max()}))
                names.push_back({name.range.end, store.text(StringId{name.value}), Missing});
    }
    if (names.empty())
        names.push_back({HostTimestamp::max(), last, Missing});
    return names;
}

SampledThread SampledThreads::threadOf(Life life, std::string_view name, bool isIdle) const
{
    SampledThread thread{m_rows.rowOf(life), m_trace, -1, -1, std::string(name), m_timeline.traces[m_trace].host, {}, {}};
    const Track* track = trackOf(m_timeline, thread.ref);
    if (isIdle) {
        thread.comm = "swapper";
        thread.pid = thread.tid = 0;
    } else if (track || (track = trackOf(m_timeline, {m_index, m_rows.threadOf(life)}))) {
        thread.pid = track->pid;
        thread.tid = track->tid;
        thread.lastName = lastNameOf(*track);
        const bool isLeader = track->tid == track->pid;
        const Track* leader = isLeader ? track : trackOf(m_timeline, {thread.ref.store, track->parent});
        if (leader && leader->pid == track->pid && leader->tid == track->pid)
            thread.process = lastNameOf(*leader);
    }
    return thread;
}

std::uint32_t SampledThreads::indexOf(const HostSample& sample, Life life, std::vector<SampledThread>& threads)
{
    CachedThread& known = sample.isIdle ? m_idle : knownOf(life);
    if (known.names.empty())
        known.names = namesOf(life);
    auto name = std::upper_bound(known.names.begin(), known.names.end() - 1, sample.time,
                                 [](HostTimestamp at, const Name& n) { return at < n.end; });
    if (name->index == Missing) {
        name->index = static_cast<std::uint32_t>(threads.size());
        threads.push_back(threadOf(life, name->text, sample.isIdle));
    }
    return name->index;
}

} // namespace helio
