#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Data that a view or command needs and a recording may lack. The table in recording_advice.cpp has the commands that record it.
enum class RecordableData : std::uint8_t {
    None,
    ContextSwitches,
    WakeUps,
    SystemCalls,
    Processes,
    Interrupts,
    Softirqs,
    CpuFrequencies,
    WaitCauses, ///< Switches, wake-ups, system calls, interrupts and timers.
    SampledStates, ///< Samples and scheduler events of one recording.
    DiskRequests,
    CpuCounters,
    ThreadCounters,
    MigrationCosts, ///< Counters at each context switch.
    CpuTopology,
    VmExits,
    VcpuScheduling, ///< Scheduling and exits of vCPU threads, on their host.
    VcpuHalts,
    GuestInterrupts, ///< Injections of interrupts into guests, on their host.
    ExitsAndInterrupts, ///< VM exits and injections of interrupts.
    GuestScheduling, ///< Scheduling and system calls inside a guest.
    Locks,
    Packets,
    ResidentMemory,
    Samples,
    FunctionCalls,
    HeapBlocks,
    ProcessIds, ///< Process of each event of a user-space tracer.
    PidNamespaces,
};

/// Program or format family whose commands record data.
enum class Tracer : std::uint8_t { Lttng, Perf, TraceCmd, Ftrace, Perfetto, Chrome, Strace, Ltrace, Other };

/// Returns the tracer of a recording; Other if no commands of it are known.
Tracer tracerOf(const TraceInfo& info);

/// True if the tracer names the kernel's events like perf and ftrace do, e.g. "irq:softirq_entry", not like LTTng.
bool usesKernelNames(Tracer tracer);

/// Returns the command that makes the tracer record the data; empty if the tracer cannot record it.
/// Cost: a search in a short table.
std::string recordCommand(RecordableData data, Tracer tracer);

/// True if the pattern of an event's name is the name of a single event, not a regular expression.
bool isEventName(std::string_view pattern);

/// Returns the command that makes the tracer record the events whose names match `patterns` (event names or regular expressions). LTTng
/// needs several commands, joined by "&&": for kernel events, for system calls (which LTTng lists by the names of the calls), and for
/// events of programs (names with a ":"). Regular expressions are left out, but if one matches system calls, all system calls are recorded.
/// Empty if no pattern can be translated.
std::string recordEventsCommand(std::span<const std::string> patterns, Tracer tracer);

/// Advice on how to record data that a set of recordings lacks.
struct RecordingAdvice {
    std::string command; ///< Command that records the data; the commands of several tracers are joined with ", or ". Empty if unknown.
    std::string unable; ///< Names of the recordings' tracers if none of them can record the data: `command` is then another tracer's.

    /// Returns one or two sentences, beginning with a capital letter and ending with the command: "Record them with: COMMAND", or "strace
    /// cannot record them. Record them at the same time with: COMMAND". Empty if no command is known.
    std::string sentences() const;
    /// Returns clauses to append to a text: "; record them with: COMMAND", or "; strace cannot record them; record them at the same time
    /// with: COMMAND". Empty if no command is known.
    std::string suffix() const;
};

/// Returns the advice for data that recordings of these tracers lack. Without any recording, the command is LTTng's or perf's.
RecordingAdvice adviseRecording(RecordableData data, std::span<const TraceInfo* const> recordings);

/// Returns the advice for the events whose names match `patterns`; see recordEventsCommand().
RecordingAdvice adviseRecordingEvents(std::span<const std::string> patterns, std::span<const TraceInfo* const> recordings);

} // namespace helio
