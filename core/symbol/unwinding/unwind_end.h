#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace helio {

/// Where a stack came to its end.
enum class UnwindEnd : std::uint8_t {
    Complete, ///< At the thread's first function.
    Truncated, ///< The copy of the stack is shorter than the stack.
    NoModule, ///< A return address lies in nothing that was mapped.
    NoFile, ///< The file of the last frame was not found, so its callers are not known.
    NoUnwindInfo, ///< The code of the last frame has none that leads further, and no frame pointer either.
    BadRegisters, ///< The sample has no registers that can be used (a 32-bit program, or another processor).
    TooDeep, ///< More frames than are kept.
    NotRecorded, ///< More frames than the recorder keeps of a stack.
    Unreadable, ///< The sample could not be read once more.
    BrokenChain, ///< Addresses repeat that lie in nothing that was mapped: the frame pointers lead nowhere.
};
constexpr std::size_t UnwindEnds = 10;

/// "the copy of the stack is shorter than the stack"
std::string_view explanationOf(UnwindEnd end);

} // namespace helio
