#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace helio {

/// Standard output, buffered, with its errors noticed: a full disk must not look like success. One thread.
class Output {
public:
    Output() { m_buffer.reserve(Limit + 4096); }
    ~Output() { flush(); }

    /// Append to it, then say so.
    std::string& buffer() { return m_buffer; }
    void flushIfFull()
    {
        if (m_buffer.size() >= Limit)
            flush();
    }
    void flush();

    /// Writes a large text at once, after what is in the buffer.
    void write(std::string_view text);

    /// True once something could not be written; what follows is dropped.
    bool hasFailed() const { return m_hasFailed; }
    std::string problem() const;

private:
    void writeOut(std::string_view text);

    static constexpr std::size_t Limit = 1 << 16;
    std::string m_buffer;
    bool m_hasFailed = false;
    int m_errno = 0;
};

/// `heliograph: WHAT` on standard error.
void complain(const std::string& what);

} // namespace helio
