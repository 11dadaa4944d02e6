#pragma once

#include "core/trace/stored/track_events.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace helio::perfetto {

/// Counter that a track describes (CounterDescriptor).
struct CounterFacts {
    std::string_view name;
    std::string_view unit;
    std::int64_t multiplier = 1;
    bool isIncremental = false;
};

/// Position of an event: what its track stands for.
struct TrackPosition {
    TrackPlace place;
    TrackScope scope = TrackScope::Track; ///< For a counter: the scope of its owner.
    std::optional<CounterFacts> counter; ///< Set if the track is a counter.
};

/// Tracks of a trace (TrackDescriptor), and the processes and threads that they describe.
/// Ownership: contains views of the packets.
class TrackTree {
public:
    explicit TrackTree(TrackEventWriter& writer)
        : m_writer(writer)
    {
    }

    /// Takes a description (TrackDescriptor). All descriptions must be taken before the first event.
    void describe(std::string_view descriptor);
    /// Takes a description of a process (ProcessDescriptor) or of a thread (ThreadDescriptor).
    void describeProcess(std::string_view descriptor);
    void describeThread(std::string_view descriptor);

    /// Returns the position of events on a track. `name` is the name of the event, which names tracks that have no name. Declares the track
    /// with the time `time` at its first use.
    const TrackPosition& find(std::uint64_t track, std::string_view name, std::int64_t time);
    /// Returns the position of events of a thread, which it declares at its first use.
    TrackPosition ofThread(std::int32_t pid, std::int32_t tid, std::int64_t time);
    TrackContext ofProcess(std::int32_t pid, std::int64_t time);

    /// Returns the number of the track for asynchronous operations of a process by their name; declares it at its first use.
    std::int64_t operationTrack(std::int32_t pid, std::string_view name, std::int64_t time);

private:
    struct Description {
        std::string_view name;
        std::uint64_t parent = 0;
        bool isProcess = false;
        bool isThread = false;
        std::int32_t pid = -1;
        std::int32_t tid = -1;
        std::optional<CounterFacts> counter;
        std::uint32_t childOrdering = 0;
        std::int32_t rank = 0;
        std::uint32_t merging = 0; ///< SiblingMergeBehavior.
        std::string mergeKey;
    };
    struct Process {
        std::string_view name;
        std::string labels;
        std::int32_t order = 0;
        bool isDeclared = false;
    };
    struct Thread {
        std::string_view name;
        std::int32_t order = 0;
        std::uint32_t pidNamespace = 0;
        bool isDeclared = false;
    };
    /// Parent of a track: what stands above its row.
    struct Parent {
        std::int64_t track = 0;
        TrackContext context;
    };

    static CounterFacts counterFrom(std::string_view descriptor);
    TrackPosition locate(std::uint64_t track, std::string_view name, std::int64_t time, int level);
    Parent parentOf(const Description& description, std::int64_t time, int level);
    std::int64_t numberOf(const std::string& key, const TrackDescription& track, std::int64_t time);

    TrackEventWriter& m_writer;
    std::unordered_map<std::uint64_t, Description> m_tracks;
    std::map<std::int32_t, Process> m_processes;
    std::map<std::pair<std::int32_t, std::int32_t>, Thread> m_threads; ///< Keyed by TID and PID.
    std::unordered_map<std::uint64_t, TrackPosition> m_positions;
    std::unordered_map<std::string, std::int64_t> m_numbers; ///< Numbers of rows, by parent and name.
    std::int64_t m_nests = 0;
};

} // namespace helio::perfetto
