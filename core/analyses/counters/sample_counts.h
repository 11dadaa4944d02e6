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

/// What samples count: each stands for as many events as its period says, of a group whose counters were read (perf record -e '{a,b}:S')
/// for as many as each went on. Totals of those of each CPU, `cpu:N/EVENT`, and of each thread, `tid:N/EVENT`: they begin with the first
/// sample's period, and anew behind lost events. What a group's counters went on by is what they did since that CPU's last read of the
/// group. Where a CPU's are read with its switches, nobody knows what a thread counted that none put there: its total begins anew, at 0.
/// Where periods are of the next stretch (SampleEvent::areOfNext) a sample's is the one that the last one of its counter said. Of a
/// TID, all its lives; idle CPUs are no thread. Tracepoints are no counters. Samples of a clock stand for as much each, also where they
/// come late and two together: of time no growth is kept.
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
    /// The periods of one event on one row, added up.
    struct Sum {
        std::int64_t total = 0;
        std::uint64_t losses = 0; ///< There were before its last sample.
        bool isBegun = false;
        bool hasGap = false; ///< Since its last sample there was a stretch of which nobody knows what of it is its own.
    };
    struct Row {
        CounterRow row;
        std::vector<Sum> sums; ///< By counter.
    };
    /// When the counters of a group were read on a CPU, or of a thread there: last, and before that.
    struct Reads {
        std::optional<HostTimestamp> last;
        std::optional<HostTimestamp> before;
    };
    using ReadKey = std::tuple<EventTypeId, std::int32_t, std::int32_t>; ///< Group, CPU and, where threads have counters of their own, TID.
    struct Counted {
        std::uint64_t period = 0;
        std::optional<HostTimestamp> since; ///< Where that is known.
        std::uint64_t losses = 0; ///< So far, that may be of the row.
        bool isOfOthers = false; ///< Some or all of it is not the row's.
    };
    void take(const EventView& event);
    /// A thread that a switch took off its CPU.
    struct Left {
        HostTimestamp at{};
        std::int32_t tid = -1;
        bool isUnseen = false; ///< No switch had put it there.
    };
    void takeSwitch(const EventView& event);
    const Left* leftAt(std::int32_t cpu, HostTimestamp at) const;
    std::optional<HostTimestamp> readBefore(EventTypeId group, std::int32_t cpu, const SampleView& sample, HostTimestamp at);
    std::uint64_t counted(std::size_t counter, const EventView& event, const SampleView& sample);
    static void add(Row& row, std::size_t counter, HostTimestamp at, const Counted& counted);
    void finishReads();
    Row& cpu(std::int32_t number);
    Row& thread(const SampleView& sample);
    void takeNames(HostTimestamp until);

    const Trace& m_trace;
    StateSink& m_sink;
    std::vector<Counter> m_counters;
    std::vector<std::size_t> m_counterOf; ///< By EventTypeId; SIZE_MAX: no counter.
    std::vector<std::optional<EventTypeId>> m_groupOf; ///< By EventTypeId: SampleEvent::readWith.
    std::vector<bool> m_areOfNext; ///< By counter.
    std::map<ReadKey, Reads> m_reads;
    /// Of those: the last period of each counter, CPU and, where threads have counters of their own, TID.
    std::map<std::tuple<std::size_t, std::int32_t, std::int32_t>, std::uint64_t> m_next;
    RunningThreads m_running; ///< Where CPUs' counters are read with switches;
    std::unordered_map<std::int32_t, Left> m_left; ///< by CPU what its last one took off.
    std::map<std::int32_t, Row> m_cpus;
    std::unordered_map<std::int32_t, Row> m_threads; ///< By TID.
    std::map<std::int32_t, std::uint64_t> m_lossesOf; ///< By CPU; -1: on nobody knows which.
    std::uint64_t m_losses = 0; ///< All.
    std::span<const ProcessRecord> m_records; ///< Those still to be taken.
    std::unordered_map<std::int32_t, std::string> m_names; ///< By TID: the last one.
};

} // namespace helio::counters
