#include "core/trace/fields/struct_layout.h"

#include "core/trace/fields/layout_emitter.h"

#include <algorithm>
#include <cstring>

namespace helio {
namespace {

constexpr std::size_t MaxTargets = 256;

bool isLess(std::int64_t a, std::int64_t b, bool isSigned)
{
    return isSigned ? a < b : static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
}

/// Returns the bit after the string that begins at `bit`; CutOff if the string has no NUL in the packet. `unit`: size of a character in
/// bytes.
std::uint64_t pastString(const PacketBytes& packet, std::uint64_t bit, unsigned unit)
{
    const std::uint64_t end = packet.contentBits / 8;
    if (unit > 1) {
        constexpr std::array<std::byte, 4> Nul{};
        for (std::uint64_t at = bit / 8; at + unit <= end; at += unit)
            if (std::memcmp(packet.data + at, Nul.data(), unit) == 0)
                return (at + unit) * 8;
        return CutOff;
    }
    if (bit / 8 >= end)
        return CutOff;
    const auto* nul = static_cast<const std::byte*>(std::memchr(packet.data + bit / 8, 0, end - bit / 8));
    return nul ? static_cast<std::uint64_t>(nul - packet.data + 1) * 8 : CutOff;
}

std::uint64_t pastElements(const LayoutOp& op, std::uint64_t count, std::uint64_t bit, std::uint64_t contentBits)
{
    if (count == 0)
        return bit;
    if (op.stride != 0 && count - 1 > (contentBits - bit) / op.stride)
        return CutOff;
    return bit + (count - 1) * op.stride + op.size;
}

/// Collects all fields to which a path of names leads. Each result is the list of nodes from the root down to the field.
class PathFinder {
public:
    using Path = std::vector<std::uint32_t>;

    explicit PathFinder(const StructLayout& layout)
        : m_layout(layout)
    {
    }

    std::vector<Path> find(std::span<const std::string> names)
    {
        descend(0, names);
        return std::move(m_found);
    }

private:
    void descend(std::uint32_t index, std::span<const std::string> names)
    {
        if (m_found.size() >= MaxTargets)
            return;
        m_path.push_back(index);
        const LayoutNode& node = m_layout.node(index);
        if (const auto* asVariant = std::get_if<VariantType>(&node.type->shape))
            descendVariant(node, *asVariant, names);
        else if (names.empty())
            m_found.push_back(m_path);
        else if (const auto* asStruct = std::get_if<StructType>(&node.type->shape))
            descendStruct(node, *asStruct, names);
        m_path.pop_back();
    }

    void descendStruct(const LayoutNode& node, const StructType& type, std::span<const std::string> names)
    {
        for (std::uint32_t i = 0; i < node.children; ++i) {
            if (type.members[i].name == names.front())
                return descend(node.firstChild + i, names.subspan(1));
        }
    }

    void descendVariant(const LayoutNode& node, const VariantType& type, std::span<const std::string> names)
    {
        for (std::uint32_t i = 0; i < node.children; ++i) {
            if (!names.empty() && type.options[i].name == names.front())
                return descend(node.firstChild + i, names.subspan(1));
        }
        for (std::uint32_t i = 0; i < node.children; ++i)
            descend(node.firstChild + i, names);
    }

    const StructLayout& m_layout;
    Path m_path;
    std::vector<Path> m_found;
};

/// False if no path that begins with `name` leads to a field. Most lookups are for fields of other events; with this check they need
/// neither a search nor copies of the names.
bool mayLead(const FieldType& root, std::string_view name)
{
    const auto* const asStruct = std::get_if<StructType>(&root.shape);
    return !asStruct || std::ranges::find(asStruct->members, name, &Member::name) != asStruct->members.end();
}

bool sharesLayout(const EventType& type, const EventType& like, Section upTo)
{
    for (std::size_t i = 0; i <= static_cast<std::size_t>(upTo); ++i) {
        if (type.section(static_cast<Section>(i)) != like.section(static_cast<Section>(i)))
            return false;
    }
    return true;
}

} // namespace

std::uint32_t StructLayout::option(std::uint32_t table, std::int64_t tag) const
{
    const OptionTable& t = m_tables[table];
    for (const OptionRange& range : t.ranges) {
        if (!isLess(tag, range.first, t.isSigned) && !isLess(range.last, tag, t.isSigned))
            return range.option;
    }
    return LayoutNode::None;
}

FieldLocator StructLayout::locate(std::span<const std::string> names) const
{
    FieldLocator locator;
    if (!m_isUsable || names.empty())
        return locator;
    const auto paths = PathFinder(*this).find(names);
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
        FieldLocator next;
        next.m_layout = this;
        next.m_node = path->back();
        next.m_section = m_section;
        LayoutEmitter constant(*this, m_alignment, false);
        constant.emitUpTo(*path);
        if (constant.isConstant())
            next.m_offset = constant.pending();
        LayoutEmitter exact(*this, m_alignment);
        exact.emitUpTo(*path);
        next.m_block = exact.finish();
        if (locator.isValid())
            next.m_next = std::make_shared<const FieldLocator>(std::move(locator));
        locator = std::move(next);
    }
    return locator;
}

