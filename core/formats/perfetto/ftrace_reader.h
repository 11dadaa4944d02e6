#pragma once

#include "core/formats/perfetto/clocks.h"
#include "core/formats/perfetto/diagnostic_log.h"
#include "core/formats/perfetto/event_writer.h"
#include "core/formats/perfetto/ftrace_layouts.h"
#include "core/formats/perfetto/sequence.h"
#include "core/trace/event.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio::perfetto {

/// Reads the events of the Linux kernel's ftrace: packets with FtraceEventBundle.
///
/// Events get the names and fields of their tracepoints. Fields that this reader does not know are named field_N by their numbers.
class FtraceReader {
public:
    /// `primary` is the clock of the trace's times.
    /// Ownership: all references must outlive the reader, and the bundles' bytes, too.
    FtraceReader(EventWriter& writer, ClockGraph& clocks, ClockId primary, std::vector<Loss>& losses, DiagnosticLog& log)
        : m_writer(writer)
        , m_clocks(clocks)
        , m_primary(primary)
        , m_losses(losses)
        , m_log(log)
    {
    }

    /// Takes the parts of a bundle that other bundles need: descriptions of events and readings of the clock "global". Must be called for
    /// all bundles before takeBundle() is called for the first one.
    void prepare(std::string_view bundle);

    /// Stores the events of a bundle. `offset` is its position in the file.
    void takeBundle(std::string_view bundle, PacketSequence& sequence, std::uint64_t offset);

    /// Reports a loss of bundles of a sequence: the events of an unknown CPU between two times are missing.
    void addLoss(std::int64_t from, std::int64_t to);

    /// Reports unknown events. Must be called after the last bundle.
    void finish();

    bool hasEvents() const { return m_hasEvents; }

private:
    /// Thread on a CPU, as the last switch says.
    struct CpuState {
        bool isKnown = false;
        std::int32_t tid = 0;
        std::optional<std::int64_t> lastTime; ///< Time of the CPU's last event in ns.
    };
    struct Bundle {
        std::int32_t cpu = -1;
        bool isAfterLoss = false;
        std::uint32_t clockKind = 0; ///< FtraceClock.
        std::uint64_t globalTime = 0; ///< Simultaneous times of the clock "global" and of BOOTTIME in ns; 0 if not recorded.
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
    void noteSwitch(CpuState& cpu, std::string_view message);
    void noteTime(const Bundle& bundle, std::int64_t time);

    EventWriter& m_writer;
    ClockGraph& m_clocks;
    const ClockId m_primary;
    std::vector<Loss>& m_losses;
    DiagnosticLog& m_log;
    std::unordered_map<std::int32_t, CpuState> m_cpus;
    std::unordered_map<std::uint32_t, DescribedEvent> m_described; ///< Events that the trace itself describes, by their numbers.
    std::map<std::uint32_t, std::uint64_t> m_unknown; ///< Number of events by unknown field of FtraceEvent.
    std::optional<std::int64_t> m_first; ///< Earliest time in the current bundle in ns.
    bool m_hasEvents = false;
};

} // namespace helio::perfetto
