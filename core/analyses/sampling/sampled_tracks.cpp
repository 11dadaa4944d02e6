#include "core/analyses/sampling/sampled_tracks.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace helio::sampling {
namespace {

/// Maximum number of CPUs that Linux can be built for (NR_CPUS).
constexpr std::int32_t MaxCpus = 8192;

const StateSet TickStates{"sample", {{"sample"}}};
constexpr std::array<std::pair<TrackRole, std::string_view>, 4> TickKinds{{{TrackRole::SamplesUser, "samples-user"},
                                                                           {TrackRole::SamplesKernel, "samples-kernel"},
                                                                           {TrackRole::SamplesOther, "samples-other"},
                                                                           {TrackRole::SamplesEvents, "samples-events"}}};

} // namespace

std::size_t ticksOf(CodeMode mode)
{
    switch (mode) {
    case CodeMode::User: return 0;
    case CodeMode::Kernel: return 1;
    default: return 2;
    }
}

SampledTracks::SampledTracks(StateSink& sink)
    : m_sink(sink)
    , m_states(*sink.stateSet(TickStates))
{
}

void SampledTracks::findThread(std::int32_t tid, std::int32_t pid)
{
    SampledTrack& thread = m_threads[tid];
    m_lastTid = tid;
    m_last = &thread;
    const std::string key = "tid:" + std::to_string(tid);
    if (thread.track == NoTrack)
        thread.track = addThread(tid, pid, key, key);
}

SampledTrack& SampledTracks::thread(std::int32_t tid, std::int32_t pid, std::string_view command)
{
    SampledTrack& thread = m_named[{tid, std::string(command)}];
    if (thread.track == NoTrack)
        thread.track = addThread(tid, pid, "tid:" + std::to_string(tid) + ':' + std::string(command), std::string(command));
    return thread;
}

TrackId SampledTracks::addThread(std::int32_t tid, std::int32_t pid, std::string key, std::string label)
{
    Track track;
    track.role = TrackRole::SampledThread;
    track.kind = "sampled-thread";
    track.key = std::move(key);
    track.label = std::move(label);
    track.states = m_states;
    track.pid = pid > 0 ? pid : -1;
    track.tid = tid;
    return m_sink.addTrack(std::move(track));
}

SampledTrack* SampledTracks::cpu(std::int32_t number)
{
    if (number < 0 || number >= MaxCpus)
        return nullptr;
    SampledTrack& cpu = m_cpus[number];
    if (cpu.track != NoTrack)
        return &cpu;
    Track track;
    track.role = TrackRole::SampledCpu;
    track.kind = "sampled-cpu";
    track.key = "cpu:" + std::to_string(number);
    track.label = "CPU " + std::to_string(number);
    track.states = m_states;
    track.cpu = number;
    cpu.track = m_sink.addTrack(std::move(track));
    return &cpu;
}

void SampledTracks::addTick(HostTimestamp at, SampledTrack& row, std::size_t kind)
{
    SampledTrack::Ticks& ticks = row.ticks[kind];
    if (ticks.track == NoTrack) {
        Track track;
        std::tie(track.role, track.kind) = TickKinds[kind];
        track.parent = row.track;
        track.states = m_states;
        ticks.track = m_sink.addTrack(std::move(track));
    }
    const HostTimestamp from = std::max(at, ticks.end);
    ticks.end = from + Duration(1);
    // Adjoining ticks need different values, because the store merges adjoining intervals with equal values.
    m_sink.set(from, ticks.track, State{}, static_cast<std::uint32_t>(nanoseconds(from) & 1));
    m_sink.end(ticks.end, ticks.track);
}

} // namespace helio::sampling
