#pragma once

#include "core/trace/event.h"
#include "core/trace/fields/bits.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Where fields are read from: a packet and the places of the sections, so that a length or a tag is found that lies in
/// an earlier section than the field it is for. One is kept and updated by who walks a packet.
struct FieldScope {
    PacketBytes packet;
    std::array<std::uint64_t, 6> starts{CutOff, CutOff, CutOff, CutOff, CutOff, CutOff}; ///< By Section, aligned or just before
                                                                                         ///< that; CutOff: not known.
    std::uint64_t& start(Section s) { return starts[static_cast<std::size_t>(s)]; }
    std::uint64_t start(Section s) const { return starts[static_cast<std::size_t>(s)]; }
};

/// The scope of one event. Walks the stream context where the type has an event context.
FieldScope scopeOf(const EventView& event);

/// One step of a layout program: advance by a constant, then do something that needs the bytes.
struct LayoutOp {
    enum class Kind : std::uint8_t {
        End, ///< Done.
        Fail, ///< This type cannot be read.
        Align, ///< To `alignment`.
        String, ///< To `alignment`, then past the NUL, which has `bits`.
        Load, ///< The integer here into slot `target`; stays here.
        Variable, ///< To `alignment`, then past a number of variable length, which goes into slot `target` (None: nowhere).
        Sequence, ///< To `alignment`, then past `reference` elements of `size` bits, `stride` apart.
        Loop, ///< To `alignment`, then `reference` (or `size`, where there is none) times block `target`; each has `stride` bits at least.
        Variant, ///< Block `target` + the option that `reference` chooses in table `table`.
        Require, ///< Fail unless `reference` chooses option `target` in table `table`.
    };
    Kind kind = Kind::End;
    ByteOrder order = ByteOrder::Little;
    std::uint8_t bits = 0;
    bool isSigned = false;
    bool isReversed = false;
    std::uint32_t alignment = 1;
    std::uint32_t reference = 0;
    std::uint32_t target = 0;
    std::uint32_t table = 0;
    std::uint64_t advance = 0;
    std::uint64_t size = 0;
    std::uint64_t stride = 0;
};
using LayoutBlock = std::vector<LayoutOp>;

/// The most elements without bits that one array may have: more would cost time and memory but no bytes of the trace.
constexpr std::uint64_t MaxEmptyElements = std::uint64_t{1} << 16;

/// A field of a layout's type: the tree that whole values are decoded by.
struct LayoutNode {
    static constexpr std::uint32_t None = ~std::uint32_t{0};

    const FieldType* type = nullptr;
    std::uint32_t alignment = 1; ///< Its own or its largest part's.
    std::uint64_t bits = CutOff; ///< Size where that is constant.
    std::uint64_t leastBits = 0; ///< No instance is smaller.
    std::uint32_t slot = None; ///< Where its number is kept for a later length or tag.
    std::uint32_t reference = None; ///< Its length or tag.
    std::uint32_t firstChild = None; ///< Members, options or the one element, side by side.
    std::uint32_t children = 0;
    std::uint32_t table = None; ///< Which option for which tag.
    std::uint32_t block = None; ///< Program of the element, or of the first option.
    bool keepsNumbers = false; ///< It or a part of it has a slot.
    bool isFixed() const { return bits != CutOff; }
};

class FieldLocator;

/// The numbers met on a walk that later lengths and tags refer to.
class LayoutSlots {
public:
    explicit LayoutSlots(std::size_t count)
    {
        if (count > m_few.size())
            m_many = std::make_unique<std::optional<std::int64_t>[]>(count);
    }
    std::optional<std::int64_t>& operator[](std::size_t i) { return m_many ? m_many[i] : m_few[i]; }

private:
    std::array<std::optional<std::int64_t>, 8> m_few;
    std::unique_ptr<std::optional<std::int64_t>[]> m_many;
};

/// A section's type, compiled: where it ends, and where each part of it is, for given bytes.
///
/// Immutable; any thread. It keeps its types alive, not the layouts of earlier sections that it refers to: those live in the same
/// EventType. Cost of skip(): an addition and a comparison where the size is constant; else a few ns for each string, sequence or
/// choice. Hostile bytes (lengths, tags) end in CutOff; hostile types (too deep, too large, dangling references) in a layout whose
/// isUsable() is false and whose skip() always answers CutOff.
class StructLayout {
public:
    /// `type` has the sections and, for the sections before this one, the layouts.
    /// A type that has more parts than `maxNodes`, everything counted as often as it occurs, is not usable.
    StructLayout(const EventType& type, Section section, std::size_t maxNodes);

    bool isUsable() const { return m_isUsable; }
    bool isFixed() const { return m_bits != CutOff; }
    std::uint64_t fixedBits() const { return m_bits; } ///< Requires: isFixed().
    std::uint64_t alignment() const { return m_alignment; } ///< In bits, a power of two.
    bool usesEarlierSections() const { return m_usesEarlierSections; } ///< Else the scope's starts do not matter.

    /// The first bit of the section when what is before it ends at `bit`.
    std::uint64_t alignedStart(std::uint64_t bit) const { return alignUp(bit, m_alignment); }

    /// The bit after the section when what is before it ends at `bit` (at most the packet's content), or CutOff.
    std::uint64_t skip(const FieldScope& scope, std::uint64_t bit) const
    {
        if (isFixed()) {
            const std::uint64_t end = alignedStart(bit) + m_bits;
            return end <= scope.packet.contentBits ? end : CutOff;
        }
        return run(m_blocks.front(), scope, alignedStart(bit));
    }

