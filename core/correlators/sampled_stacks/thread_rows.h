#pragma once

#include "core/correlators/sampled_stacks/stack_rows.h"
#include "core/profiling/samples/sample_stacks.h"

#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace helio::sampled_stacks {

/// Rows of one trace's sampled threads in three levels: processes, their threads, and the depths of the threads' stacks.
class ThreadRows {
public:
    /// `begin`: the beginning of the recording.
    /// Ownership: the caller keeps `sink` alive while this object exists.
    ThreadRows(std::string_view view, HostTimestamp begin, StateSink& sink);

    /// Counts a sample of a thread, and returns the rows of the thread's stack. `index`: number of the thread, the same in every call.
    StackRows& of(std::uint32_t index, const SampledThread& thread);
    /// Closes all rows at the end of their last sample, and sorts threads and processes by their number of samples, largest first.
    void finish();

private:
    /// Key of a thread during one lifetime, because TIDs are reused: row, PID, TID, and name; the name is empty if the TID is known.
    using Life = std::tuple<TrackRef, std::int32_t, std::int32_t, std::string>;

    struct Thread {
        TrackId row = NoTrack;
        TrackId process = NoTrack;
        StackRows stack;
        std::uint64_t samples = 0;
    };

    Thread& add(const SampledThread& thread);
    void order();
    TrackId processOf(const SampledThread& thread);
    std::string keyOf(const char* prefix, const std::string& name);

    std::string m_view;
    HostTimestamp m_begin;
    StateSink& m_sink;
    StateSetId m_states{};
    std::size_t m_rows = 0;
    std::deque<Thread> m_threads;
    std::vector<Thread*> m_byIndex;
    std::map<Life, Thread*> m_byLife;
    std::map<std::int32_t, TrackId> m_processes; ///< Process rows, keyed by PID.
    /// Number of rows for each key without a suffix, e.g. "pid:1". Later rows with an equal key get the suffix "#2", "#3", ….
    std::map<std::string, int> m_keyCounts;
};

} // namespace helio::sampled_stacks
