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

/// A packet and the positions of its sections, from which field values are read. It covers all sections, because a length or tag may be in
/// an earlier section than its field. The code that walks a packet keeps one scope and updates it.
struct FieldScope {
    PacketBytes packet;
    /// First bit of each section in the packet, indexed by Section; CutOff if unknown. The caller may also set the bit after the preceding
    /// section: readers align the value to the section's alignment.
    std::array<std::uint64_t, 6> starts{CutOff, CutOff, CutOff, CutOff, CutOff, CutOff};
    std::uint64_t& start(Section s) { return starts[static_cast<std::size_t>(s)]; }
    std::uint64_t start(Section s) const { return starts[static_cast<std::size_t>(s)]; }
};

/// Returns the scope of one event. If the event type has an event context, walks the stream context to find where the event context starts.
FieldScope scopeOf(const EventView& event);

/// One operation of a compiled layout: skips `advance` bits, then performs the action of its kind, which depends on bytes of the packet.
struct LayoutOp {
    enum class Kind : std::uint8_t {
        End, ///< Ends the block of operations (LayoutBlock).
        Fail, ///< Fails, because the type cannot be read.
        Align, ///< Aligns the position to `alignment`.
        String, ///< Aligns to `alignment`, then skips a string including its NUL, which has `bits` bits.
        Load, ///< Reads the integer at the position into slot `target`; does not advance.
        /// Aligns to `alignment`, then reads a LEB128 number. Stores the number in slot `target`; only skips it if `target` is None.
        Variable,
        /// Aligns to `alignment`, then skips elements of `size` bits each. The value of `reference` is the number of elements. Two adjacent
        /// elements start `stride` bits apart.
        Sequence,
        /// Aligns to `alignment`, then runs block `target` once per element. The number of elements is the value of `reference`, or `size`
        /// if there is no reference. `stride` is the minimum size of an element in bits.
        Loop,
        /// Runs the operations of one option of a variant. Table `table` maps the tag in `reference` to the index of the option; the index
        /// plus `target` is the index of the block to run.
        Variant,
        /// Lets reading fail if the tag in `reference` does not select option `target` in table `table`, because the field then does not
        /// exist.
        Require,
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

/// Maximum number of elements of size 0 in one array. More elements would cost time and memory without using any byte of the trace.
constexpr std::uint64_t MaxEmptyElements = std::uint64_t{1} << 16;

/// A field in the tree of a layout. Complete values are decoded along this tree.
struct LayoutNode {
    static constexpr std::uint32_t None = ~std::uint32_t{0};

    const FieldType* type = nullptr;
    /// Alignment of the field in bits; if the field has children, at least the largest alignment of its children.
    std::uint32_t alignment = 1;
    std::uint64_t bits = CutOff; ///< Size of a value in bits if it is constant, else CutOff.
    std::uint64_t leastBits = 0; ///< Minimum size of a value in bits.
    std::uint32_t slot = None; ///< Slot that stores the field's number for a later length or tag; None if no field refers to this one.
    std::uint32_t reference = None; ///< Index of the reference to the field's length or tag; None if the field has neither.
    std::uint32_t firstChild = None; ///< Index of the first child: a member, an option or the element. Children are contiguous.
    std::uint32_t children = 0;
    std::uint32_t table = None; ///< Index of the table that maps tags to options.
    /// Index of a block of operations (LayoutBlock): the block of the element, or of a variant's first option; None if the field has no
    /// block.
    std::uint32_t block = None;
    bool keepsNumbers = false; ///< True if this node or one of its descendants has a slot.
    bool isFixed() const { return bits != CutOff; }
};

class FieldLocator;

/// Integers that a walk through a layout stores because they are the length or tag of a later field; by LayoutNode::slot.
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

/// Compiled type of a section. Finds the end of the section, and the position of each field, in the bytes of a packet.
///
/// Keeps the field types alive, but not the layouts of earlier sections to which it refers: these belong to the same EventType.
/// Threads: immutable; any thread.
/// Cost: skip() is an addition and a comparison if the size is constant; else a few ns for each string, sequence or variant.
/// Errors: invalid bytes (lengths, tags) result in CutOff. Invalid types (too deep, too large, dangling references) result in a layout for
/// which isUsable() is false and skip() returns CutOff.
class StructLayout {
public:
    /// `type` must have its sections, and the layouts of the sections before `section`. A type with more than `maxNodes` nodes is not
    /// usable; a node counts as often as it occurs.
    StructLayout(const EventType& type, Section section, std::size_t maxNodes);

    bool isUsable() const { return m_isUsable; }
    bool isFixed() const { return m_bits != CutOff; }
    std::uint64_t fixedBits() const { return m_bits; } ///< Size of the section in bits. Requires: isFixed().
    std::uint64_t alignment() const { return m_alignment; } ///< Alignment in bits, a power of two.

    /// Returns the first bit of the section, given `bit`, the end of the data before it.
    std::uint64_t alignedStart(std::uint64_t bit) const { return alignUp(bit, m_alignment); }

