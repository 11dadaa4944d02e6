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
        Exit, ///< "+++ exited with 0 +++" or "+++ killed by SIGKILL +++".
    };

    Kind kind = Kind::Whole;
    std::int32_t tid = -1; ///< -1 if not printed.
    std::string_view comm; ///< Name of the thread; empty if not printed. Printed by perf trace and strace -Y.
    TimeKind timeKind = TimeKind::None;
    std::int64_t time = 0; ///< Time in ns.
    std::string_view name; ///< Name of the call, or text of a signal or exit. Empty for Kind::End if the tool does not know the name.
    std::int32_t number = -1; ///< Number of the system call; -1 if not printed (strace -n).
    std::string_view address; ///< Address of the instruction that called, in hexadecimal digits; empty if not printed (-i).
    bool isSystemCall = true; ///< False for calls of library functions.
    std::string_view arguments; ///< Text between the parentheses, as far as the line has it.
    std::string_view result; ///< Text after "= ", e.g. "3</etc/passwd>" or "-1 ENOENT (No such file or directory)"; empty if none.
    std::int64_t duration = -1; ///< Duration of the call in ns; -1 if not printed.
};

/// Parses a line. Returns false if it is not a line of these tools. The strings are views of the line.
/// `isLibraryLog` is true for a log of ltrace, in which only names that begin with "SYS_" are system calls.
bool parseCallLine(std::string_view line, bool isLibraryLog, CallLine& parsed);

/// True for the first line of the table that strace -c, strace -C and ltrace -c print.
bool isSummaryHead(std::string_view line);

/// Returns the message "strace: Process 12 attached" at the end of a line, which may interrupt the line of a call in a terminal; empty if
/// there is none.
std::string_view attachedMessage(std::string_view line);

/// True if the call did not return: exit_group() and the like, and calls during which the thread was killed.
bool isWithoutReturn(const CallLine& line);

/// True for messages of the tools themselves, e.g. "strace: Process 12 attached" and "[ Process PID=12 runs in 32 bit mode. ]".
bool isToolMessage(std::string_view line);

/// Returns the name of the error in a result, e.g. "ENOENT"; empty if the call succeeded.
std::string_view errorIn(std::string_view result);

/// Returns the number at the start of a result: decimal, hexadecimal or octal, with a sign. Returns false if there is none ("?", "<void>").
bool readResult(std::string_view result, std::int64_t& number);

} // namespace helio::calllog
