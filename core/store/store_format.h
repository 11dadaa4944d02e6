#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// Constants and fixed structures of the store file, used by writer and reader. FORMAT.md describes the whole layout.
namespace helio::format {

static_assert(std::endian::native == std::endian::little, "stores are read in place");

constexpr std::array<char, 8> Magic = {'H', 'E', 'L', 'I', 'O', 'S', 'T', '\n'};
constexpr std::array<char, 8> FooterMagic = {'h', 'e', 'l', 'i', 'o', 'e', 'n', 'd'};
constexpr std::uint16_t Major = 16; ///< Major version of the format. Files with another major version are rejected.
constexpr std::uint16_t Minor = 0; ///< Files with a higher minor version have additional sections, which a reader may skip.
constexpr std::uint32_t EndianProbe = 0x01020304;

enum class SectionId : std::uint32_t {
    None,
    Data, ///< Blocks of intervals and of links, without gaps, followed by BlockSlack zero bytes.
    Identity, ///< Identity text that was passed to the builder; compared when the file is opened.
    Summary,
    Tracks, ///< State sets, kinds of links and tracks.
    TrackBlocks, ///< Number of interval blocks of each track, 4 bytes each.
    Blocks, ///< One BlockEntry for each block of intervals, sorted by track, then by time.
    Levels, ///< One LevelEntry for each node above the blocks, sorted by track, then by level (1, 2, ...).
    /// Share of each state in the time of each node (interval summary, see FORMAT.md), 1 byte for each state of the node: first for the
    /// nodes of blocks, then for the nodes of levels.
    Shares,
    Times, ///< Time in each state, for each block of intervals.
    LinkBlocks, ///< One LinkBlockEntry for each block of links, sorted by firstFrom.
    LinkTracks, ///< For each block of links, the tracks at which its links begin or end; 4 bytes per track.
    MergeIndex,
    Density,
    Losses,
    Strings,
    Stacks, ///< One StackNode per node of the tree of all call stacks.
    Modules, ///< Modules that the store's analysis found.
    SampleKinds,
    SampleBlocks, ///< One SampleBlockEntry per block of samples, in the order of writing.
    Samples, ///< Blocks of samples, without unused bytes between them.
    SegmentKinds,
    SegmentBlocks, ///< One SegmentEntry for each block of segments, sorted by kind, then by the begin of the first segment.
    SegmentLevels, ///< One SegmentEntry for each node above the blocks, sorted by kind, then by level (1, 2, ...).
    Segments, ///< Blocks of segments, and histograms of the nodes in SegmentLevels, without unused bytes between them.
    CounterSeries,
    CounterBlocks, ///< One CounterEntry for each block of points, sorted by series, then by time.
    CounterLevels, ///< One CounterEntry for each node above the blocks, sorted by series, then by level (1, 2, ...).
    Counters, ///< Blocks of counter points, without unused bytes between them.
    Numbers, ///< Wide numbers (64-bit integers and doubles), 8 bytes each.
};
constexpr std::size_t MaxSections = 64;

/// True if each block of the section has its own hash, which is checked when the block is read.
constexpr bool hasBlockHashes(SectionId id)
{
    return id == SectionId::Data || id == SectionId::Samples || id == SectionId::Segments || id == SectionId::Counters;
}

struct Section {
    SectionId id{};
    std::uint32_t codec = 0; ///< Encoding of the section's bytes; always 0: not encoded.
    std::uint64_t offset = 0; ///< Offset of the section in bytes from the start of the file.
    std::uint64_t length = 0; ///< Length of the section in bytes.
    std::uint64_t hash = 0; ///< XXH3-64 hash of the section; not checked if hasBlockHashes().
};
static_assert(sizeof(Section) == 32 && std::is_trivially_copyable_v<Section>);

struct Header {
    std::array<char, 8> magic = Magic;
    std::uint16_t major = Major;
    std::uint16_t minor = Minor;
    std::uint32_t endianProbe = EndianProbe;
    std::uint64_t fileSize = 0;
    std::uint32_t sectionCount = 0;
    std::uint32_t reserved = 0;
    std::array<Section, MaxSections> sections{};
    std::uint64_t hash = 0; ///< XXH3-64 hash of all bytes before this member.
};
static_assert(sizeof(Header) == 32 + 32 * MaxSections + 8 && std::is_trivially_copyable_v<Header>);

struct Footer {
    std::array<char, 8> magic = FooterMagic;
    std::uint64_t tableHash = 0; ///< XXH3-64 hash of the section table (Header::sections).
};
static_assert(sizeof(Footer) == 16);

constexpr std::size_t BlockItems = 512; ///< Maximum number of items (intervals and gaps between them) in a block.
constexpr std::size_t GroupItems = 32;
constexpr std::size_t StretchItems = 128; ///< Number of items in a stretch, which is a quarter of a block; a multiple of GroupItems.
constexpr std::size_t MaxGroups = BlockItems / GroupItems;
constexpr std::size_t MaxNodes = MaxGroups + BlockItems / StretchItems;
constexpr std::size_t LevelFanOut = 16; ///< Maximum number of nodes of one level that a node of the next level summarizes.
constexpr std::uint8_t GapState = 32; ///< State number of a gap, in which the track did not exist.
/// Number of low bits of a key that contain the state; the bits above are the value. A key has at most MaxKeyBytes bytes.
constexpr unsigned KeyStateBits = 6;
constexpr unsigned MaxKeyBytes = 5;
constexpr std::size_t BlockSlack = 160; ///< Number of readable bytes that must follow every block; their content does not matter.
constexpr std::size_t LinkBlockLinks = 512;

/// Sizes in bytes of the numbers in a node and of its items' lengths. All of them are packed into the first byte of the node.
struct Widths {
    unsigned length = 1; ///< Size of an item's length in bytes, 1 to 8.
    unsigned key = 1; ///< Size in bytes of a node's key (the key of its longest interval), 1 to MaxKeyBytes.
    unsigned mask = 1; ///< Size of the state mask in bytes, 1 to 4.

    static constexpr Widths of(std::uint8_t byte) { return {(byte & 7u) + 1, (byte >> 3 & 7u) + 1, (byte >> 6 & 3u) + 1}; }
    constexpr std::uint8_t byte() const { return static_cast<std::uint8_t>((length - 1) | (key - 1) << 3 | (mask - 1) << 6); }
    /// Size in bytes of the sum of all item lengths in a node. One byte more than for a single item suffices, because a node has fewer than
    /// 256 items.
    constexpr unsigned whole() const { return length < 8 ? length + 1 : 8; }
};
/// Returns the size in bits of the code that represents an item's key, in a block with `keys` different keys.
constexpr unsigned codeBits(std::size_t keys) { return keys <= 1 ? 0 : keys <= 16 ? 4 : keys <= 256 ? 8 : 16; }
constexpr unsigned bytesFor(std::uint64_t value) { return (static_cast<unsigned>(std::bit_width(value | 1)) + 7) / 8; }

} // namespace helio::format