FieldLocator StructLayout::locate(std::string_view dottedPath) const
{
    if (!m_isUsable || !mayLead(*m_nodes.front().type, dottedPath.substr(0, dottedPath.find('.'))))
        return {};
    std::vector<std::string> names;
    while (!dottedPath.empty()) {
        const std::size_t dot = std::min(dottedPath.find('.'), dottedPath.size());
        names.emplace_back(dottedPath.substr(0, dot));
        dottedPath.remove_prefix(std::min(dot + 1, dottedPath.size()));
    }
    return locate(names);
}

std::size_t compileLayouts(EventType& type, const EventType* like, std::size_t maxNodes)
{
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < type.layouts.size(); ++i) {
        const auto section = static_cast<Section>(i);
        if (like && sharesLayout(type, *like, section)) {
            type.layouts[i] = like->layouts[i];
        } else if (type.section(section)) {
            type.layouts[i] = std::make_shared<const StructLayout>(type, section, maxNodes - nodes);
            nodes += std::min(type.layouts[i]->nodeCount(), maxNodes - nodes);
        }
    }
    return nodes;
}

bool isText(const FieldType& type)
{
    const TextEncoding encoding = encodingOf(type);
    return encoding != TextEncoding::None && codeUnitBytes(encoding) == 1;
}

TextEncoding encodingOf(const FieldType& type)
{
    if (const auto* asString = std::get_if<StringType>(&type.shape))
        return asString->encoding == TextEncoding::None ? TextEncoding::Utf8 : asString->encoding;
    const auto* asArray = std::get_if<ArrayType>(&type.shape);
    const auto* asSequence = std::get_if<SequenceType>(&type.shape);
    const auto* asLocated = std::get_if<DataLocType>(&type.shape);
    const FieldType* element = asArray ? asArray->element.get()
        : asSequence                   ? asSequence->element.get()
        : asLocated                    ? asLocated->element.get()
                                       : nullptr;
    const auto* character = element ? std::get_if<IntegerType>(&element->shape) : nullptr;
    return character && character->bits == 8 && element->alignment <= 8 ? character->encoding : TextEncoding::None;
}

std::optional<std::int64_t> StructLayout::resolve(std::uint32_t index, const FieldScope& scope, LayoutSlots& slots) const
{
    const Reference& reference = m_references[index];
    return reference.earlier ? reference.earlier->integer(scope) : slots[reference.slot];
}

/// Returns the number of elements of an array or sequence; CutOff if the packet is too small for that number. Elements of size 0 fit into
/// any packet, up to MaxEmptyElements.
std::uint64_t StructLayout::count(const LayoutOp& op, const FieldScope& scope, std::uint64_t bit, LayoutSlots& slots) const
{
    const std::uint64_t left = scope.packet.contentBits - bit;
    std::uint64_t wanted = op.size;
    if (op.reference != LayoutNode::None) {
        const auto length = resolve(op.reference, scope, slots);
        if (!length)
            return CutOff;
        wanted = static_cast<std::uint64_t>(*length);
    }
    return wanted <= left || (op.stride == 0 && wanted <= MaxEmptyElements) ? wanted : CutOff;
}

