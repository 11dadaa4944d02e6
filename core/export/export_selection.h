#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio {

struct Timeline;
struct Row;

/// Part of a timeline that is exported. The default selects everything.
struct ExportSelection {
    TimeRange range{Timestamp::min(), Timestamp::max()};
    std::string host; ///< Label of the host; empty for all hosts.
    std::string process; ///< Name that the process had at any time; empty for all processes.
    std::optional<std::int64_t> thread; ///< TID of the thread.
    std::optional<std::int64_t> cpu; ///< Number of the CPU.
    std::string view; ///< Id of a view whose rows are exported; empty for what the format contains by default.

    bool isWholeTime() const { return range.begin == Timestamp::min() && range.end == Timestamp::max(); }
    bool selectsThreads() const { return !process.empty() || thread.has_value(); }
    bool selectsRows() const { return !host.empty() || cpu || selectsThreads(); }
};

/// Decides which hosts, threads and CPUs a selection contains.
/// Threads: any, after construction.
/// Ownership: keeps a copy of the selection, but no reference to the timeline.
/// Cost: the constructor makes the rows of all threads if a process is selected.
class SelectedThings {
public:
    SelectedThings(const ExportSelection& selection, const Timeline& timeline);

    bool hasHost(std::uint32_t host) const { return !m_host || *m_host == host; }
    /// True if threads with these numbers are selected; -1 stands for an unknown number, which only a selection without threads contains.
    bool hasThread(std::uint32_t host, std::int32_t pid, std::int32_t tid) const;
    /// True if a process is selected as a whole: with all its threads and with what belongs to none of them. `name` is the name of the
    /// process, which may differ from the names of its threads.
    bool hasProcess(std::uint32_t host, std::int32_t pid, const std::string& name) const;
    /// True if the CPU is selected; -1 stands for what belongs to no CPU, which only a selection without a CPU contains.
    bool hasCpu(std::uint32_t host, std::int32_t cpu) const { return hasHost(host) && (!m_selection.cpu || *m_selection.cpu == cpu); }
    /// True if a row is selected: by its host, and by its thread and CPU.
    bool hasRow(const Row& row) const;

    const ExportSelection& selection() const { return m_selection; }
    /// Returns the index of the selected host; nullopt if all hosts are selected.
    std::optional<std::uint32_t> host() const { return m_host; }

private:
    ExportSelection m_selection;
    std::optional<std::uint32_t> m_host; ///< Index of the selected host; the number of hosts if no host has the label.
    std::vector<std::pair<std::uint32_t, std::int32_t>> m_processes; ///< Processes with the selected name, by host and PID, sorted.
};

} // namespace helio
