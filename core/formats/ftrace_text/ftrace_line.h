#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

// Lines of the text in which the kernel prints its trace buffer (kernel/trace/trace_output.c, trace_print_context()).

namespace helio::ftracetext {

/// A line "TASK-TID (TGID) [CPU] FLAGS TIME: EVENT: FIELDS". TGID is there if the option record-tgid was set, FLAGS if irq-info was.
/// Ownership: the strings are views of the line.
struct FtraceLine {
    std::string_view task; ///< Name of the thread; "<...>" if the kernel no longer knew it, "<idle>" for the idle thread.
    std::int32_t tid = -1;
    std::int32_t tgid = -1; ///< Process id; -1 if not printed or unknown.
    std::int32_t cpu = -1;
    std::string_view flags; ///< State of interrupts and preemption, e.g. "d..2."; empty if not printed.
    std::int64_t time = 0; ///< Time in ns, or the value of a clock that counts something else.
    bool hasFraction = false; ///< False if the time is printed without a decimal point: the clock does not count ns.
    bool isRelative = false; ///< True if the time counts from the start of the latency that a latency tracer measured.
    /// Set for events of the system "syscalls", for which the kernel prints no name; `event` is then the name of the call, and `fields` are
    /// its arguments or its result.
    enum class SystemCall : std::uint8_t { None, Entry, Exit } systemCall = SystemCall::None;
    std::string_view event;
    std::string_view fields;
};

/// Parses the line of an event. Returns false for any other line. The events of ftrace's own tracers have no names in the text; they get
/// the names that trace.dat has: "function", "context_switch", "wakeup", "kernel_stack" and "user_stack".
bool parseFtraceLine(std::string_view line, FtraceLine& parsed);

/// Parses a time in seconds, e.g. "12.345678", into ns. Returns false for any other text.
bool parseSeconds(std::string_view text, std::int64_t& time);

/// Parses a line "TASK-TID CPUFLAGS TIMEus: EVENT: FIELDS" of the latency format (trace_print_lat_context() in trace_output.c). TIME counts
/// from the start of the latency; '+', '!' or another mark of a long delay may follow "us". Returns false for any other line.
bool parseLatencyLine(std::string_view line, FtraceLine& parsed);

/// Functions in the text of a "function" event: "FUNCTION <-CALLER" of the kernel, or "FUNCTION <-- CALLER" of trace-cmd.
struct FunctionEntry {
    std::string_view function;
    std::string_view caller;
};

/// Returns nullopt for any other text.
std::optional<FunctionEntry> parseFunctionEntry(std::string_view text);

/// Text of a "context_switch" or "wakeup" event, "PID:PRIO:STATE ==> [CPU] PID:PRIO:STATE COMM", with "+" instead of "==>" for a wake-up
/// (trace_ctxwake_print() in trace_output.c).
struct SwitchText {
    bool isWakeUp = false;
    /// "prev_pid", "prev_prio", "prev_state", "next_cpu", "next_pid", "next_prio", "next_state" and "next_comm", in this order.
    std::array<std::string_view, 8> values;
};

/// Returns nullopt for any other text.
std::optional<SwitchText> parseSwitch(std::string_view text);

/// Entry or exit of a function, as the function graph tracer prints it: "|f() {" (entry), "0.119 us |f();" (entry and exit), "1.382 us |}"
/// or "|} /* f */" (exit), with blanks after the '|'.
struct GraphCall {
    enum class Kind : std::uint8_t {
        Entry,
        Leaf, ///< Entry and exit in one line: the function called no other traced function.
        Exit,
    };
    Kind kind = Kind::Entry;
    std::string_view function; ///< Name of the function; empty for an exit that is printed without the name.
    std::int64_t duration = -1; ///< Duration of the call in ns; -1 for an entry, and for an exit without a printed duration.
};

/// Parses the text of a function's entry or exit, from the duration on. Returns false for any other text.
bool parseGraphCall(std::string_view text, GraphCall& call);

/// Parses a line of the function graph tracer: "TIME | CPU) TASK-TID | FLAGS | CALL". TIME is in seconds, or "259 us" since the start of
/// the latency if a latency tracer printed the line. Only CPU and CALL are always printed: FtraceLine::tid is -1 for a line without a
/// thread, and FtraceLine::hasFraction is false for a line without a time. Sets FtraceLine::event to "funcgraph_entry" or "funcgraph_exit",
/// and FtraceLine::fields to the text CALL. Returns false for any other line.
bool parseGraphLine(std::string_view line, FtraceLine& parsed);

/// Parses a line "CPU) TASK-TID => TASK-TID" of the function graph tracer: the CPU switches from the first thread to the second one. Sets
/// the CPU in `parsed`, and the thread to the second one. Returns false for any other line.
bool parseGraphSwitch(std::string_view line, FtraceLine& parsed);

/// A line "CPU:2 [LOST 34 EVENTS]" of the kernel, or "CPU:2 [34 EVENTS DROPPED]" of trace-cmd, with or without the number.
struct LostLine {
    std::int32_t cpu = -1;
    std::uint64_t events = 0; ///< 0 if the line has no number.
};
bool parseLostLine(std::string_view line, LostLine& lost);

} // namespace helio::ftracetext
