#pragma once

#include "core/trace/fields/struct_layout.h"

namespace helio {

/// Writes one block of a layout's operations (LayoutBlock). Sizes that are the same in every packet are added up; an operation is emitted
/// only where bytes of the packet must be read.
class LayoutEmitter {
public:
    /// `startAlignment`: known alignment in bits of the block's first bit. `keepNumbers`: if false, no Load operation is emitted.
    LayoutEmitter(const StructLayout& layout, std::uint64_t startAlignment, bool keepNumbers = true)
        : m_layout(layout)
        , m_known(startAlignment)
        , m_keepNumbers(keepNumbers)
    {
    }

    /// Emits operations for the complete field `node`.
    void emit(std::uint32_t node);

    /// Emits operations for everything before the last node of `path`. `path` lists nodes from the root down; each node is a member or
    /// option of its predecessor.
    void emitUpTo(std::span<const std::uint32_t> path);

    /// Returns the block, ended by an End operation.
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
    std::uint64_t m_pending = 0; ///< Number of constant bits since the last operation, not yet emitted.
    std::uint64_t m_known; ///< Known alignment in bits of the position after the last operation.
    bool m_keepNumbers;
};

/// Size in bits that exceeds every packet. Sums and products of sizes are capped at this value.
constexpr std::uint64_t TooManyBits = std::uint64_t{1} << 56;
constexpr std::uint64_t addBits(std::uint64_t a, std::uint64_t b)
{
    return std::min(TooManyBits, std::min(TooManyBits, a) + std::min(TooManyBits, b));
}
constexpr std::uint64_t multiplyBits(std::uint64_t a, std::uint64_t b) { return a != 0 && b > TooManyBits / a ? TooManyBits : a * b; }

} // namespace helio
