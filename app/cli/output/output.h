#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace helio {

/// Buffered standard output; with an OutputRedirection, output to its receiver. Records write errors, so that commands can report e.g. a
/// full disk.
/// Threads: to be used by one thread at a time.
class Output {
public:
    Output() { m_buffer.reserve(Limit + 4096); }
    ~Output() { flush(); }

    /// Returns the buffer. The caller appends to it and then calls flushIfFull().
    std::string& buffer() { return m_buffer; }
    /// Errors: throws CommandCancelled if the command was cancelled.
    void flushIfFull()
    {
        if (m_buffer.size() >= Limit)
            flushFull();
    }
    void flush();

    /// Writes a large text directly, after the content of the buffer.
    void write(std::string_view text);

    /// True if a write failed; later output is dropped.
    bool hasFailed() const { return m_hasFailed; }
    std::string problem() const;

private:
    void writeOut(std::string_view text);
    void flushFull();

    static constexpr std::size_t Limit = 1 << 16;
    std::string m_buffer;
    bool m_hasFailed = false;
    int m_errno = 0;
};

/// Writes `heliograph: WHAT` to standard error; with an OutputRedirection, passes WHAT to its receiver.
void warn(const std::string& what);

} // namespace helio
