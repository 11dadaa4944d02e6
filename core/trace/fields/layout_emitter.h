#pragma once

#include "core/trace/fields/struct_layout.h"

namespace helio {

/// Writes one block of a layout program: sums up what is constant and emits an operation only where bytes must be looked at.
class LayoutEmitter {
public:
    /// `startAlignment`: what the block's first bit is known to be a multiple of. Without `keepNumbers` no Load is emitted.
    LayoutEmitter(const StructLayout& layout, std::uint64_t startAlignment, bool keepNumbers = true)
        : m_layout(layout)
        , m_known(startAlignment)
        , m_keepNumbers(keepNumbers)
    {
    }

    /// The whole field.
    void emit(std::uint32_t node);

    /// Up to and not including the last of `path`: nodes from the root down, each a member or option of the one before.
    void emitUpTo(std::span<const std::uint32_t> path);

    /// Ends the block.
    LayoutBlock finish();

    bool isConstant() const { return m_block.empty(); }
    std::uint64_t pending() const { return m_pending; }

private:
    void alignTo(std::uint64_t alignment);
    void put(LayoutOp op, std::uint64_t knownAlignment);
    void putInPlace(LayoutOp op);
    void emitRepeated(const LayoutNode& node);

    const StructLayout& m_layout;
    LayoutBlock m_block;
    std::uint64_t m_pending = 0; ///< Bits since the last operation's end.
    std::uint64_t m_known; ///< That end is a multiple of this.
    bool m_keepNumbers;
};

/// a + b, a * b; at most TooManyBits, which no packet has.
constexpr std::uint64_t TooManyBits = std::uint64_t{1} << 56;
constexpr std::uint64_t addBits(std::uint64_t a, std::uint64_t b)
{
    return std::min(TooManyBits, std::min(TooManyBits, a) + std::min(TooManyBits, b));
}
constexpr std::uint64_t multiplyBits(std::uint64_t a, std::uint64_t b) { return a != 0 && b > TooManyBits / a ? TooManyBits : a * b; }

} // namespace helio
