#include "core/correlators/sampled_stacks/thread_rows.h"

#include <algorithm>
#include <utility>

namespace helio::sampled_stacks {

ThreadRows::ThreadRows(std::string_view view, HostTimestamp begin, StateSink& sink)
    : m_view(view)
    , m_begin(begin)
    , m_sink(sink)
    , m_states(*sink.stateSet(stackStates()))
{
}

StackRows& ThreadRows::of(std::uint32_t index, const SampledThread& thread)
{
    if (index >= m_byIndex.size())
        m_byIndex.resize(index + 1);
    Thread*& known = m_byIndex[index];
    // The cache has no entry for this index. The thread is new, or it is a known thread with a new name; a known thread keeps its rows.
    if (!known) {
        Thread*& life = m_byLife[{thread.ref, thread.pid, thread.tid, thread.tid < 0 ? thread.comm : std::string()}];
        if (!life)
            life = &add(thread);
        known = life;
    }
    ++known->samples;
    return known->stack;
}

void ThreadRows::finish()
{
    for (Thread& it : m_threads)
        it.stack.finish();
    order();
}

void ThreadRows::order()
{
    std::map<TrackId, std::uint64_t> byProcess;
    const auto place = [this](TrackId row, std::uint64_t samples) {
        m_sink.track(row).sortKey = -static_cast<std::int32_t>(std::min<std::uint64_t>(samples, INT32_MAX));
    };
    for (const Thread& it : m_threads) {
        place(it.row, it.samples);
        if (it.process != NoTrack)
            place(it.process, byProcess[it.process] += it.samples);
    }
}

ThreadRows::Thread& ThreadRows::add(const SampledThread& thread)
{
    Track row;
    row.view = m_view;
    row.role = TrackRole::Group;
    row.kind = "thread";
    row.key = keyOf("samples:", thread.tid >= 0 ? std::to_string(thread.tid) : thread.comm);
    row.label = !thread.lastName.empty() ? thread.lastName : thread.comm.empty() ? std::to_string(thread.tid) : thread.comm;
    row.states = m_states;
    row.parent = processOf(thread);
    row.pid = thread.pid;
    row.tid = thread.tid;
    const TrackId process = row.parent;
    const TrackId own = m_sink.addTrack(std::move(row));
    return m_threads.emplace_back(Thread{own, process, StackRows(own, m_begin, m_sink, m_rows)});
}

/// Returns the row of the thread's process; NoTrack if the PID is unknown, so that the thread's row is at the top level. The row's label is
/// the process's name, or else the name of the main thread or of the first sampled thread.
TrackId ThreadRows::processOf(const SampledThread& thread)
{
    if (thread.pid < 0)
        return NoTrack;
    const auto [it, isNew] = m_processes.try_emplace(thread.pid, NoTrack);
    if (isNew) {
        Track row;
        row.view = m_view;
        row.role = TrackRole::Group;
        row.kind = "process";
        row.key = keyOf("pid:", std::to_string(thread.pid));
        row.label = thread.comm.empty() ? row.key : thread.comm;
        row.states = m_states;
        row.pid = thread.pid;
        it->second = m_sink.addTrack(std::move(row));
    }
    if (!thread.process.empty())
        m_sink.track(it->second).label = thread.process;
    else if (thread.pid == thread.tid && !thread.comm.empty())
        m_sink.track(it->second).label = thread.comm;
    return it->second;
}

std::string ThreadRows::keyOf(const char* prefix, const std::string& name)
{
    std::string key = prefix + name;
    const int lives = ++m_keyCounts[key];
    return lives > 1 ? key + '#' + std::to_string(lives) : key;
}

} // namespace helio::sampled_stacks
