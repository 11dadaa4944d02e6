#pragma once

#include "core/export/export_file.h"
#include "core/export/recording/recording_walk.h"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Writes context switches and wake-ups as the text of an ftrace recording in a JSON string: the member "systemTraceEvents" of Chrome's
/// format, from which viewers derive the states of threads and CPUs. Lines need numbers: a thread that is not known has the PID 0 and the
/// name "<...>", a priority that is not known is 0, and the CPU on which a woken thread will run is the one that woke it.
class SystemTraceText final : public RecordingVisitor {
public:
    /// Ownership: `walk` and `file` must outlive the object.
    SystemTraceText(const RecordingWalk& walk, ExportFile& file)
        : m_walk(walk)
        , m_file(file)
    {
    }

    /// True if something was written, so that the string must be closed.
    bool isBegun() const { return m_isBegun; }

    /// Writes the ends of all runs that have one.
    void finish() { writeBefore(std::numeric_limits<std::int64_t>::max()); }

    void run(const WalkedRun& run) override;
    void wakeup(const WalkedWakeup& wakeup) override { m_wakeups.push_back(wakeup); }
    bool partEnded(std::int64_t end) override;

private:
    /// Last run of a CPU.
    struct Running {
        std::int64_t utid = -1; ///< -1 before the first run.
        std::optional<std::int64_t> end;
        std::string endState;
        std::optional<std::int64_t> priority;
    };

    void writeBefore(std::int64_t end);
    void writeSwitch(std::int64_t ts, WalkedCpu id, const Running& next);
    void endRun(WalkedCpu id, std::int64_t at);
    void writeWakeup(const WalkedWakeup& wakeup);
    void writeLine(std::int64_t ts, std::int32_t cpu, std::int64_t utid, const std::string& event);
    std::string nameOf(std::int64_t utid) const;
    std::int32_t tidOf(std::int64_t utid) const;

    const RecordingWalk& m_walk;
    ExportFile& m_file;
    std::vector<WalkedRun> m_runs;
    std::vector<WalkedWakeup> m_wakeups;
    std::vector<std::pair<std::int64_t, WalkedCpu>> m_runEnds; ///< Ends of runs that are not processed yet.
    std::map<WalkedCpu, Running> m_cpus;
    bool m_isBegun = false;
};

} // namespace helio
