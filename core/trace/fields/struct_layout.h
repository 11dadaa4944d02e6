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

/// Source of field values: a packet and the positions of its sections, so that a length or tag can be found in an earlier section than its
/// field. The code that walks a packet keeps one scope and updates it.
struct FieldScope {
    PacketBytes packet;
    /// Start bits by Section, before or after alignment; CutOff if unknown.
    std::array<std::uint64_t, 6> starts{CutOff, CutOff, CutOff, CutOff, CutOff, CutOff};
    std::uint64_t& start(Section s) { return starts[static_cast<std::size_t>(s)]; }
    std::uint64_t start(Section s) const { return starts[static_cast<std::size_t>(s)]; }
};

/// Returns the scope of one event. Walks the stream context if the type has an event context.
FieldScope scopeOf(const EventView& event);

/// One operation of a layout program: advances by a constant, then does something that needs the bytes.
struct LayoutOp {
    enum class Kind : std::uint8_t {
        End, ///< End of the block.
        Fail, ///< The type cannot be read.
        Align, ///< Aligns to `alignment`.
        String, ///< Aligns to `alignment`, then skips a string up to and including its NUL of `bits` bits.
        Load, ///< Reads the integer here into slot `target`; does not advance.
        /// Aligns to `alignment`, then skips a number of variable length and stores it in slot `target` (None: does not store it).
        Variable,
        Sequence, ///< Aligns to `alignment`, then skips `reference` elements of `size` bits with a distance of `stride` bits.
        /// Aligns to `alignment`, then runs block `target` `reference` times (`size` times if there is no reference); `stride`: minimum
        /// bits an element.
        Loop,
        Variant, ///< Runs block `target` + the option that `reference` chooses in table `table`.
        Require, ///< Fails unless `reference` chooses option `target` in table `table`.
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

/// Maximum number of elements without bits in one array: more would cost time and memory but no bytes of the trace.
constexpr std::uint64_t MaxEmptyElements = std::uint64_t{1} << 16;

/// A field in the tree of a layout; whole values are decoded along this tree.
struct LayoutNode {
    static constexpr std::uint32_t None = ~std::uint32_t{0};

    const FieldType* type = nullptr;
    std::uint32_t alignment = 1; ///< Alignment in bits: its own, or the largest of its children.
    std::uint64_t bits = CutOff; ///< Size if it is constant, else CutOff.
    std::uint64_t leastBits = 0; ///< Minimum size of a value.
    std::uint32_t slot = None; ///< Slot that keeps the number for a later length or tag; None if no field refers to it.
    std::uint32_t reference = None; ///< Index of the reference to its length or tag; None if it has neither.
    std::uint32_t firstChild = None; ///< Index of the first member, option or of the element; children are contiguous.
    std::uint32_t children = 0;
    std::uint32_t table = None; ///< Index of the table that maps tags to options.
    std::uint32_t block = None; ///< Index of the program of the element, or of the first option.
    bool keepsNumbers = false; ///< True if this node or a descendant has a slot.
    bool isFixed() const { return bits != CutOff; }
};

class FieldLocator;

/// Integers that a walk through a layout keeps because later fields have them as length or tag, by LayoutNode::slot.
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

/// Compiled type of a section: finds the section's end and the position of each field in given bytes.
///
/// Keeps its types alive, but not the layouts of earlier sections that it refers to: they live in the same EventType.
/// Threads: immutable; any thread.
/// Cost: skip() is an addition and a comparison if the size is constant; else a few ns for each string, sequence or variant.
/// Errors: invalid bytes (lengths, tags) end in CutOff. Invalid types (too deep, too large, dangling references) give a layout for which
/// isUsable() is false and skip() returns CutOff.
class StructLayout {
public:
    /// `type` has the sections and the layouts of the sections before this one. A type with more than `maxNodes` nodes, each counted as
    /// often as it occurs, is not usable.
    StructLayout(const EventType& type, Section section, std::size_t maxNodes);

    bool isUsable() const { return m_isUsable; }
    bool isFixed() const { return m_bits != CutOff; }
    std::uint64_t fixedBits() const { return m_bits; } ///< Requires: isFixed().
    std::uint64_t alignment() const { return m_alignment; } ///< Alignment in bits, a power of two.

    /// Returns the section's first bit if everything before the section ends at `bit`.
    std::uint64_t alignedStart(std::uint64_t bit) const { return alignUp(bit, m_alignment); }

    /// Returns the bit after the section if everything before the section ends at `bit`; CutOff if the section exceeds the packet's
    /// content.
    std::uint64_t skip(const FieldScope& scope, std::uint64_t bit) const
    {
        if (isFixed()) {
            const std::uint64_t end = alignedStart(bit) + m_bits;
            return end <= scope.packet.contentBits ? end : CutOff;
        }
        return run(m_blocks.front(), scope, alignedStart(bit));
    }

