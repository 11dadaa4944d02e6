#include "core/formats/ctf/cutout/event_copier.h"

#include <algorithm>

namespace helio::ctf {
namespace {

constexpr std::array EventSections{Section::EventHeader, Section::StreamContext, Section::EventContext, Section::Payload};

/// Copies the fields of a section one by one, along the tree of its layout, to a PacketOutput or a FieldHash.
template <typename Output> class FieldCopier {
public:
    FieldCopier(const StructLayout& layout, const FieldScope& scope, Output& output)
        : m_layout(layout)
        , m_scope(scope)
        , m_output(output)
        , m_slots(layout.makeSlots())
    {
    }

    /// Copies the section whose data begin at `bit`. Returns false if the section exceeds its packet.
    bool copyFrom(std::uint64_t bit)
    {
        m_bit = bit;
        return copy(m_layout.root());
    }

private:
    bool copy(const LayoutNode& node)
    {
        m_bit = alignUp(m_bit, node.alignment);
        m_output.advanceTo(alignUp(m_output.bit(), node.alignment));
        if (m_bit > m_scope.packet.contentBits)
            return false;
        return std::visit([&](const auto& type) { return copyShape(node, type); }, node.type->shape);
    }

    bool copyBits(unsigned bits, ByteOrder order)
    {
        if (m_bit + bits > m_scope.packet.contentBits)
            return false;
        m_output.put(readBits(m_scope.packet.data, m_bit, bits, order), bits, order);
        m_bit += bits;
        return true;
    }

    bool copyBytes(std::uint64_t count)
    {
        if (count > (m_scope.packet.contentBits - m_bit) / 8)
            return false;
        m_output.copy(m_scope.packet.data + m_bit / 8, 8 * count);
        m_bit += 8 * count;
        return true;
    }

    bool copyShape(const LayoutNode& node, const IntegerType& type)
    {
        std::int64_t number = 0;
        bool isCopied = false;
        if (type.isVariable) {
            const Leb128Number read = readLeb128(m_scope.packet.data, m_scope.packet.contentBits, m_bit, type.isSigned);
            number = read.value;
            isCopied = read.end != CutOff && copyBytes((read.end - m_bit) / 8);
        } else if (m_bit + type.bits <= m_scope.packet.contentBits) {
            number = readInteger(m_scope.packet.data, m_bit, type);
            isCopied = copyBits(type.bits, type.order);
        }
        if (node.slot != LayoutNode::None)
            m_slots[node.slot] = number;
        return isCopied;
    }

    bool copyShape(const LayoutNode& node, const EnumType& type) { return copyShape(node, type.container); }
    bool copyShape(const LayoutNode&, const FloatType& type) { return copyBits(type.bits, type.order); }

    bool copyShape(const LayoutNode&, const StringType& type)
    {
        const unsigned unit = codeUnitBytes(type.encoding);
        for (std::uint64_t at = m_bit; at + 8 * unit <= m_scope.packet.contentBits; at += 8 * unit)
            if (readBits(m_scope.packet.data, at, 8 * unit, ByteOrder::Little) == 0)
                return copyBytes((at - m_bit) / 8 + unit);
        return false;
    }

    bool copyShape(const LayoutNode& node, const StructType&)
    {
        for (std::uint32_t i = 0; i < node.children; ++i)
            if (!copy(m_layout.node(node.firstChild + i)))
                return false;
        return true;
    }

    bool copyShape(const LayoutNode& node, const ArrayType& type) { return copyElements(node, type.length); }

    bool copyShape(const LayoutNode& node, const SequenceType&)
    {
        const auto length = m_layout.resolve(node.reference, m_scope, m_slots);
        return length && copyElements(node, static_cast<std::uint64_t>(*length));
    }

    bool copyShape(const LayoutNode& node, const VariantType&)
    {
        const auto tag = m_layout.resolve(node.reference, m_scope, m_slots);
        const std::uint32_t option = tag ? m_layout.option(node.table, *tag) : LayoutNode::None;
        return option != LayoutNode::None && copy(m_layout.node(node.firstChild + option));
    }

    bool copyShape(const LayoutNode&, const DataLocType&) { return false; } // CTF has no such fields.

    bool copyElements(const LayoutNode& node, std::uint64_t count)
    {
        const LayoutNode& element = m_layout.node(node.firstChild);
        const std::uint64_t left = m_scope.packet.contentBits - m_bit;
        if (count > (element.leastBits > 0 ? left / element.leastBits : MaxEmptyElements))
            return element.leastBits == 0 && element.isFixed(); // Elements without bits need no copy.
        const bool isBytes = element.bits == 8 && element.alignment <= 8 && !element.keepsNumbers
            && std::holds_alternative<IntegerType>(element.type->shape);
        if (isBytes && m_bit % 8 == 0 && m_output.bit() % 8 == 0)
            return copyBytes(count);
        for (std::uint64_t i = 0; i < count; ++i)
            if (!copy(element))
                return false;
        return true;
    }

    const StructLayout& m_layout;
    const FieldScope& m_scope;
    Output& m_output;
    LayoutSlots m_slots;
    std::uint64_t m_bit = 0; ///< Position of the next field in the original packet.
};

/// Hash of the bits of fields, independent of their positions.
class FieldHash {
public:
    std::uint64_t value() const { return m_value; }

