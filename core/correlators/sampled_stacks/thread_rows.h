#pragma once

#include "core/correlators/sampled_stacks/stack_rows.h"
#include "core/profiling/samples/sample_stacks.h"

#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace helio::sampled_stacks {

/// The rows of one trace's sampled threads: processes, below them threads, below them the depths of their stacks.
class ThreadRows {
public:
    /// `begin`: the beginning of the recording.
    /// Ownership: the caller keeps `sink` alive.
    ThreadRows(std::string_view view, HostTimestamp begin, StateSink& sink);

    /// Counts a sample of the thread, and returns the rows of its stack. `index`: number of the thread, the same in each call.
    StackRows& of(std::uint32_t index, const SampledThread& thread);
    /// Ends all rows after the last sample, and sorts them: threads and processes with the most samples first.
    void finish();

private:
    /// Identifies one life of a thread: row, PID and TID.
    using Life = std::tuple<TrackRef, std::int32_t, std::int32_t>;

    struct Thread {
        TrackId row = NoTrack;
        TrackId process = NoTrack;
        StackRows stack;
        std::uint64_t samples = 0;
    };

    Thread& add(const SampledThread& thread);
    void order();
    TrackId processOf(const SampledThread& thread);
    std::string keyOf(const char* prefix, std::int32_t number);

    std::string m_view;
    HostTimestamp m_begin;
    StateSink& m_sink;
    StateSetId m_states{};
    std::size_t m_rows = 0;
    std::deque<Thread> m_threads;
    std::vector<Thread*> m_byIndex;
    std::map<Life, Thread*> m_byLife;
    std::map<std::int32_t, TrackId> m_processes; ///< Keyed by PID.
    std::map<std::string, int> m_keys; ///< Number of rows by the first part of their key.
};

} // namespace helio::sampled_stacks
