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

/// Computes the totals of counters from samples.
///
/// Count of a sample: its period. If the counters of a group are read together (perf record -e '{a,b}:S'), each sample has the values of
/// all these counters, and the count of each counter is the growth of its value since the group was last read on the CPU. For some events,
/// perf records a period that counts forward, from its sample to the next sample (SampleEvent::hasForwardPeriods); the count of a sample is
/// then the period of the previous sample.
///
/// Series: `cpu:N/EVENT` for each CPU, and `tid:N/EVENT` for each TID. A series of a TID includes all threads that had the TID; idle
/// threads have no series. A total begins with the count of its first sample and begins again after lost events. If the counters of a CPU
/// are read at its switches, the count of a thread whose switch-in was not recorded is unknown, and its total begins again at 0.
///
/// Tracepoints are not counted. Totals of clock events (time) have no series of growth (GrowthSuffix): each sample of a clock
/// represents the same amount of time, even if samples come late and close together, so a growth per second would mislead the user.
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
    /// Sum of the periods of one event type on one row.
    struct Sum {
        std::int64_t total = 0;
        std::uint64_t losses = 0; ///< Number of gaps of lost events up to the row's last sample (CountedSample::losses of that sample).
        bool isBegun = false;
        bool hasUnknownShare = false; ///< True if the counter has grown for the row since the row's last sample, but by an unknown amount.
    };
    struct Row {
        CounterRow row;
        std::vector<Sum> sums; ///< Sums of the row, indexed by counter.
    };
    /// Times at which a counter group was last read (`last`), and read before that (`before`), on one CPU; if the counters belong to
    /// threads, for one thread on one CPU.
    struct Reads {
        std::optional<HostTimestamp> last;
        std::optional<HostTimestamp> before;
    };
    /// Key of a counter group's reads: group, CPU, and TID if the counters belong to threads (else -1).
    using ReadKey = std::tuple<EventTypeId, std::int32_t, std::int32_t>;
    struct CountedSample {
        std::uint64_t period = 0;
        std::optional<HostTimestamp> since; ///< Time of the previous read of the counter group; nullopt if unknown.
        /// Number of gaps of lost events so far that may concern the row. For the row of a CPU: gaps on this CPU and on unknown CPUs. For
        /// the row of a thread: all gaps.
        std::uint64_t losses = 0;
        bool isForeign = false; ///< True if the count includes events of threads other than the row's thread.
    };
    void take(const EventView& event);
    /// The thread that was switched out by the last switch on a CPU.
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
    std::vector<std::size_t> m_counterOf; ///< Index of the counter, indexed by EventTypeId; SIZE_MAX if the event type is not a counter.
    std::vector<std::optional<EventTypeId>> m_groupOf; ///< Leaders of counter groups (SampleEvent::groupLeader), indexed by EventTypeId.
    /// True if periods of the counter count from their sample to the next sample (SampleEvent::hasForwardPeriods). Indexed by counter.
    std::vector<bool> m_hasForwardPeriods;
    std::map<ReadKey, Reads> m_reads;
    /// Period of a counter's latest sample, which becomes the count of the counter's next sample; only for counters for which
    /// m_hasForwardPeriods is true. Keyed by counter, CPU and TID; the TID is -1 if the counters belong to CPUs instead of threads.
    std::map<std::tuple<std::size_t, std::int32_t, std::int32_t>, std::uint64_t> m_next;
    RunningThreads m_running; ///< Thread on each CPU; used only if the counters of CPUs are read at switches.
    std::unordered_map<std::int32_t, SwitchOut> m_left; ///< Thread that was switched out by the last switch, keyed by CPU.
    std::map<std::int32_t, Row> m_cpus;
    std::unordered_map<std::int32_t, Row> m_threads; ///< Rows of threads, keyed by TID.
    /// Number of gaps of lost events, keyed by CPU; key -1 for gaps whose CPU is unknown.
    std::map<std::int32_t, std::uint64_t> m_lossesOf;
    std::uint64_t m_losses = 0; ///< Number of gaps of lost events on all CPUs and on unknown CPUs.
    std::span<const ProcessRecord> m_records; ///< Process records of the trace that are not processed yet.
    std::unordered_map<std::int32_t, std::string> m_names; ///< Last name of each thread, keyed by TID.
};

} // namespace helio::counters
