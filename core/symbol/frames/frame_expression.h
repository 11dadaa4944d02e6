#pragma once

#include "core/symbol/frames/call_frames.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace helio {

/// Values of a thread's registers in one frame, by their DWARF numbers.
class FrameRegisterValues {
public:
    std::optional<std::uint64_t> get(std::uint64_t number) const
    {
        return number < FrameRegisterCount && (m_known >> number & 1) != 0 ? std::optional(m_values[number]) : std::nullopt;
    }
    void set(std::uint64_t number, std::optional<std::uint64_t> value)
    {
        if (number >= FrameRegisterCount)
            return;
        const std::uint64_t bit = std::uint64_t{1} << number;
        m_known = value ? m_known | bit : m_known & ~bit;
        m_values[number] = value.value_or(0);
    }

private:
    std::array<std::uint64_t, FrameRegisterCount> m_values{};
    std::uint64_t m_known = 0; ///< Bit set of the registers with a known value.
};

/// Reads 8 bytes of the thread's memory; nullopt if they are not known.
using ReadMemory = std::function<std::optional<std::uint64_t>(std::uint64_t address)>;

/// Computes a DWARF expression of call frame information (DWARF 5, section 2.5). `initial` is put on the stack first, and `bias` is added
/// to addresses in the expression. Returns nullopt if an operation is unknown, or needs a value that is not known.
/// Cost: at most 1,000 operations.
std::optional<std::uint64_t> valueOfExpression(std::span<const std::byte> expression, std::optional<std::uint64_t> initial,
                                               std::uint64_t bias, const FrameRegisterValues& registers, const ReadMemory& readMemory);

} // namespace helio
