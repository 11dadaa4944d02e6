#pragma once

#include "core/trace/fields/struct_layout.h"

namespace helio {

/// Writes one block of a layout program: adds up constant sizes and emits an operation only where bytes must be read.
class LayoutEmitter {
public:
    /// `startAlignment`: known alignment of the block's first bit. If `keepNumbers` is false, no Load is emitted.
    LayoutEmitter(const StructLayout& layout, std::uint64_t startAlignment, bool keepNumbers = true)
        : m_layout(layout)
        , m_known(startAlignment)
        , m_keepNumbers(keepNumbers)
    {
    }

    /// Emits the whole field.
    void emit(std::uint32_t node);

    /// Emits everything before the last node of `path`: nodes from the root down, each a member or option of its predecessor.
    void emitUpTo(std::span<const std::uint32_t> path);

    /// Ends the block and returns it.
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
    std::uint64_t m_pending = 0; ///< Bits since the end of the last operation.
    std::uint64_t m_known; ///< Known alignment of the end of the last operation.
    bool m_keepNumbers;
};

/// Returns a + b or a * b, at most TooManyBits, which exceeds every packet.
constexpr std::uint64_t TooManyBits = std::uint64_t{1} << 56;
constexpr std::uint64_t addBits(std::uint64_t a, std::uint64_t b)
{
    return std::min(TooManyBits, std::min(TooManyBits, a) + std::min(TooManyBits, b));
}
constexpr std::uint64_t multiplyBits(std::uint64_t a, std::uint64_t b) { return a != 0 && b > TooManyBits / a ? TooManyBits : a * b; }

} // namespace helio
