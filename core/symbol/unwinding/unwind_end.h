#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace helio {

/// Reason why unwinding of a stack ended.
enum class UnwindEnd : std::uint8_t {
    Complete, ///< The outermost frame of the thread was reached.
    Truncated, ///< The copy of the stack is shorter than the stack.
    NoModule, ///< A return address lies outside of all mappings.
    NoFile, ///< The file of the last frame was not found, so its caller is unknown.
    NoUnwindInfo, ///< The code of the last frame has neither usable unwind information nor a frame pointer.
    BadRegisters, ///< The sample has no usable registers (a 32-bit program, or another processor).
    TooDeep, ///< The stack has more frames than Unwinder::MaxFrames.
    NotRecorded, ///< The stack has more frames than the recorder stored.
    Unreadable, ///< The sample could not be read again.
    BrokenChain, ///< Addresses outside of all mappings repeat: the frame pointers are invalid.
};

/// Returns an explanation for the user, for example "the recorded stack copy is too short"; empty for Complete.
std::string_view explanationOf(UnwindEnd end);

} // namespace helio
