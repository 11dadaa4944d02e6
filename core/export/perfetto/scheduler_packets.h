#pragma once

#include "core/export/perfetto/packet_writer.h"
#include "core/export/recording/recording_walk.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace helio {

/// Number of a thread's state after its run, as prev_state of sched_switch has it since Linux 4.14. `state` is a text of the table
/// `sched_slice`; an empty text gives a number that no kernel uses, which readers show as unknown.
std::int64_t prevStateOf(std::string_view state);

/// Writes context switches, wake-ups, and the begins and ends of threads as ftrace events, in bundles of one CPU each.
///
/// A run's end without a successor on its CPU, because events were lost or the range ends, is written as a switch to the idle thread; the
/// next bundle of the CPU is marked as incomplete.
class SchedulerPackets {
public:
    /// Ownership: `walk` and `writer` must outlive the object.
    SchedulerPackets(const RecordingWalk& walk, PacketWriter& writer, std::vector<PacketSequence>& sequences);

    void add(const WalkedRun& run);
    void add(const WalkedWakeup& wakeup);
    void add(const WalkedReadiness& readiness);
    void add(const WalkedLoss& loss);
    /// Writes all events before `end`, with the begins and ends of threads.
    void flush(std::int64_t end);
    /// Writes the ends of all runs that have one.
    void finish();

private:
    /// Kind of an event; at equal times, events come in this order.
    enum class Kind : std::uint8_t { LossEnd, ThreadStart, Wakeup, Readiness, Switch, RunEnd, ThreadEnd, LossBegin };
    struct Event {
        std::int64_t ts = 0;
        Kind kind{};
        std::size_t index = 0; ///< Index into the list of the kind.
    };
    struct Cpu {
        WalkedCpu id;
        WalkedRun current{}; ///< Last run; `utid` is -1 if no thread is known to run.
        std::string events; ///< Encoded ftrace events of the current bundle.
        std::size_t count = 0;
        std::int64_t last = 0; ///< Time of the last event.
        bool isAfterLoss = false; ///< True if events were lost before the current bundle.
    };

    Cpu& cpuAt(WalkedCpu id);
    void writeUntil(std::int64_t end);
    void write(const Event& event);
    void writeSwitch(const WalkedRun& run);
    void endRun(WalkedCpu id, std::int64_t at);
    void writeRemark(Cpu& cpu, std::int64_t at);
    void writeWakeup(const WalkedWakeup& wakeup);
    void writeReadiness(const WalkedReadiness& readiness);
    void writeStart(const WalkedThread& thread);
    void writeEnd(const WalkedThread& thread);
    template <typename Fields> void append(Cpu& cpu, std::int64_t ts, std::int32_t tid, std::uint32_t number, const Fields& fields);
    void closeBundle(Cpu& cpu);
    std::int32_t tidOf(std::int64_t utid) const;
    std::string_view nameOf(std::int64_t utid) const;

    const RecordingWalk& m_walk;
    PacketWriter& m_writer;
    std::vector<PacketSequence>& m_sequences; ///< Sequence of ftrace events of each host.
    std::map<WalkedCpu, Cpu> m_cpus;
    std::vector<WalkedRun> m_runs;
    std::vector<std::pair<std::int64_t, WalkedCpu>> m_runEnds; ///< Ends of runs that are not processed yet.
    std::vector<WalkedWakeup> m_wakeups;
    std::vector<WalkedReadiness> m_readiness;
    std::unordered_map<std::int64_t, WalkedWakeup> m_lastWakeups; ///< Last wake-up of each thread, by utid.
    std::unordered_set<std::int64_t> m_created; ///< utids of the threads whose creation was written.
    std::vector<WalkedLoss> m_losses; ///< Losses whose end is not written yet.
    std::vector<Event> m_events;
    std::vector<std::pair<std::int64_t, std::size_t>> m_starts; ///< Times and utids of the threads that start, in the order of time.
    std::vector<std::pair<std::int64_t, std::size_t>> m_ends;
    std::size_t m_nextStart = 0;
    std::size_t m_nextEnd = 0;
    std::int64_t m_last = 0; ///< Time of the last event.
};

} // namespace helio
