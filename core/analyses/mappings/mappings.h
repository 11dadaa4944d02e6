#pragma once

#include "core/analysis/analysis.h"
#include "core/event_model/thread_fields.h"

#include <map>
#include <optional>
#include <vector>

namespace helio {

/// Finds the files that the programs of a user-space trace had mapped, from the events of LTTng-UST (lttng-ust(3): "State dump", "Dynamic
/// linker").
///
/// Writes one segment for each mapping (core/event_model/mapped_files.h). A file in a state dump counts as mapped since the dump began; a
/// file in the first dump of a process, since the beginning of the trace. Addresses in modules are relative to the load address. If a dump
/// lists other files at other addresses than the previous dump, the process executes another program since then. If several processes
/// cannot be distinguished, no segments are written.
class Mappings final : public Analysis {
public:
    Mappings(const Trace& trace, StateSink& sink);

    /// Returns true if the trace has events that report mappings.
    static bool hasMappings(const Trace& trace);

    void begin(HostTimestamp at) override { m_begin = at; }
    bool takes(EventTypeId type) const override { return m_fields[static_cast<std::size_t>(type)].what != MappingEvent::Nothing; }
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss&) override; ///< Marks the current state dumps as incomplete. Mappings are assumed to continue through the loss.
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

private:
    enum class MappingEvent : std::uint8_t { Nothing, DumpBegins, DumpEnds, Maps, Opens, BuildId, Closes, Unloads };

    struct Fields {
        MappingEvent what = MappingEvent::Nothing;
        FieldRef base;
        FieldRef size;
        FieldRef path;
        ThreadFields thread;
    };
    struct Mapping {
        HostTimestamp since;
        Module module;
        int opened = 0; ///< Number of dlopen() calls for the file without a matching dlclose().
        /// Number of the latest state dump that listed the file, or that had begun when the file was mapped. Counted from 1; 0 before the
        /// first dump.
        std::size_t dump = 0;
    };
    /// Data about a state dump, collected while its events are read.
    struct Dump {
        bool isOpen = false;
        bool isWhole = true; ///< False if events were lost during the dump.
        std::size_t mappedBefore = 0; ///< Number of files that the previous dump listed or that were mapped since that dump began.
        std::size_t listed = 0; ///< Number of mapped files that the dump listed, or that were mapped since the dump began.
        std::size_t again = 0; ///< Number of files that both this dump and the previous dump list.
        /// Number of files that the dump lists a second time. If two channels recorded the dump, it lists all files twice.
        std::size_t repeated = 0;
        std::optional<std::uint64_t> vdso; ///< Address of the kernel's vDSO page, which is constant while a program runs.
    };
    struct EndedMapping {
        Mapping mapping;
        HostTimestamp at;
        /// Number of the program that mapped the file: 0 for the first program that the process executed, at most Process::images - 1.
        std::size_t image = 0;
    };
    struct Process {
        std::map<std::uint64_t, Mapping> mapped; ///< Current mappings, keyed by base address.
        std::vector<EndedMapping> gone;
        std::vector<HostTimestamp> dumps; ///< Times at which the state dumps of the process began.
        Dump dump; ///< Counts of files in the latest state dump of the process, and whether the dump is complete.
        /// Address of the vDSO page in the latest dump before `dump` that listed the page. Another address in `dump` shows that another
        /// program is executing.
        std::optional<std::uint64_t> vdso;
        std::size_t images = 1; ///< Number of programs that the process has executed.
        bool isAmbiguous = false; ///< True if the events of several processes cannot be distinguished.
    };

    static MappingEvent mappingEventOf(std::string_view event);
    void take(const EventView& event, const Fields& fields);
    static bool isDumpOfOtherProcess(const Process& process);
    static void forget(Process& process);
    void beginDump(Process& process, HostTimestamp at);
    void endDump(const ProcessId& id, Process& process, bool isAll);
    void beginImage(Process& process, HostTimestamp at);
    static bool isMappedElsewhere(const Process& process, const EventView& event, const Fields& fields);
    void map(Process& process, const EventView& event, const Fields& fields);
    void setBuildId(Process& process, const EventView& event, std::uint64_t base);
    static void unmap(Process& process, std::uint64_t base, HostTimestamp at);
    static EndedMapping endedMappingAt(const Process& process, const Mapping& mapping, HostTimestamp at);
    void write(const ProcessId& id, const Process& process);

    const Trace& m_trace;
    StateSink& m_sink;
    SegmentKindId m_kind{};
    HostTimestamp m_begin;
    /// PID of the process to which all events of the trace belong; -1 if they belong to several processes or the PID is unknown.
    std::int32_t m_pid = -1;
    std::vector<Fields> m_fields; ///< Fields of the event types, indexed by EventTypeId.
    bool m_hasEnds = false; ///< True if the trace has events for the ends of state dumps.
    std::map<ProcessId, Process> m_processes;
};

} // namespace helio
