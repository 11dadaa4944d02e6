#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// Constants and fixed structures of the store file, shared by writer and reader. FORMAT.md describes the whole layout.
namespace helio::format {

static_assert(std::endian::native == std::endian::little, "stores are read in place");

constexpr std::array<char, 8> Magic = {'H', 'E', 'L', 'I', 'O', 'S', 'T', '\n'};
constexpr std::array<char, 8> FooterMagic = {'h', 'e', 'l', 'i', 'o', 'e', 'n', 'd'};
constexpr std::uint16_t Major = 16; ///< Files with another major version are rejected.
constexpr std::uint16_t Minor = 0; ///< Files with a higher minor version have further sections, which a reader may skip.
constexpr std::uint32_t EndianProbe = 0x01020304;

enum class SectionId : std::uint32_t {
    None,
    Data, ///< Blocks of intervals and links, back to back, followed by BlockSlack zero bytes.
    Identity, ///< Text given to the builder and compared when the file is opened.
    Summary,
    Tracks, ///< State sets, kinds of links and tracks.
    TrackBlocks, ///< Number of interval blocks of each track, 4 bytes each.
    Blocks, ///< BlockEntry for each interval block, by track and time.
    Levels, ///< LevelEntry for each node above the blocks: by track, then level 1, 2...
    Shares, ///< Shares of the blocks' nodes, then of the levels' nodes.
    Times, ///< Times by state of each interval block.
    LinkBlocks, ///< LinkBlockEntry for each block of links, by firstFrom.
    LinkTracks, ///< Tracks that each block of links touches, 4 bytes each.
    MergeIndex,
    Density,
    Losses,
    Strings,
    Stacks, ///< StackNode for each node of the tree of all call stacks.
    Modules, ///< Modules that the store's analysis found.
    SampleKinds,
    SampleBlocks, ///< SampleBlockEntry for each block of samples, in the order of writing.
    Samples, ///< Blocks of samples, back to back.
    SegmentKinds,
    SegmentBlocks, ///< SegmentEntry for each block of segments, by kind and first begin.
    SegmentLevels, ///< SegmentEntry for each node above the blocks: by kind, then level 1, 2...
    Segments, ///< Blocks of segments and histograms of levels, back to back.
    CounterSeries,
    CounterBlocks, ///< CounterEntry for each block of points, by series and time.
    CounterLevels, ///< CounterEntry for each node above the blocks: by series, then level 1, 2...
    Counters, ///< Blocks of counter points, back to back.
    Numbers, ///< Wide numbers (64-bit integers and doubles), 8 bytes each.
};
constexpr std::size_t MaxSections = 64;

/// True if the section consists of blocks with hashes of their own, which are checked when a block is read.
constexpr bool hasBlockHashes(SectionId id)
{
    return id == SectionId::Data || id == SectionId::Samples || id == SectionId::Segments || id == SectionId::Counters;
}

struct Section {
    SectionId id{};
    std::uint32_t codec = 0; ///< Encoding of the bytes; always 0: stored as is.
    std::uint64_t offset = 0; ///< Bytes from the start of the file.
    std::uint64_t length = 0; ///< Bytes.
    std::uint64_t hash = 0; ///< XXH3-64 of the section; not checked if hasBlockHashes().
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
    std::uint64_t hash = 0; ///< XXH3-64 of all bytes before it.
};
static_assert(sizeof(Header) == 32 + 32 * MaxSections + 8 && std::is_trivially_copyable_v<Header>);

struct Footer {
    std::array<char, 8> magic = FooterMagic;
    std::uint64_t tableHash = 0; ///< XXH3-64 of Header::sections.
};
static_assert(sizeof(Footer) == 16);

constexpr std::size_t BlockItems = 512; ///< Maximum number of items (intervals and gaps between them) in a block.
constexpr std::size_t GroupItems = 32;
constexpr std::size_t StretchItems = 128; ///< Items of a stretch, a part of a block; a multiple of GroupItems.
constexpr std::size_t MaxGroups = BlockItems / GroupItems;
constexpr std::size_t MaxNodes = MaxGroups + BlockItems / StretchItems;
constexpr std::size_t LevelFanOut = 16; ///< Number of nodes of one level that a node of the next level sums up.
constexpr std::uint8_t GapState = 32; ///< State number of a gap, in which the track did not exist.
constexpr unsigned KeyStateBits = 6; ///< Number of low bits of a key that hold the state; the value is above them. A key has at most
                                     ///< MaxKeyBytes bytes.
constexpr unsigned MaxKeyBytes = 5;
constexpr std::size_t BlockSlack = 160; ///< Number of readable bytes that must follow any block; their content is ignored.
constexpr std::size_t LinkBlockLinks = 512;

/// Byte counts of the numbers in a node and of the lengths of its items, packed into the first byte of the node.
struct Widths {
    unsigned length = 1; ///< Bytes of an item's length, 1 to 8.
    unsigned key = 1; ///< Bytes of the key in a node (the key of the longest interval), 1 to MaxKeyBytes.
    unsigned mask = 1; ///< Bytes of the state mask, 1 to 4.

    static constexpr Widths of(std::uint8_t byte) { return {(byte & 7u) + 1, (byte >> 3 & 7u) + 1, (byte >> 6 & 3u) + 1}; }
    constexpr std::uint8_t byte() const { return static_cast<std::uint8_t>((length - 1) | (key - 1) << 3 | (mask - 1) << 6); }
    /// Bytes of the total length of the items. One more byte than for a single item suffices, because a node has fewer than 256 items.
    constexpr unsigned whole() const { return length < 8 ? length + 1 : 8; }
};
/// Returns the bits of an item's code if a block has `keys` different keys.
constexpr unsigned codeBits(std::size_t keys) { return keys <= 1 ? 0 : keys <= 16 ? 4 : keys <= 256 ? 8 : 16; }
constexpr unsigned bytesFor(std::uint64_t value) { return (static_cast<unsigned>(std::bit_width(value | 1)) + 7) / 8; }

} // namespace helio::format
