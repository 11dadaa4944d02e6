#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/thread_fields.h"

#include <map>
#include <vector>

namespace helio {

/// Which files the programs of a user-space trace had mapped, from the events of LTTng-UST (lttng-ust(3): "State dump", "Dynamic linker").
///
/// One segment a mapping, as core/analysis/mapped_files.h says. What a state dump lists was there when the dump began; of a process's first
/// dump, from the trace's begin. Modules are counted from where they were loaded.
class Mappings final : public Analysis {
public:
    Mappings(const Trace& trace, StateSink& sink);

    /// Whether any type's events say what was mapped.
    static bool hasMappings(const Trace& trace);

    void begin(HostTimestamp at) override { m_begin = at; }
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss&) override { } ///< What is mapped stays so, as far as is known.
    void finish(HostTimestamp at) override;

private:
    enum class What : std::uint8_t { Nothing, DumpBegins, Maps, Opens, BuildId, Closes, Unloads };

    struct Fields {
        What what = What::Nothing;
        FieldRef base;
        FieldRef size;
        FieldRef path;
        ThreadFields thread;
    };
    struct Mapping {
        HostTimestamp since;
        Module module;
        int opened = 0; ///< By dlopen(), as often.
        std::size_t dump = 0; ///< So many state dumps had begun when it was last listed, or mapped.
    };
    struct Process {
        TrackId track = NoTrack;
        std::map<std::uint64_t, Mapping> mapped; ///< By base address.
        std::vector<HostTimestamp> dumps; ///< When they began.
    };

    static What whatOf(std::string_view event);
    void take(const EventView& event, const Fields& fields);
    Process& processOf(const ProcessId& id);
    void beginDump(Process& process, HostTimestamp at);
    void map(Process& process, const EventView& event, const Fields& fields);
    void setBuildId(Process& process, const EventView& event, std::uint64_t base);
    void unmap(Process& process, std::uint64_t base, HostTimestamp at);
    void close(const Process& process, const Mapping& mapping, HostTimestamp at);

    const Trace& m_trace;
    StateSink& m_sink;
    SegmentKindId m_kind{};
    HostTimestamp m_begin;
    std::int32_t m_pid = -1; ///< That the whole trace is of, where it says so.
    std::vector<Fields> m_fields; ///< By EventTypeId.
    std::map<ProcessId, Process> m_processes;
};

} // namespace helio