    /// The field at the path; through a variant both `v.option.x` and `v.x` lead. Not through arrays and sequences.
    /// Invalid where there is none. Valid as long as the layout.
    FieldLocator locate(std::span<const std::string> names) const;
    FieldLocator locate(std::string_view dottedPath) const;

    // For the decoder of whole values and for FieldLocator.
    const LayoutNode& node(std::uint32_t index) const { return m_nodes[index]; }
    const LayoutNode& root() const { return m_nodes.front(); }
    std::size_t nodeCount() const { return m_nodes.size(); }
    LayoutSlots makeSlots() const { return LayoutSlots(m_slots); }
    std::optional<std::int64_t> resolve(std::uint32_t reference, const FieldScope& scope, LayoutSlots& slots) const;
    /// The option for a tag, or LayoutNode::None.
    std::uint32_t option(std::uint32_t table, std::int64_t tag) const;
    std::uint64_t run(const LayoutBlock& block, const FieldScope& scope, std::uint64_t bit) const;
    std::uint64_t run(const LayoutBlock& block, const FieldScope& scope, std::uint64_t bit, LayoutSlots& slots) const;

private:
    friend class LayoutCompiler;
    friend class LayoutEmitter;

    struct Reference {
        std::uint32_t slot = LayoutNode::None;
        std::shared_ptr<const FieldLocator> earlier; ///< In an earlier section; where slot is None.
    };
    struct OptionRange {
        std::int64_t first;
        std::int64_t last;
        std::uint32_t option;
    };
    struct OptionTable {
        bool isSigned = false;
        std::vector<OptionRange> ranges;
    };

    std::uint64_t runLoop(const LayoutOp& op, const FieldScope& scope, std::uint64_t bit, LayoutSlots& slots) const;
    std::uint64_t count(const LayoutOp& op, const FieldScope& scope, std::uint64_t bit, LayoutSlots& slots) const;

    std::uint64_t m_bits = CutOff;
    std::uint64_t m_alignment = 1;
    bool m_isUsable = true;
    bool m_usesEarlierSections = false;
    Section m_section;
    std::uint32_t m_slots = 0;
    FieldTypePtr m_type;
    std::vector<LayoutBlock> m_blocks; ///< The first is the whole section's.
    std::vector<LayoutNode> m_nodes; ///< The first is the root.
    std::vector<Reference> m_references;
    std::vector<OptionTable> m_tables;
};

/// One field of a layout: its place in given bytes. Cheap to use where the place is constant.
class FieldLocator {
public:
    FieldLocator() = default;

    bool isValid() const { return m_node != LayoutNode::None; }
    const FieldType* type() const { return isValid() ? m_layout->node(m_node).type : nullptr; }
    Section section() const { return m_section; }

    /// From the section's aligned start, in bits, where that is always the same; else CutOff.
    std::uint64_t constantOffset() const { return m_offset; }

    /// Where it starts. CutOff: beyond the packet's content, or in an option that was not chosen.
    std::uint64_t bit(const FieldScope& scope) const { return place(scope).bit; }

    /// The integer or the enumeration's number. None where it is no such field, absent or cut off. `usedBits`: gets its length.
    std::optional<std::int64_t> integer(const FieldScope& scope, unsigned* usedBits = nullptr) const;

    std::optional<double> number(const FieldScope& scope) const; ///< Integers and floats.

    /// Where its bytes are if it is text (string, array or sequence of characters), NUL and padding included.
    std::span<const std::byte> text(const FieldScope& scope) const;

private:
    friend class StructLayout;

    struct Place {
        const FieldLocator* field = nullptr; ///< This, or the option that is there.
        std::uint64_t bit = CutOff;
    };
    Place place(const FieldScope& scope) const;
    std::uint64_t ownBit(const FieldScope& scope, LayoutSlots* slots) const;

    const StructLayout* m_layout = nullptr;
    std::uint32_t m_node = LayoutNode::None;
    Section m_section = Section::Payload;
    std::uint64_t m_offset = CutOff;
    LayoutBlock m_block; ///< Up to the field, where the offset is not constant.
    std::shared_ptr<const FieldLocator> m_next; ///< The same path in another option of a variant.
};

/// Compiles `type.layouts` from its sections. Layouts that depend on nothing else than what `like` has too are shared with it.
/// How many nodes were made; never more than `maxNodes`: what does not fit is not usable.
std::size_t compileLayouts(EventType& type, const EventType* like = nullptr, std::size_t maxNodes = 100'000);

/// Whether it is a string, or an array or sequence of characters (8-bit integers with an encoding, on byte bounds), located ones too. False
/// for texts whose bytes must be converted.
bool isText(const FieldType& type);

/// The encoding of a text, also of one that must be converted; None for other types.
TextEncoding encodingOf(const FieldType& type);

/// Where the elements of the located field at `bit` are, all of them within the packet's content: the first byte and how many.
/// None where they are not. `sectionBit`: the section's aligned start.
struct LocatedBytes {
    std::uint64_t first;
    std::uint64_t count;
};
std::optional<LocatedBytes> locatedBytes(const PacketBytes& packet, const LocatedType& type, std::uint64_t sectionBit, std::uint64_t bit);

/// The integer of an integer or enumeration; null for others.
inline const IntegerType* integerOf(const FieldType& type)
{
    if (const auto* asEnum = std::get_if<EnumType>(&type.shape))
        return &asEnum->container;
    return std::get_if<IntegerType>(&type.shape);
}

} // namespace helio