std::uint64_t StructLayout::runLoop(const LayoutOp& op, const FieldScope& scope, std::uint64_t bit, LayoutSlots& slots) const
{
    const std::uint64_t times = count(op, scope, bit, slots);
    if (times == CutOff || (op.stride > 1 && times > (scope.packet.contentBits - bit) / op.stride))
        return CutOff;
    for (std::uint64_t i = 0; i < times; ++i) {
        const std::uint64_t end = run(m_blocks[op.target], scope, bit, slots);
        // Stop: the element is cut off, or it has no bits. In the second case, all further elements have no bits either, because they start
        // at the same position.
        if (end == CutOff || end == bit)
            return end;
        bit = end;
    }
    return bit;
}

std::uint64_t StructLayout::run(const LayoutBlock& block, const FieldScope& scope, std::uint64_t bit) const
{
    LayoutSlots slots(m_slots);
    return run(block, scope, bit, slots);
}

std::uint64_t StructLayout::run(const LayoutBlock& block, const FieldScope& scope, std::uint64_t bit, LayoutSlots& slots) const
{
    const std::uint64_t contentBits = scope.packet.contentBits;
    for (const LayoutOp& op : block) {
        bit = alignUp(bit + op.advance, op.alignment);
        if (bit > contentBits)
            return CutOff;
        switch (op.kind) {
        case LayoutOp::Kind::End: return bit;
        case LayoutOp::Kind::Fail: return CutOff;
        case LayoutOp::Kind::Align: break;
        case LayoutOp::Kind::String: bit = pastString(scope.packet, bit, op.bits / 8U); break;
        case LayoutOp::Kind::Load: {
            if (bit + op.bits > contentBits)
                return CutOff;
            std::uint64_t value = readBits(scope.packet.data, bit, op.bits, op.order);
            if (op.isReversed)
                value = reverseBits(value, op.bits);
            slots[op.target] = op.isSigned ? signExtend(value, op.bits) : static_cast<std::int64_t>(value);
            break;
        }
        case LayoutOp::Kind::Variable: {
            const Leb128Number number = readLeb128(scope.packet.data, contentBits, bit, op.isSigned);
            if (op.target != LayoutNode::None)
                slots[op.target] = number.value;
            bit = number.end;
            break;
        }
        case LayoutOp::Kind::Sequence: {
            const std::uint64_t elements = count(op, scope, bit, slots);
            bit = elements == CutOff ? CutOff : pastElements(op, elements, bit, contentBits);
            break;
        }
        case LayoutOp::Kind::Loop: bit = runLoop(op, scope, bit, slots); break;
        case LayoutOp::Kind::Variant:
        case LayoutOp::Kind::Require: {
            const auto tag = resolve(op.reference, scope, slots);
            const std::uint32_t chosen = tag ? option(op.table, *tag) : LayoutNode::None;
            if (op.kind == LayoutOp::Kind::Require)
                bit = chosen == op.target ? bit : CutOff;
            else
                bit = chosen == LayoutNode::None ? CutOff : run(m_blocks[op.target + chosen], scope, bit, slots);
            break;
        }
        }
        if (bit == CutOff)
            return CutOff;
    }
    return bit;
}

std::optional<DataLocRange> locateDataLoc(const PacketBytes& packet, const DataLocType& type, std::uint64_t sectionBit, std::uint64_t bit)
{
    if (bit % 8 != 0 || sectionBit % 8 != 0 || bit + 32 > packet.contentBits)
        return {};
    const std::uint64_t word = readBits(packet.data, bit, 32, type.order);
    const DataLocRange found{(type.isRelative ? bit / 8 + 4 : sectionBit / 8) + (word & 0xffff), word >> 16};
    return (found.first + found.count) * 8 <= packet.contentBits ? std::optional(found) : std::nullopt;
}

FieldScope scopeOf(const EventView& event)
{
    FieldScope scope{event.packet, {}};
    const EventRecord& record = *event.record;
    scope.start(Section::PacketHeader) = 0;
    scope.start(Section::PacketContext) = event.packet.contextBit;
    scope.start(Section::EventHeader) = record.headerBit;
    scope.start(Section::StreamContext) = record.headerBit + record.contextOffset;
    scope.start(Section::Payload) = record.headerBit + record.payloadOffset;
    const StructLayout* before = event.type->layout(Section::StreamContext);
    const StructLayout* context = event.type->layout(Section::EventContext);
    scope.start(Section::EventContext) = CutOff;
    if (context) {
        const std::uint64_t start = scope.start(Section::StreamContext);
        const std::uint64_t end = before ? before->skip(scope, start) : start;
        scope.start(Section::EventContext) = end == CutOff ? CutOff : context->alignedStart(end);
    }
    return scope;
}

