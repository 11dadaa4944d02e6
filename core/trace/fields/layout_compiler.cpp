#include "core/trace/fields/layout_emitter.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace helio {
namespace {

constexpr std::uint32_t MaxDepth = 64;
/// Maximum number of fields from which one length or tag may be taken; in a variant, one field for each option.
constexpr std::size_t MaxReferred = 256;
/// Maximum number of nodes in a tree. Types may share members, so a short text can describe a huge tree.
constexpr std::size_t MaxNodes = 50'000;

} // namespace

/// Builds the tree of a layout and its blocks (LayoutBlock), which are lists of operations that find the offsets of fields. A method that
/// returns bool returns false if the type cannot be used.
class LayoutCompiler {
public:
    LayoutCompiler(StructLayout& layout, const EventType& type, std::size_t maxNodes)
        : m_layout(layout)
        , m_type(type)
        , m_maxNodes(std::min(maxNodes, MaxNodes))
    {
    }

    bool compile()
    {
        m_layout.m_nodes.emplace_back();
        if (!fill(0, *m_layout.m_type, 0))
            return false;
        resolveJoinedSlots();
        auto& nodes = m_layout.m_nodes;
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
            node->keepsNumbers = node->slot != LayoutNode::None;
            for (std::uint32_t i = 0; i < node->children; ++i)
                node->keepsNumbers |= nodes[node->firstChild + i].keepsNumbers;
        }
        m_layout.m_alignment = nodes.front().alignment;
        m_layout.m_bits = nodes.front().bits;
        emitBlocks();
        return true;
    }

