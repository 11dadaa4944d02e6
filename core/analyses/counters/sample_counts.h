#pragma once

#include "core/analyses/counters/counter_rows.h"
#include "core/analysis/analysis.h"
#include "core/event_model/running_threads.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace helio::counters {

/// Turns samples into counters. A sample counts as many events as its period says. For a group whose counters are read together (perf
/// record -e '{a,b}:S'), it counts the growth of each counter since the CPU's previous read of the group.
///
/// The totals of each CPU are the series `cpu:N/EVENT`, and those of each thread `tid:N/EVENT`. A total begins with the first sample's
/// period, and restarts after lost events. If the counters of a CPU are read at its switches, a thread without a recorded switch-in has an
/// unknown count: its total restarts at 0. If periods are those of the next interval (SampleEvent::hasForwardPeriods), a sample counts the
/// period in the previous sample of its counter.
///
/// The series of a TID contains all threads that had the TID; idle threads have none. Tracepoints are not counted. Samples of a clock all
/// stand for the same time, also if they come late and two together; therefore series of time have no growth.
class SampleCounts final : public Analysis {
public:
    /// Requires: hasCounts(trace).
    SampleCounts(const Trace& trace, StateSink& sink);

    static bool hasCounts(const Trace& trace);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override;
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss& loss) override;
    void finish(HostTimestamp at) override;

private:
    /// The sum of the periods of one event on one row.
    struct Sum {
        std::int64_t total = 0;
        std::uint64_t losses = 0; ///< Count of losses before the row's last sample.
        bool isBegun = false;
        bool hasUnknownShare =
            false; ///< True if, since the last sample, the counter ran for some time in which the row's share is unknown.
    };
    struct Row {
        CounterRow row;
        std::vector<Sum> sums; ///< Indexed by counter.
    };
    /// Times of the last two reads of a group's counters on a CPU, or of a thread on a CPU.
    struct Reads {
        std::optional<HostTimestamp> last;
        std::optional<HostTimestamp> before;
    };
    /// Group, CPU, and TID if threads have counters of their own (else -1).
    using ReadKey = std::tuple<EventTypeId, std::int32_t, std::int32_t>;
    struct CountedSample {
        std::uint64_t period = 0;
        std::optional<HostTimestamp> since; ///< Time of the previous read of the group; nullopt if unknown.
        std::uint64_t losses = 0; ///< Count of losses so far that may concern the row.
        bool isForeign = false; ///< True if the count belongs, partly or as a whole, to other threads.
    };
    void take(const EventView& event);
    /// The thread that the last switch took off a CPU.
    struct SwitchOut {
        HostTimestamp at{};
        std::int32_t tid = -1;
        bool isUnseen = false; ///< True if the thread's switch-in was not recorded.
    };
    void takeSwitch(const EventView& event);
    const SwitchOut* switchOutAt(std::int32_t cpu, HostTimestamp at) const;
    std::optional<HostTimestamp> readBefore(EventTypeId group, std::int32_t cpu, const SampleView& sample, HostTimestamp at);
    std::uint64_t counted(std::size_t counter, const EventView& event, const SampleView& sample);
    static void add(Row& row, std::size_t counter, HostTimestamp at, const CountedSample& counted);
    void finishReads();
    Row& cpu(std::int32_t number);
    Row& thread(const SampleView& sample);
    void takeNames(HostTimestamp until);

    const Trace& m_trace;
    StateSink& m_sink;
    std::vector<Counter> m_counters;
    std::vector<std::size_t> m_counterOf; ///< Indexed by EventTypeId; SIZE_MAX if the type is no counter.
    std::vector<std::optional<EventTypeId>> m_groupOf; ///< SampleEvent::groupLeader, indexed by EventTypeId.
    std::vector<bool> m_hasForwardPeriods; ///< SampleEvent::hasForwardPeriods, indexed by counter.
    std::map<ReadKey, Reads> m_reads;
    /// Last period of each counter with m_hasForwardPeriods: by counter, CPU, and TID if threads have counters of their own (else -1).
    std::map<std::tuple<std::size_t, std::int32_t, std::int32_t>, std::uint64_t> m_next;
    RunningThreads m_running; ///< Thread of each CPU; used only if the counters of CPUs are read at switches.
    std::unordered_map<std::int32_t, SwitchOut> m_left; ///< Keyed by CPU: the thread that the last switch took off.
    std::map<std::int32_t, Row> m_cpus;
    std::unordered_map<std::int32_t, Row> m_threads; ///< Indexed by TID.
    std::map<std::int32_t, std::uint64_t> m_lossesOf; ///< Count of losses by CPU; -1 if the CPU of a loss is unknown.
    std::uint64_t m_losses = 0; ///< Count of losses on all CPUs.
    std::span<const ProcessRecord> m_records; ///< Process records that are not taken yet.
    std::unordered_map<std::int32_t, std::string> m_names; ///< Last name by TID.
};

} // namespace helio::counters