    /// Finds the field at the path. Through a variant both `v.option.x` and `v.x` lead; no path leads through arrays and sequences. Invalid
    /// if there is no such field. Valid as long as the layout.
    FieldLocator locate(std::span<const std::string> names) const;
    FieldLocator locate(std::string_view dottedPath) const;

    // Internals for the decoder of whole values and for FieldLocator.
    const LayoutNode& node(std::uint32_t index) const { return m_nodes[index]; }
    const LayoutNode& root() const { return m_nodes.front(); }
    std::size_t nodeCount() const { return m_nodes.size(); }
    LayoutSlots makeSlots() const { return LayoutSlots(m_slots); }
    std::optional<std::int64_t> resolve(std::uint32_t reference, const FieldScope& scope, LayoutSlots& slots) const;
    /// Returns the option for a tag, or LayoutNode::None.
    std::uint32_t option(std::uint32_t table, std::int64_t tag) const;
    std::uint64_t run(const LayoutBlock& block, const FieldScope& scope, std::uint64_t bit) const;
    std::uint64_t run(const LayoutBlock& block, const FieldScope& scope, std::uint64_t bit, LayoutSlots& slots) const;

private:
    friend class LayoutCompiler;
    friend class LayoutEmitter;

    struct Reference {
        std::uint32_t slot = LayoutNode::None;
        std::shared_ptr<const FieldLocator> earlier; ///< Field in an earlier section; used if `slot` is None.
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
    Section m_section;
    std::uint32_t m_slots = 0;
    FieldTypePtr m_type;
    std::vector<LayoutBlock> m_blocks; ///< Programs; the first is that of the whole section.
    std::vector<LayoutNode> m_nodes; ///< Nodes; the first is the root.
    std::vector<Reference> m_references;
    std::vector<OptionTable> m_tables;
};

/// Position of one field of a layout in given bytes. Cheap if the position is constant.
class FieldLocator {
public:
    FieldLocator() = default;

    bool isValid() const { return m_node != LayoutNode::None; }
    const FieldType* type() const { return isValid() ? m_layout->node(m_node).type : nullptr; }
    Section section() const { return m_section; }

    /// Offset in bits from the section's aligned start, if it is constant; else CutOff.
    std::uint64_t constantOffset() const { return m_offset; }

    /// First bit of the field; CutOff if it lies beyond the packet's content or in an option that is not chosen.
    std::uint64_t bit(const FieldScope& scope) const { return place(scope).bit; }

    /// Value of the integer or enumeration; nullopt if the field is neither, is absent or is cut off. `usedBits` receives its size.
    std::optional<std::int64_t> integer(const FieldScope& scope, unsigned* usedBits = nullptr) const;

    /// Value of an integer or float; nullopt if the field is neither, is absent or is cut off.
    std::optional<double> number(const FieldScope& scope) const;

    /// Bytes of a text (string, array or sequence of characters), NUL and padding included; empty if the field is not text.
    std::span<const std::byte> text(const FieldScope& scope) const;

private:
    friend class StructLayout;

    struct Place {
        const FieldLocator* field = nullptr; ///< This locator, or the locator of the option that is present.
        std::uint64_t bit = CutOff;
    };
    Place place(const FieldScope& scope) const;
    std::uint64_t ownBit(const FieldScope& scope, LayoutSlots* slots) const;

    const StructLayout* m_layout = nullptr;
    std::uint32_t m_node = LayoutNode::None;
    Section m_section = Section::Payload;
    std::uint64_t m_offset = CutOff;
    LayoutBlock m_block; ///< Program up to the field; used if the offset is not constant.
    std::shared_ptr<const FieldLocator> m_next; ///< Locator of the same path in another option of a variant.
};

/// Compiles `type.layouts` from its sections. Shares the layouts of `like` whose sections, and all sections before, are the same. Returns
/// the number of nodes made, at most `maxNodes`; layouts beyond that are not usable.
std::size_t compileLayouts(EventType& type, const EventType* like = nullptr, std::size_t maxNodes = 100'000);

/// True for a string, and for an array, sequence or located field of characters (8-bit integers with an encoding, on byte bounds). False
/// for text whose bytes must be converted.
bool isText(const FieldType& type);

/// Returns the encoding of a text, also of text that must be converted; None for other types.
TextEncoding encodingOf(const FieldType& type);

/// Returns the elements' position of the located field at `bit`: the first byte and the number of bytes. nullopt unless all of them lie in
/// the packet's content. `sectionBit`: the section's aligned start.
struct DataLocRange {
    std::uint64_t first;
    std::uint64_t count;
};
std::optional<DataLocRange> locateDataLoc(const PacketBytes& packet, const DataLocType& type, std::uint64_t sectionBit, std::uint64_t bit);

/// Returns the integer type of an integer or enumeration; nullptr for other types.
inline const IntegerType* integerOf(const FieldType& type)
{
    if (const auto* asEnum = std::get_if<EnumType>(&type.shape))
        return &asEnum->container;
    return std::get_if<IntegerType>(&type.shape);
}

} // namespace helio