    /// Returns the bit after the section; CutOff if the section exceeds the packet's content. `bit`: end of the data before the section.
    std::uint64_t skip(const FieldScope& scope, std::uint64_t bit) const
    {
        if (isFixed()) {
            const std::uint64_t end = alignedStart(bit) + m_bits;
            return end <= scope.packet.contentBits ? end : CutOff;
        }
        return run(m_blocks.front(), scope, alignedStart(bit));
    }

    /// Finds the field at the path; the locator is invalid if there is no such field. A path through a variant may name or omit the option
    /// (`v.option.x` and `v.x`). No path leads through arrays or sequences. The returned locator is valid as long as this layout.
    FieldLocator locate(std::span<const std::string> names) const;
    FieldLocator locate(std::string_view dottedPath) const;

    // Members for the decoder of whole values and for FieldLocator only.
    const LayoutNode& node(std::uint32_t index) const { return m_nodes[index]; }
    const LayoutNode& root() const { return m_nodes.front(); }
    std::size_t nodeCount() const { return m_nodes.size(); }
    LayoutSlots makeSlots() const { return LayoutSlots(m_slots); }
    std::optional<std::int64_t> resolve(std::uint32_t reference, const FieldScope& scope, LayoutSlots& slots) const;
    /// Returns the option for a tag; LayoutNode::None if no option has this tag.
    std::uint32_t option(std::uint32_t table, std::int64_t tag) const;
    std::uint64_t run(const LayoutBlock& block, const FieldScope& scope, std::uint64_t bit) const;
    std::uint64_t run(const LayoutBlock& block, const FieldScope& scope, std::uint64_t bit, LayoutSlots& slots) const;

private:
    friend class LayoutCompiler;
    friend class LayoutEmitter;

    struct Reference {
        std::uint32_t slot = LayoutNode::None;
        /// Locator of the referenced field if it is in an earlier section; used if `slot` is None.
        std::shared_ptr<const FieldLocator> earlier;
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
    std::vector<LayoutBlock> m_blocks; ///< Blocks of the layout program; the first block reads the complete section.
    std::vector<LayoutNode> m_nodes; ///< Nodes of the field tree; the first is the root.
    std::vector<Reference> m_references;
    std::vector<OptionTable> m_tables;
};

/// Finds the position of one field of a layout in the bytes of a packet. Cheap if the position is constant.
class FieldLocator {
public:
    FieldLocator() = default;

    bool isValid() const { return m_node != LayoutNode::None; }
    const FieldType* type() const { return isValid() ? m_layout->node(m_node).type : nullptr; }
    Section section() const { return m_section; }

    /// Constant offset of the field from the section's aligned start in bits; CutOff if the offset varies.
    std::uint64_t constantOffset() const { return m_offset; }

    /// First bit of the field; CutOff if it lies beyond the packet's content or in an option that is not chosen.
    std::uint64_t bit(const FieldScope& scope) const { return place(scope).bit; }

    /// Value of the integer or enumeration; nullopt if the field is neither, is absent or is cut off. Stores the field's size in bits in
    /// `usedBits`.
    std::optional<std::int64_t> integer(const FieldScope& scope, unsigned* usedBits = nullptr) const;

    /// Value of an integer or float; nullopt if the field is neither, is absent or is cut off.
    std::optional<double> number(const FieldScope& scope) const;

    /// Bytes of a text (string, array or sequence of characters), NUL and padding included; empty if the field is not text.
    std::span<const std::byte> text(const FieldScope& scope) const;

private:
    friend class StructLayout;

    struct FoundField {
        /// Locator that finds the field in the packet: this object, or, for another option of a variant, a locator in the list that begins
        /// with m_next. nullptr if the field is absent.
        const FieldLocator* field = nullptr;
        std::uint64_t bit = CutOff;
    };
    FoundField place(const FieldScope& scope) const;
    std::uint64_t ownBit(const FieldScope& scope, LayoutSlots* slots) const;

    const StructLayout* m_layout = nullptr;
    std::uint32_t m_node = LayoutNode::None;
    Section m_section = Section::Payload;
    std::uint64_t m_offset = CutOff;
    LayoutBlock m_block; ///< Operations that find the field's position; used if the offset is not constant.
    std::shared_ptr<const FieldLocator> m_next; ///< Locator of the same path in another option of a variant.
};

/// Compiles `type.layouts` from the sections of `type`. A section's layout is shared with `like` if this section and all sections before it
/// are the same in both types. Returns the number of nodes created, at most `maxNodes`; layouts beyond that number are not usable.
std::size_t compileLayouts(EventType& type, const EventType* like = nullptr, std::size_t maxNodes = 100'000);

/// True for a string, and for an array, sequence or located field of characters: 8-bit integers with an encoding, at byte boundaries. False
/// for text whose bytes must be converted to UTF-8.
bool isText(const FieldType& type);

/// Returns the encoding of a text, also of text that must be converted; None for other types.
TextEncoding encodingOf(const FieldType& type);

/// Range of bytes in a packet to which the word of a DataLocType field points, in bytes from the packet's start. locateDataLoc() returns
/// nullopt if a part of the range is outside the packet's content. `bit`: position of the word. `sectionBit`: aligned start of the word's
/// section, from which offsets count.
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