private:
    LayoutNode& node(std::uint32_t index) { return m_layout.m_nodes[index]; }

    bool fill(std::uint32_t index, const FieldType& type, std::uint32_t depth)
    {
        if (depth > MaxDepth || type.alignment == 0 || (type.alignment & (type.alignment - 1)) != 0)
            return false;
        node(index).type = &type;
        node(index).alignment = type.alignment;
        return std::visit([&](const auto& shape) { return fillShape(index, shape, depth); }, type.shape);
    }

    bool fillShape(std::uint32_t index, const IntegerType& type, std::uint32_t)
    {
        node(index).bits = node(index).leastBits = type.bits;
        if (type.isVariable) {
            node(index).alignment = std::max<std::uint32_t>(node(index).alignment, 8);
            node(index).bits = CutOff;
            node(index).leastBits = 8;
        }
        return type.bits >= 1 && type.bits <= 64;
    }

    bool fillShape(std::uint32_t index, const EnumType& type, std::uint32_t depth) { return fillShape(index, type.container, depth); }

    bool fillShape(std::uint32_t index, const FloatType& type, std::uint32_t)
    {
        node(index).bits = node(index).leastBits = type.bits;
        return type.bits == 32 || type.bits == 64;
    }

    bool fillShape(std::uint32_t index, const StringType& type, std::uint32_t)
    {
        node(index).alignment = std::max<std::uint32_t>(node(index).alignment, 8);
        node(index).leastBits = 8 * codeUnitBytes(type.encoding);
        return true;
    }

    bool fillShape(std::uint32_t index, const StructType& type, std::uint32_t depth)
    {
        addChildren(index, type.members.size());
        std::uint64_t bits = 0;
        std::uint64_t least = 0;
        for (std::size_t i = 0; i < type.members.size(); ++i) {
            if (!fillChild(index, i, type.members[i].type, depth))
                return false;
            const LayoutNode& child = node(node(index).firstChild + static_cast<std::uint32_t>(i));
            bits = bits != CutOff && child.isFixed() ? addBits(alignUp(bits, child.alignment), child.bits) : CutOff;
            least = addBits(least, child.leastBits);
            node(index).alignment = std::max(node(index).alignment, child.alignment);
        }
        node(index).bits = bits;
        node(index).leastBits = least;
        return true;
    }

    bool fillShape(std::uint32_t index, const ArrayType& type, std::uint32_t depth)
    {
        if (!fillElement(index, type.element, depth))
            return false;
        const LayoutNode& element = node(node(index).firstChild);
        if (type.length == 0)
            node(index).bits = 0;
        else if (element.isFixed())
            node(index).bits = addBits(multiplyBits(type.length - 1, alignUp(element.bits, element.alignment)), element.bits);
        node(index).leastBits = multiplyBits(type.length, element.leastBits);
        return true;
    }

    bool fillShape(std::uint32_t index, const SequenceType& type, std::uint32_t depth)
    {
        return refer(index, type.length) && fillElement(index, type.element, depth);
    }

    /// Fills the node of a field of type DataLocType. The node stands for the 32-bit word that contains offset and length of the data; the
    /// type of the data's elements becomes its child, so that the data can be decoded.
    bool fillShape(std::uint32_t index, const DataLocType& type, std::uint32_t depth)
    {
        if (!fillElement(index, type.element, depth) || !node(node(index).firstChild).isFixed())
            return false;
        node(index).bits = node(index).leastBits = 32;
        return true;
    }

    bool fillShape(std::uint32_t index, const VariantType& type, std::uint32_t depth)
    {
        const auto* tag = type.tagType ? std::get_if<EnumType>(&type.tagType->shape) : nullptr;
        if (!tag || !refer(index, type.tag))
            return false;
        addTable(index, *tag, type.options);
        addChildren(index, type.options.size());
        std::uint64_t least = type.options.empty() ? 0 : TooManyBits;
        for (std::size_t i = 0; i < type.options.size(); ++i) {
            if (!fillChild(index, i, type.options[i].type, depth))
                return false;
            least = std::min(least, node(node(index).firstChild + static_cast<std::uint32_t>(i)).leastBits);
        }
        node(index).leastBits = least;
        return true;
    }

    void addChildren(std::uint32_t index, std::size_t count)
    {
        node(index).firstChild = static_cast<std::uint32_t>(m_layout.m_nodes.size());
        node(index).children = static_cast<std::uint32_t>(std::min(count, m_maxNodes));
        m_layout.m_nodes.resize(m_layout.m_nodes.size() + node(index).children);
    }

    bool fillChild(std::uint32_t index, std::size_t i, const FieldTypePtr& type, std::uint32_t depth)
    {
        return type && m_layout.m_nodes.size() <= m_maxNodes
            && fill(node(index).firstChild + static_cast<std::uint32_t>(i), *type, depth + 1);
    }

    bool fillElement(std::uint32_t index, const FieldTypePtr& type, std::uint32_t depth)
    {
        addChildren(index, 1);
        if (!fillChild(index, 0, type, depth))
            return false;
        node(index).alignment = std::max(node(index).alignment, node(node(index).firstChild).alignment);
        return true;
    }

    /// Adds a table that maps the values of a variant's tag to the variant's options. An option belongs to the enumeration label of the
    /// same name. If no label has this name, it belongs to the label with an underscore in front of the name, because CTF escapes names
    /// with an underscore.
    void addTable(std::uint32_t index, const EnumType& tag, const std::vector<Member>& options)
    {
        StructLayout::OptionTable table{tag.container.isSigned, {}};
        std::unordered_multimap<std::string_view, const EnumRange*> ranges;
        for (const EnumRange& range : tag.ranges)
            ranges.emplace(range.label, &range);
        const auto collect = [&](std::uint32_t option, const std::string& label) {
            const auto [begin, end] = ranges.equal_range(label);
            for (auto it = begin; it != end; ++it)
                table.ranges.push_back({it->second->first, it->second->last, option});
            return begin != end;
        };
        for (std::uint32_t i = 0; i < options.size(); ++i) {
            if (!collect(i, options[i].name))
                collect(i, "_" + options[i].name);
        }
        node(index).table = static_cast<std::uint32_t>(m_layout.m_tables.size());
        m_layout.m_tables.push_back(std::move(table));
    }

    bool refer(std::uint32_t index, const FieldPath& path)
    {
        StructLayout::Reference reference;
        if (path.section == m_layout.m_section) {
            std::vector<std::uint32_t> targets;
            findEarlier(0, path.names, targets);
            const bool areIntegers = std::ranges::all_of(targets, [&](std::uint32_t i) { return i != index && integerOf(*node(i).type); });
            if (targets.empty() || !areIntegers)
                return false;
            reference.slot = sharedSlot(targets);
        } else {
            const StructLayout* earlier = path.section < m_layout.m_section ? m_type.layout(path.section) : nullptr;
            if (!earlier || !earlier->isUsable())
                return false;
            reference.earlier = std::make_shared<const FieldLocator>(earlier->locate(path.names));
            if (!reference.earlier->isValid())
                return false;
        }
        node(index).reference = static_cast<std::uint32_t>(m_layout.m_references.size());
        m_layout.m_references.push_back(std::move(reference));
        return true;
    }

    /// Returns one slot (an element of LayoutSlots, which stores a field's number) for several fields. Only one of these fields is present
    /// at a time, because they are in different options of a variant. If the fields already have slots, joins these slots. Some nodes keep
    /// the number of a joined slot until resolveJoinedSlots() replaces it.
    std::uint32_t sharedSlot(const std::vector<std::uint32_t>& targets)
    {
        std::uint32_t slot = LayoutNode::None;
        for (const std::uint32_t target : targets)
            if (node(target).slot != LayoutNode::None)
                slot = std::min(slot, joinedSlot(node(target).slot));
        if (slot == LayoutNode::None) {
            slot = m_layout.m_slots++;
            m_joined.push_back(slot);
        }
        for (const std::uint32_t target : targets)
            if (const std::uint32_t old = std::exchange(node(target).slot, slot); old != LayoutNode::None)
                m_joined[joinedSlot(old)] = slot;
        return slot;
    }

    /// Returns the slot that replaces `slot` because it was joined with other slots; `slot` itself if it was not joined.
    /// Cost: a few steps, because each call shortens the chain of joined slots for later calls.
    std::uint32_t joinedSlot(std::uint32_t slot)
    {
        while (m_joined[slot] != slot)
            slot = m_joined[slot] = m_joined[m_joined[slot]];
        return slot;
    }

    /// Replaces the slots of nodes and references that were joined (see sharedSlot()) by one common slot.
    void resolveJoinedSlots()
    {
        for (LayoutNode& it : m_layout.m_nodes)
            if (it.slot != LayoutNode::None)
                it.slot = joinedSlot(it.slot);
        for (StructLayout::Reference& it : m_layout.m_references)
            if (it.slot != LayoutNode::None)
                it.slot = joinedSlot(it.slot);
    }

    /// Finds the field to which a path of `names` leads, below node `from`. If several fields have the same path, the last of them is
    /// found. Fields after the referring field are not in the tree yet. If the path omits a variant's option, `found` gets one field for
    /// each option that has the field. Arrays and sequences have no name in the path.
    void findEarlier(std::uint32_t from, std::span<const std::string> names, std::vector<std::uint32_t>& found)
    {
        const LayoutNode& at = node(from);
        if (!at.type || found.size() >= MaxReferred)
            return;
        const bool isRepeated = std::holds_alternative<ArrayType>(at.type->shape) || std::holds_alternative<SequenceType>(at.type->shape);
        if (isRepeated && at.children == 1)
            return findEarlier(at.firstChild, names, found);
        const auto* asStruct = std::get_if<StructType>(&at.type->shape);
        const auto* asVariant = std::get_if<VariantType>(&at.type->shape);
        if (names.empty() && !asVariant)
            return found.push_back(from);
        if (!asStruct && !asVariant)
            return;
        const std::size_t before = found.size();
        for (std::uint32_t i = at.children; i-- > 0 && !names.empty() && found.size() == before;)
            if ((asStruct ? asStruct->members[i] : asVariant->options[i]).name == names.front())
                findEarlier(at.firstChild + i, names.subspan(1), found);
        if (asVariant && found.size() == before)
            for (std::uint32_t i = 0; i < at.children; ++i)
                findEarlier(at.firstChild + i, names, found);
    }

    void emitBlocks()
    {
        auto& blocks = m_layout.m_blocks;
        for (LayoutNode& n : m_layout.m_nodes) {
            if (std::holds_alternative<StructType>(n.type->shape))
                continue;
            n.block = static_cast<std::uint32_t>(blocks.size());
            // Structures have no block. Variants need one block per option, arrays and sequences one block for their element; numbers and
            // strings have no children.
            blocks.resize(blocks.size() + n.children);
        }
        for (const LayoutNode& n : m_layout.m_nodes) {
            for (std::uint32_t i = 0; n.block != LayoutNode::None && i < n.children; ++i) {
                LayoutEmitter emitter(m_layout, 1);
                emitter.emit(n.firstChild + i);
                blocks[n.block + i] = emitter.finish();
            }
        }
        LayoutEmitter whole(m_layout, m_layout.m_alignment);
        whole.emit(0);
        blocks.front() = whole.finish();
    }

    StructLayout& m_layout;
    const EventType& m_type;
    std::size_t m_maxNodes;
    /// Union-find forest of slots: for each slot its parent, a slot that stores the same number; a root is its own parent.
    std::vector<std::uint32_t> m_joined;
};

StructLayout::StructLayout(const EventType& type, Section section, std::size_t maxNodes)
    : m_section(section)
    , m_type(type.section(section))
    , m_blocks(1)
{
    m_isUsable = m_type && LayoutCompiler(*this, type, maxNodes).compile();
    if (m_isUsable)
        return;
    m_nodes.clear();
    m_nodes.shrink_to_fit();
    LayoutOp fail;
    fail.kind = LayoutOp::Kind::Fail;
    m_bits = CutOff;
    m_alignment = 1;
    m_blocks.assign(1, LayoutBlock{fail});
}

} // namespace helio
