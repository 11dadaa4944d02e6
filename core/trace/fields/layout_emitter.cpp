#include "core/trace/fields/layout_emitter.h"

#include <algorithm>

namespace helio {

void LayoutEmitter::alignTo(std::uint64_t alignment)
{
    if (alignment <= m_known) {
        m_pending = alignUp(m_pending, alignment);
        return;
    }
    LayoutOp op;
    op.kind = LayoutOp::Kind::Align;
    op.alignment = static_cast<std::uint32_t>(alignment);
    put(op, alignment);
}

/// Appends `op`, which skips a number of bits that depends on the packet. Before that, `op` also skips the m_pending bits of the preceding
/// fixed-size fields. `knownAlignment`: alignment in bits of the position after `op`, in every packet.
void LayoutEmitter::put(LayoutOp op, std::uint64_t knownAlignment)
{
    op.advance = m_pending;
    m_block.push_back(op);
    m_pending = 0;
    m_known = knownAlignment;
}

/// Appends `op`, which itself does not change the position. Before that, `op` skips the m_pending bits of the preceding fixed-size fields,
/// which may reduce the known alignment of the position.
void LayoutEmitter::putInPlace(LayoutOp op)
{
    const std::uint64_t lowestBit = m_pending & -m_pending;
    put(op, m_pending == 0 ? m_known : std::min(m_known, lowestBit));
}

void LayoutEmitter::emitRepeated(const LayoutNode& node)
{
    const LayoutNode& element = m_layout.node(node.firstChild);
    LayoutOp op;
    op.alignment = node.alignment;
    op.reference = node.reference;
    if (element.isFixed() && !element.keepsNumbers && node.reference != LayoutNode::None) {
        op.kind = LayoutOp::Kind::Sequence;
        op.size = element.bits;
        op.stride = alignUp(element.bits, element.alignment);
        const std::uint64_t step = op.size | op.stride;
        const std::uint64_t end = step == 0 ? node.alignment : (step & -step);
        put(op, std::min<std::uint64_t>(end, node.alignment));
        return;
    }
    op.kind = LayoutOp::Kind::Loop;
    op.target = node.block;
    op.stride = element.leastBits;
    if (node.reference == LayoutNode::None)
        op.size = std::get<ArrayType>(node.type->shape).length;
    put(op, 1);
}

void LayoutEmitter::emit(std::uint32_t index)
{
    const LayoutNode& node = m_layout.node(index);
    LayoutOp op;
    if (node.isFixed() && !(node.keepsNumbers && m_keepNumbers)) {
        alignTo(node.alignment);
        m_pending = addBits(m_pending, node.bits);
    } else if (std::holds_alternative<StringType>(node.type->shape)) {
        op.kind = LayoutOp::Kind::String;
        op.alignment = node.alignment;
        op.bits = static_cast<std::uint8_t>(8 * codeUnitBytes(encodingOf(*node.type)));
        put(op, 8);
    } else if (std::holds_alternative<StructType>(node.type->shape)) {
        alignTo(node.alignment);
        for (std::uint32_t i = 0; i < node.children; ++i)
            emit(node.firstChild + i);
    } else if (std::holds_alternative<VariantType>(node.type->shape)) {
        op.kind = LayoutOp::Kind::Variant;
        op.reference = node.reference;
        op.table = node.table;
        op.target = node.block;
        put(op, 1);
    } else if (node.children == 1) {
        emitRepeated(node);
    } else if (const IntegerType& type = *integerOf(*node.type); type.isVariable) {
        op.kind = LayoutOp::Kind::Variable;
        op.alignment = node.alignment;
        op.target = node.slot;
        op.isSigned = type.isSigned;
        put(op, 8);
    } else { // The value of this number is needed later as the length or tag of another field: emit a Load operation.
        alignTo(node.alignment);
        op.kind = LayoutOp::Kind::Load;
        op.target = node.slot;
        op.bits = type.bits;
        op.isSigned = type.isSigned;
        op.isReversed = type.isReversed;
        op.order = type.order;
        putInPlace(op);
        m_pending = type.bits;
    }
}

void LayoutEmitter::emitUpTo(std::span<const std::uint32_t> path)
{
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const LayoutNode& node = m_layout.node(path[i]);
        if (std::holds_alternative<VariantType>(node.type->shape)) {
            LayoutOp op;
            op.kind = LayoutOp::Kind::Require;
            op.reference = node.reference;
            op.table = node.table;
            op.target = path[i + 1] - node.firstChild;
            putInPlace(op);
        } else {
            alignTo(node.alignment);
            for (std::uint32_t before = node.firstChild; before < path[i + 1]; ++before)
                emit(before);
        }
    }
    alignTo(m_layout.node(path.back()).alignment);
}

LayoutBlock LayoutEmitter::finish()
{
    put({}, 1);
    return std::move(m_block);
}

} // namespace helio
