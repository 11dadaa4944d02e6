#pragma once

#include "core/analysis/analysis.h"
#include "core/event_model/thread_fields.h"

#include <map>
#include <optional>
#include <vector>

namespace helio {

/// Which files the programs of a user-space trace had mapped, from the events of LTTng-UST (lttng-ust(3): "State dump", "Dynamic linker").
///
/// One segment a mapping, as core/event_model/mapped_files.h says. What a state dump lists was there when the dump began; of a process's
/// first dump, from the trace's begin. Modules are counted from where they were loaded. A dump of other files at other places than the one
/// before is that of another program, which the process executes from then on. Where several processes cannot be told apart there are no
/// segments.
class Mappings final : public Analysis {
public:
    Mappings(const Trace& trace, StateSink& sink);

    /// Whether any type's events say what was mapped.
    static bool hasMappings(const Trace& trace);

    void begin(HostTimestamp at) override { m_begin = at; }
    bool takes(EventTypeId type) const override { return m_fields[static_cast<std::size_t>(type)].what != What::Nothing; }
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss&) override; ///< What is mapped stays so, as far as is known.
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

private:
    enum class What : std::uint8_t { Nothing, DumpBegins, DumpEnds, Maps, Opens, BuildId, Closes, Unloads };

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
    /// A state dump while it is written.
    struct Dump {
        bool isOpen = false;
        bool isWhole = true; ///< No events were lost meanwhile.
        std::size_t before = 0; ///< So many files were mapped, as far as was known.
        std::size_t listed = 0; ///< So many are that it lists, or that were mapped since it began.
        std::size_t again = 0; ///< So many of those it lists.
        std::size_t repeated = 0; ///< So many files it lists once more: each of them where two channels recorded it.
        std::optional<std::uint64_t> vdso; ///< Where the kernel's page lies: it stays there for as long as a program runs.
    };
    struct Gone {
        Mapping mapping;
        HostTimestamp at;
        std::size_t image = 0; ///< Of Process::images.
    };
    struct Process {
        std::map<std::uint64_t, Mapping> mapped; ///< By base address.
        std::vector<Gone> gone;
        std::vector<HostTimestamp> dumps; ///< When they began.
        Dump dump; ///< The last one.
        std::optional<std::uint64_t> vdso; ///< Of the one before.
        std::size_t images = 1; ///< So many programs it executed.
        bool areSeveral = false; ///< Several processes are taken for one.
    };

    static What whatOf(std::string_view event);
    void take(const EventView& event, const Fields& fields);
    static bool isOfAnother(const Process& process);
    static void forget(Process& process);
    void beginDump(Process& process, HostTimestamp at);
    void endDump(const ProcessId& id, Process& process, bool isAll);
    void beginImage(Process& process, HostTimestamp at);
    static bool isMappedElsewhere(const Process& process, const EventView& event, const Fields& fields);
    void map(Process& process, const EventView& event, const Fields& fields);
    void setBuildId(Process& process, const EventView& event, std::uint64_t base);
    static void unmap(Process& process, std::uint64_t base, HostTimestamp at);
    static Gone goneAt(const Process& process, const Mapping& mapping, HostTimestamp at);
    void write(const ProcessId& id, const Process& process);

    const Trace& m_trace;
    StateSink& m_sink;
    SegmentKindId m_kind{};
    HostTimestamp m_begin;
    std::int32_t m_pid = -1; ///< That the whole trace is of, where it says so.
    std::vector<Fields> m_fields; ///< By EventTypeId.
    bool m_hasEnds = false; ///< Ends of state dumps are recorded.
    std::map<ProcessId, Process> m_processes;
};

} // namespace helio
