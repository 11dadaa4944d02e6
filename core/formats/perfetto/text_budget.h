#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace helio::perfetto {

/// Bounds the sum of the texts that a trace refers to: a reference of a few bytes may stand for a text of megabytes, which is stored with
/// each event.
class TextBudget {
public:
    /// Sets the budget for a trace with `traceSize` bytes of packets. Without this call, the budget is 64 MiB.
    void setTraceSize(std::uint64_t traceSize) { m_left = std::max(Least, Ratio * std::min(traceSize, MostTraceSize)); }

    /// Returns `text` if the budget suffices, else its first 64 bytes or fewer, cut between characters of UTF-8.
    std::string_view take(std::string_view text)
    {
        if (spend(text.size()) || text.size() <= ShortText)
            return text;
        std::size_t size = ShortText;
        while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80)
            --size;
        ++m_cuts;
        return text.substr(0, size);
    }
    /// Returns false, and counts a cut, if the budget does not suffice for `size` bytes that the caller can leave out.
    bool takeWhole(std::uint64_t size)
    {
        const bool suffices = spend(size);
        m_cuts += suffices ? 0 : 1;
        return suffices;
    }
    std::uint64_t cuts() const { return m_cuts; } ///< Number of texts that were cut or left out.

private:
    static constexpr std::uint64_t Least = std::uint64_t{64} << 20;
    static constexpr std::uint64_t Ratio = 16; ///< Bytes of the budget for each byte of the trace.
    static constexpr std::uint64_t MostTraceSize = std::uint64_t{1} << 56;
    static constexpr std::size_t ShortText = 64; ///< Size in bytes of the longest text that is never cut.

    /// Subtracts `size` bytes from the budget. Returns false, and empties the budget, if it does not suffice.
    bool spend(std::uint64_t size)
    {
        const bool suffices = size <= m_left;
        m_left -= std::min(size, m_left);
        return suffices;
    }

    std::uint64_t m_left = Least;
    std::uint64_t m_cuts = 0;
};

} // namespace helio::perfetto
