#pragma once

#include "core/formats/perfetto/clocks.h"
#include "core/formats/perfetto/diagnostic_log.h"
#include "core/formats/perfetto/event_writer.h"
#include "core/formats/perfetto/ftrace_layouts.h"
#include "core/formats/perfetto/sequence.h"
#include "core/trace/event.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio::perfetto {

/// Reads the events that ftrace recorded in the Linux kernel: packets with an FtraceEventBundle message.
///
/// Events get the names and fields of their tracepoints. A field that this reader does not know is named field_N after its protobuf field
/// number N.
class FtraceReader {
public:
    /// `primary` is the clock to which all times are converted.
    /// Ownership: all referenced objects and the bytes of all bundles must outlive the reader.
    FtraceReader(EventWriter& writer, ClockGraph& clocks, ClockId primary, std::vector<Loss>& losses, DiagnosticLog& log)
        : m_writer(writer)
        , m_clocks(clocks)
        , m_primary(primary)
        , m_losses(losses)
        , m_log(log)
    {
    }

    /// Takes the parts of a bundle (message FtraceEventBundle) that other bundles need: descriptions of events, and readings of ftrace's
    /// clock "global". Must be called for all bundles before takeBundle() is called for the first one.
    void prepare(std::string_view bundle);

    /// Stores the events of a bundle. `offset` is the offset of the bundle's packet in the file.
    void takeBundle(std::string_view bundle, PacketSequence& sequence, std::uint64_t offset);

    /// Adds a loss of bundles: events of an unknown CPU are missing between the times `from` and `to`, both in ns.
    void addLoss(std::int64_t from, std::int64_t to);

    /// Adds the losses after the last event of a CPU, and reports the field numbers of unknown events. Must be called after the last
    /// bundle.
    void finish();

    bool hasEvents() const { return m_hasEvents; }

private:
    /// Thread that runs on a CPU according to the CPU's last context switch.
    struct CpuState {
        bool isKnown = false;
        bool hasLoss = false; ///< True if events were lost after the CPU's last event.
        std::int32_t tid = 0;
        std::optional<std::int64_t> lastTime; ///< Time of the CPU's last event in ns.
    };
    struct Bundle {
        std::int32_t cpu = -1;
        bool isAfterLoss = false;
        std::uint32_t clockKind = 0; ///< Clock of the bundle's timestamps, as a value of the protobuf enum FtraceClock.
        /// Reading of ftrace's clock "global" in ns at the same time as the reading `bootTime` of BOOTTIME; 0 if not recorded.
        std::uint64_t globalTime = 0;
        std::uint64_t bootTime = 0;
        std::uint64_t offset = 0;
        ClockId clock;
        PacketSequence* sequence = nullptr;
    };
    struct CompactSwitch {
        std::int64_t time = 0;
        std::int64_t prevState = 0;
        std::int32_t nextTid = 0;
        std::int64_t nextPriority = 0;
        std::string_view nextComm;
    };
    struct CompactWaking {
        std::int64_t time = 0;
        std::int32_t tid = 0;
        std::int64_t targetCpu = 0;
        std::int64_t priority = 0;
        std::string_view comm;
        std::optional<std::int64_t> flags;
    };
    struct DescribedEvent {
        std::string name;
        std::map<std::uint32_t, std::string> fields;
    };

    static Bundle headOf(std::string_view bundle);
    std::optional<std::int64_t> timeOf(const Bundle& bundle, std::uint64_t time);
    void describe(std::string_view descriptor);
    void takeEvent(const Bundle& bundle, std::string_view event);
    void addFields(const Bundle& bundle, std::uint32_t number, std::string_view message);
    void addField(const Bundle& bundle, const FtraceField& field, std::string_view name, const WireField& value);
    std::string addGenericFields(std::string_view message);
    void takeCompact(const Bundle& bundle, std::string_view message);
    void storeSwitch(const Bundle& bundle, CpuState& cpu, const CompactSwitch& it);
    void storeWaking(const Bundle& bundle, const CpuState& cpu, const CompactWaking& it);
    void addLossOf(std::int32_t cpu, std::int64_t from, std::int64_t to);
    void noteSwitch(CpuState& cpu, std::string_view message);
    void noteTime(const Bundle& bundle, std::int64_t time);

    EventWriter& m_writer;
    ClockGraph& m_clocks;
    const ClockId m_primary;
    std::vector<Loss>& m_losses;
    DiagnosticLog& m_log;
    std::unordered_map<std::int32_t, CpuState> m_cpus;
    /// Event types that the trace itself describes, keyed by field number in FtraceEvent.
    std::unordered_map<std::uint32_t, DescribedEvent> m_described;
    std::map<std::uint32_t, std::uint64_t> m_unknown; ///< Number of events of unknown types, keyed by field number in FtraceEvent.
    std::optional<std::int64_t> m_first; ///< Earliest time in the current bundle in ns.
    std::int64_t m_last = std::numeric_limits<std::int64_t>::min(); ///< Latest time of all events in ns.
    bool m_hasEvents = false;
};

} // namespace helio::perfetto
