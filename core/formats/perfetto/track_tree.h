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

/// Properties of a counter, read from the CounterDescriptor in the description of its track.
struct CounterFacts {
    std::string_view name;
    std::string_view unit;
    std::int64_t multiplier = 1;
    bool isIncremental = false;
};

/// Owner of the events on one track: the row that shows them and, if the track is a counter, the properties of the counter.
struct TrackPosition {
    TrackPlace place;
    TrackScope scope = TrackScope::Track; ///< Kind of the owner, e.g. a thread; used for instants and counters.
    std::optional<CounterFacts> counter; ///< Properties of the counter; nullopt if the track is not a counter.
};

/// Tracks that a trace describes with TrackDescriptor messages, and the processes and threads that the descriptions name.
/// Ownership: the tree contains views of the trace's packets, which must outlive it.
class TrackTree {
public:
    explicit TrackTree(TrackEventWriter& writer)
        : m_writer(writer)
    {
    }

    /// Adds the track that `descriptor`, a TrackDescriptor message, describes. All tracks must be added before the first call of find().
    void describe(std::string_view descriptor);
    /// Adds names and other properties of a process; `descriptor` is a ProcessDescriptor message. describeThread() does the same for a
    /// thread with a ThreadDescriptor message.
    void describeProcess(std::string_view descriptor);
    void describeThread(std::string_view descriptor);

    /// Returns the position of the events on the track with the uuid `track`. If the track has no name, it gets `name`, the name of the
    /// event. At the first use of a track, declares it to the TrackEventWriter at the time `time`.
    const TrackPosition& find(std::uint64_t track, std::string_view name, std::int64_t time);
    /// Returns the position of the events of a thread. At the first use of a thread, declares it to the TrackEventWriter at the time
    /// `time`.
    TrackPosition ofThread(std::int32_t pid, std::int32_t tid, std::int64_t time);
    TrackContext ofProcess(std::int32_t pid, std::int64_t time);

    /// Returns the number of the track that shows all asynchronous operations of a process with the name `name`. Declares the track to the
    /// TrackEventWriter at its first use.
    std::int64_t operationTrack(std::int32_t pid, std::string_view name, std::int64_t time);
    /// Returns the number of the track that shows slices which do not nest with the other slices of the thread or process in `context`.
    /// Declares the track at its first use.
    std::int64_t overlapTrack(const TrackContext& context, std::int64_t time);
    /// Returns a new nest number (TrackPlace::nest).
    std::int64_t addNest() { return ++m_nests; }

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
        std::uint32_t merging = 0; ///< TrackDescriptor.SiblingMergeBehavior: how tracks with the same parent share a row.
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
    /// Parent of a track: another track if `track` is not 0, else the thread or process in `context`.
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
    std::map<std::pair<std::int32_t, std::int32_t>, Thread> m_threads; ///< Threads, keyed by thread ID and process ID.
    std::unordered_map<std::int32_t, std::uint32_t> m_tidUses; ///< Number of threads with a pidNamespace, keyed by thread ID.
    std::unordered_map<std::uint64_t, TrackPosition> m_positions;
    std::unordered_map<std::string, std::int64_t> m_numbers; ///< Track numbers (TrackPlace::track), keyed by parent and name.
    std::int64_t m_nests = 0;
};

} // namespace helio::perfetto
