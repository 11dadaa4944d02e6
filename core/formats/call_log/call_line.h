#pragma once

#include <cstdint>
#include <string_view>

// Lines of strace(1), ltrace(1) and `perf trace`. All three print a call when it returns, with the time at which it began.

namespace helio::calllog {

/// Meaning of the time at the start of a line.
enum class TimeKind : std::uint8_t {
    None,
    Epoch, ///< Seconds since the Unix epoch: strace -ttt.
    TimeOfDay, ///< Local time of day: strace -t or -tt.
    Relative, ///< Seconds since the previous line: strace -r.
    SinceStart, ///< Milliseconds since the start of the recording: perf trace.
};

struct CallLine {
    enum class Kind : std::uint8_t {
        Whole, ///< A call with its result: "read(3, "", 5) = 0".
        /// The first part of a call during which another line is printed: "read(3, <unfinished ...>"; also a call that does not return.
        Begin,
        End, ///< The rest of such a call: "<... read resumed> "", 5) = 0".
        Signal, ///< "--- SIGCHLD {...} ---".
        Event, ///< Tracepoint or page fault between the calls of perf trace: "sched:sched_switch(prev_comm: "a", ...)", "minfault [...] =>
               ///< ...".
        Exit, ///< "+++ exited with 0 +++" or "+++ killed by SIGKILL +++".
    };

    Kind kind = Kind::Whole;
    std::int32_t tid = -1; ///< -1 if not printed.
    std::string_view comm; ///< Name of the thread, which `perf trace` and `strace -Y` print; empty if not printed.
    TimeKind timeKind = TimeKind::None;
    std::int64_t time = 0; ///< Time in ns; -1 if perf trace printed "?", because the call began before the recording.
    bool isWholeSecond = false; ///< True if the time was printed without a fraction: strace -t. Its error is then up to 1 s.
    /// Name of the system call, function or event; for Kind::Signal and Kind::Exit, the text between the marks. Empty for Kind::End if the
    /// tool printed no name.
    std::string_view name;
    std::int32_t number = -1; ///< Number of the system call, which strace -n prints; -1 if not printed.
    /// Address of the instruction that made the call, in hexadecimal digits, which the option -i prints; empty if not printed.
    std::string_view address;
    bool isSystemCall = true; ///< False for calls of library functions.
    std::string_view arguments; ///< Text between the parentheses, as far as the line has it.
    std::string_view result; ///< Text after "= ", e.g. "3</etc/passwd>" or "-1 ENOENT (No such file or directory)"; empty if none.
    std::int64_t duration = -1; ///< Duration of the call in ns; -1 if not printed.
};

/// Parses a line. Returns false if it is not a line of these tools. The strings are views of the line.
/// `isLibraryLog` is true for a log of ltrace, in which only names that begin with "SYS_" are system calls.
bool parseCallLine(std::string_view line, bool isLibraryLog, CallLine& parsed);

/// True for the heading of the summary table of calls that strace -c, strace -C, ltrace -c, perf trace -s and perf trace -S print.
bool isSummaryHead(std::string_view line);

/// Returns the message "strace: Process 12 attached" at the end of a line; empty if the line has no such message. In text copied from a
/// terminal, the message may stand in the middle of a call's line, whose rest is then on the next line.
std::string_view attachedMessage(std::string_view line);

/// True if the call did not return: exit(), exit_group() and other calls that never return, and calls during which the thread was killed.
bool isWithoutReturn(const CallLine& line);

/// True if the line is no call, but a message by strace, ltrace or perf itself, e.g. "strace: Process 12 attached" or "[ Process PID=12
/// runs in 32 bit mode. ]".
bool isToolMessage(std::string_view line);

/// Returns the name of the error in the result of a call, e.g. "ENOENT" for "-1 ENOENT (No such file or directory)"; empty if the call
/// succeeded.
std::string_view errorIn(std::string_view result);

/// Returns the number at the start of a result: decimal, hexadecimal or octal, with a sign. Returns false if there is none ("?", "<void>").
bool readResult(std::string_view result, std::int64_t& number);

} // namespace helio::calllog