std::uint64_t FieldLocator::ownBit(const FieldScope& scope, LayoutSlots* slots) const
{
    if (!isValid() || scope.start(m_section) > scope.packet.contentBits)
        return CutOff;
    const std::uint64_t start = m_layout->alignedStart(scope.start(m_section));
    if (slots)
        return m_layout->run(m_block, scope, start, *slots);
    if (m_offset != CutOff)
        return start + m_offset <= scope.packet.contentBits ? start + m_offset : CutOff;
    return m_layout->run(m_block, scope, start);
}

FieldLocator::FoundField FieldLocator::place(const FieldScope& scope) const
{
    for (const FieldLocator* at = this; at; at = at->m_next.get()) {
        const std::uint64_t found = at->ownBit(scope, nullptr);
        if (found != CutOff)
            return {at, found};
    }
    return {};
}

std::optional<std::int64_t> FieldLocator::integer(const FieldScope& scope, unsigned* usedBits) const
{
    const FoundField found = place(scope);
    const IntegerType* type = found.field ? integerOf(*found.field->type()) : nullptr;
    if (type && type->isVariable) {
        const Leb128Number number = readLeb128(scope.packet.data, scope.packet.contentBits, found.bit, type->isSigned);
        if (usedBits)
            *usedBits = number.bits;
        return number.end != CutOff ? std::optional(number.value) : std::nullopt;
    }
    if (!type || found.bit + type->bits > scope.packet.contentBits)
        return {};
    if (usedBits)
        *usedBits = type->bits;
    return readInteger(scope.packet.data, found.bit, *type);
}

std::optional<double> FieldLocator::number(const FieldScope& scope) const
{
    const FoundField found = place(scope);
    if (!found.field)
        return {};
    const FieldType& type = *found.field->type();
    if (const auto* asFloat = std::get_if<FloatType>(&type.shape))
        return found.bit + asFloat->bits <= scope.packet.contentBits ? std::optional(readFloat(scope.packet.data, found.bit, *asFloat))
                                                                     : std::nullopt;
    const auto value = integer(scope);
    if (!value)
        return {};
    return integerOf(type)->isSigned ? static_cast<double>(*value) : static_cast<double>(static_cast<std::uint64_t>(*value));
}

std::span<const std::byte> FieldLocator::text(const FieldScope& scope) const
{
    for (const FieldLocator* at = this; at; at = at->m_next.get()) {
        LayoutSlots slots = at->m_layout ? at->m_layout->makeSlots() : LayoutSlots(0);
        const std::uint64_t found = at->ownBit(scope, &slots);
        if (found == CutOff)
            continue;
        const std::uint64_t left = scope.packet.contentBits - found;
        std::uint64_t bytes = 0;
        if (const auto* located = std::get_if<DataLocType>(&at->type()->shape)) {
            const auto place = locateDataLoc(scope.packet, *located, at->m_layout->alignedStart(scope.start(at->m_section)), found);
            return place && isText(*at->type()) ? std::span(scope.packet.data + place->first, place->count) : std::span<const std::byte>();
        }
        if (std::holds_alternative<StringType>(at->type()->shape)) {
            const std::uint64_t end = pastString(scope.packet, found, codeUnitBytes(encodingOf(*at->type())));
            bytes = end == CutOff ? 0 : (end - found) / 8;
        } else if (isText(*at->type())) {
            const LayoutNode& node = at->m_layout->node(at->m_node);
            const auto* asArray = std::get_if<ArrayType>(&node.type->shape);
            const auto length = asArray ? static_cast<std::int64_t>(asArray->length) : at->m_layout->resolve(node.reference, scope, slots);
            bytes = length ? static_cast<std::uint64_t>(*length) : 0;
        }
        if (bytes > left / 8 || found % 8 != 0)
            return {};
        return {scope.packet.data + found / 8, bytes};
    }
    return {};
}

} // namespace helio
