#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace helio {

/// Reads lines from a file descriptor as they arrive. Longer lines than the limit are skipped in bounded memory.
/// Threads: interrupt() from any thread, all else from one.
class LineInput {
public:
    /// Ownership: the descriptor stays the caller's.
    LineInput(int descriptor, std::size_t mostBytes);
    ~LineInput();
    LineInput(const LineInput&) = delete;
    LineInput& operator=(const LineInput&) = delete;

    enum class Outcome { Line, TooLong, End };
    /// Waits for a line and sets `line`, without its line end; valid until the following call. A last line needs no line end.
    Outcome next(std::string_view& line);

    /// Waits until the reading end of the pipe `output` is closed, or interrupt() is called. Returns true if the reading end is closed.
    bool waitForClosed(int output);

    /// Makes next() return End, and waitForClosed() false, now and from now on.
    void interrupt();

private:
    bool fill();

    int m_descriptor;
    std::size_t m_mostBytes;
    int m_wakeUp; ///< Event descriptor that interrupt() signals; -1 if the system has none left.
    std::string m_text; ///< Bytes that were read, from the begin of the current line.
    std::size_t m_next = 0; ///< Index in m_text behind the line that was returned.
    std::size_t m_searched = 0; ///< Index in m_text up to which no line end was found.
    bool m_isAtEnd = false;
};

} // namespace helio