    static std::uint64_t bit() { return 0; }
    void advanceTo(std::uint64_t) { }
    void put(std::uint64_t value, unsigned, ByteOrder)
    {
        m_value = (m_value ^ value) * 0x9e3779b97f4a7c15;
        m_value ^= m_value >> 32;
    }
    void copy(const std::byte* from, std::uint64_t bits)
    {
        for (std::uint64_t i = 0; i < bits / 8; ++i)
            put(std::to_integer<std::uint64_t>(from[i]), 8, ByteOrder::Little);
    }

private:
    std::uint64_t m_value = 1;
};

} // namespace

std::uint64_t hashOf(const EventView& event)
{
    const FieldScope scope = scopeOf(event);
    FieldHash hash;
    for (const Section section : EventSections)
        if (const StructLayout* layout = event.type->layout(section))
            if (!FieldCopier(*layout, scope, hash).copyFrom(scope.start(section)))
                break;
    return hash.value();
}

std::uint64_t endOf(const EventView& event)
{
    const FieldScope scope = scopeOf(event);
    const std::uint64_t payload = scope.start(Section::Payload);
    const StructLayout* layout = event.type->layout(Section::Payload);
    return layout ? layout->skip(scope, payload) : payload;
}

/// Returns the largest alignment in bits of any field of the events; at least 8. Options of variants count, although they do not align the
/// variant itself.
std::uint64_t EventCopier::largestAlignment(EventTypeId type)
{
    std::uint64_t& largest = m_alignments[static_cast<std::size_t>(type)];
    if (largest != 0)
        return largest;
    largest = 8;
    for (const Section section : EventSections)
        if (const StructLayout* layout = m_types[type].layout(section))
            for (std::uint32_t i = 0; i < layout->nodeCount(); ++i)
                largest = std::max<std::uint64_t>(largest, layout->node(i).alignment);
    return largest;
}

bool EventCopier::copy(const EventView& event, PacketOutput& output)
{
    const FieldScope scope = scopeOf(event);
    const std::uint64_t begin = event.record->headerBit;
    const std::uint64_t end = endOf(event);
    if (end == CutOff || end > event.packet.contentBits)
        return false;
    const StructLayout* header = event.type->layout(Section::EventHeader);
    const std::uint64_t start = header ? header->alignedStart(output.bit()) : output.bit();
    output.advanceTo(start);
    if (begin % 8 == 0 && start % 8 == 0 && (begin - start) % largestAlignment(event.record->type) == 0) {
        output.copy(event.packet.data + begin / 8, end - begin);
        return true;
    }
    for (const Section section : EventSections) {
        const StructLayout* layout = event.type->layout(section);
        if (layout && !FieldCopier(*layout, scope, output).copyFrom(scope.start(section)))
            return false;
    }
    return true;
}

} // namespace helio::ctf
