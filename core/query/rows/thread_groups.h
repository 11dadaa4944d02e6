#pragma once

#include "core/query/rows/rows.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace helio {

/// Rule for the groups of threads that are summed up together.
enum class ThreadGrouping {
    Process, ///< Threads of one process. If a PID was reused, each process is a group of its own.
    Name, ///< Threads of one host with the same name.
};

/// Assigns threads to groups.
/// Threads: any thread at once, after construction.
class ThreadGroups {
public:
    /// Identity of a group.
    struct Key {
        std::uint32_t host = 0;
        std::string text;
        auto operator<=>(const Key&) const = default;
    };

    ThreadGroups(const Timeline& timeline, ThreadGrouping grouping);

    /// All threads of the timeline, as threads() returns them.
    const std::vector<Row>& threads() const { return m_threads; }
    Key keyOf(const Row& thread) const;
    /// Returns the main thread of the thread's process: the last one with its PID that began before the thread. nullptr if it was not
    /// recorded, or if threads are grouped by name.
    const Row* mainOf(const Row& thread) const;

private:
    ThreadGrouping m_grouping;
    std::vector<Row> m_threads;
    /// Main threads by host, trace and PID, and by the time of their start.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>, std::map<Timestamp, const Row*>> m_mains;
};

} // namespace helio
