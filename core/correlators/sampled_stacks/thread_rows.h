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
    /// `begin`: of the recording. The sink outlives it.
    ThreadRows(std::string_view view, HostTimestamp begin, StateSink& sink);

    /// The rows of the stack of a thread that was sampled once more. `index` names it from now on.
    StackRows& of(std::uint32_t index, const SampledThread& thread);
    /// No more samples come: who was sampled most stands first.
    void finish();

private:
    /// One life of a thread.
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
    std::map<std::int32_t, TrackId> m_processes; ///< By PID.
    std::map<std::string, int> m_keys; ///< How many rows begin so.
};

} // namespace helio::sampled_stacks
