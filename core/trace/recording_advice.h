#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Kind of data that a view or command needs and a recording may lack. The table in recording_advice.cpp has the commands that record it.
enum class RecordableData : std::uint8_t {
    None,
    ContextSwitches,
    WakeUps,
    SystemCalls,
    Processes,
    Interrupts,
    Softirqs,
    CpuFrequencies,
    WaitCauses, ///< Context switches, wake-ups, system calls, interrupts and timers.
    SampledStates, ///< Samples together with scheduler events in the same recording.
    DiskRequests,
    CpuCounters,
    ThreadCounters,
    MigrationCosts, ///< CPU counters (instructions, cycles) at each context switch.
    CpuTopology,
    VmExits,
    VcpuScheduling, ///< Scheduling and VM exits of vCPU threads, recorded on their host.
    VcpuHalts,
    GuestInterrupts, ///< Injections of interrupts into guests, recorded on their host.
    ExitsAndInterrupts, ///< VM exits and injections of interrupts into guests, recorded on their host.
    GuestScheduling, ///< Scheduling and system calls, recorded inside a guest.
    Locks,
    Packets,
    ResidentMemory,
    Samples,
    FunctionCalls,
    HeapBlocks,
    ProcessIds, ///< Process ID of each event of a user-space tracer.
    PidNamespaces,
};

/// Tracer, or family of trace formats, for which Heliograph knows commands that record data.
enum class Tracer : std::uint8_t { Lttng, Perf, TraceCmd, Ftrace, Perfetto, Chrome, Strace, Ltrace, Other };

/// Returns the tracer of a recording; Other if Heliograph knows no commands of this tracer.
Tracer tracerOf(const TraceInfo& info);

/// True if the tracer records kernel events under the kernel's own names, e.g. "irq:softirq_entry", as perf and ftrace do. False for LTTng,
/// which renames them, and for tracers without kernel events.
bool usesKernelNames(Tracer tracer);

/// Returns the command that makes the tracer record the data; empty if the tracer cannot record it.
/// Cost: a search in a short table.
std::string recordingCommand(RecordableData data, Tracer tracer);

/// Returns the message about a recording with events of ftrace's function tracer.
std::string functionEntriesText(Tracer tracer);

/// True if `pattern` is the name of a single event; false if it is a regular expression.
bool isEventName(std::string_view pattern);

/// Returns the command that makes the tracer record the events in `patterns`: names of LTTng events, or regular expressions. For LTTng, up
/// to three commands are joined by "&&": one for kernel events, one for system calls and one for events of programs (names with a ":"). A
/// regular expression for system calls records all system calls; other regular expressions are ignored. Empty if no pattern can be
/// translated.
std::string recordEventsCommand(std::span<const std::string> patterns, Tracer tracer);

/// Advice for the user on how to record data that the opened recordings lack.
struct RecordingAdvice {
    std::string command; ///< Command that records the data; the commands of several tracers are joined with ", or ". Empty if unknown.
    std::string unable; ///< Names of the recordings' tracers if none of them can record the data; `command` is then for another tracer.

    /// Returns one or two complete sentences: "Record them with: COMMAND", or "Strace cannot record them. Record them at the same time
    /// with: COMMAND". Empty if no command is known.
    std::string sentences() const;
    /// Returns clauses to append to a text: "; record them with: COMMAND", or "; strace cannot record them; record them at the same time
    /// with: COMMAND". Empty if no command is known.
    std::string suffix() const;
};

/// Returns the advice on how to record `data` with the tracers that made `recordings`. If `recordings` is empty, the command is for LTTng
/// or perf.
RecordingAdvice adviseRecording(RecordableData data, std::span<const TraceInfo* const> recordings);

/// Returns the advice on how to record the events in `patterns`; see recordEventsCommand().
RecordingAdvice adviseRecordingEvents(std::span<const std::string> patterns, std::span<const TraceInfo* const> recordings);

} // namespace helio
