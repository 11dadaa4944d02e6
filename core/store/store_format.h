#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// The store file's constants and fixed structures, for writer and reader. FORMAT.md describes the whole layout.
namespace helio::format {

static_assert(std::endian::native == std::endian::little, "stores are read in place");

constexpr std::array<char, 8> Magic = {'H', 'E', 'L', 'I', 'O', 'S', 'T', '\n'};
constexpr std::array<char, 8> FooterMagic = {'h', 'e', 'l', 'i', 'o', 'e', 'n', 'd'};
constexpr std::uint16_t Major = 16; ///< Another one: not readable.
constexpr std::uint16_t Minor = 0; ///< A higher one: has sections that a reader may skip.
constexpr std::uint32_t EndianProbe = 0x01020304;

enum class SectionId : std::uint32_t {
    None,
    Data, ///< Blocks of intervals and links, back to back, then BlockSlack zeros.
    Identity, ///< The text given to the builder.
    Summary,
    Tracks, ///< State sets, kinds of links and tracks.
    TrackBlocks, ///< How many blocks of intervals each track has: 4 bytes.
    Blocks, ///< BlockEntry, by track and time.
    Levels, ///< LevelEntry: of each track level 1, 2...
    Shares, ///< Of blocks, then of levels.
    Times, ///< By state, of blocks.
    LinkBlocks, ///< LinkBlockEntry, by first from time.
    LinkTracks, ///< Those that each block touches, 4 bytes each.
    MergeIndex,
    Density,
    Losses,
    Strings,
    Stacks, ///< StackNode: the tree of all call stacks.
    Modules, ///< What its analysis found to be mapped.
    SampleKinds,
    SampleBlocks, ///< SampleBlockEntry, as they were written.
    Samples, ///< Blocks of samples, back to back.
    SegmentKinds,
    SegmentBlocks, ///< SegmentEntry, by kind and first begin.
    SegmentLevels, ///< SegmentEntry: of each kind level 1, 2...
    Segments, ///< Blocks of segments and the spreads of levels, back to back.
    CounterSeries,
    CounterBlocks, ///< CounterEntry, by series and time.
    CounterLevels, ///< CounterEntry: of each series level 1, 2...
    Counters, ///< Blocks of points, back to back.
    Numbers, ///< The wide numbers: 8 bytes each.
};
constexpr std::size_t MaxSections = 64;

/// Whether the section is blocks that each have a hash of their own, proven when they are read.
constexpr bool hasProvenBlocks(SectionId id)
{
    return id == SectionId::Data || id == SectionId::Samples || id == SectionId::Segments || id == SectionId::Counters;
}

struct Section {
    SectionId id{};
    std::uint32_t codec = 0; ///< 0: as is. No other is in use.
    std::uint64_t offset = 0; ///< Bytes from the start of the file.
    std::uint64_t length = 0; ///< Bytes.
    std::uint64_t hash = 0; ///< XXH3-64; not proven where hasProvenBlocks().
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

constexpr std::size_t BlockItems = 512; ///< At most: intervals and the gaps between them.
constexpr std::size_t GroupItems = 32;
constexpr std::size_t StretchItems = 128; ///< Of a block: a multiple of GroupItems.
constexpr std::size_t MaxGroups = BlockItems / GroupItems;
constexpr std::size_t MaxNodes = MaxGroups + BlockItems / StretchItems;
constexpr std::size_t LevelFanOut = 16; ///< Of the levels above blocks.
constexpr std::uint8_t GapState = 32; ///< The track did not exist.
constexpr unsigned KeyStateBits = 6; ///< A key: the state in its low bits, its value above. At most MaxKeyBytes.
constexpr unsigned MaxKeyBytes = 5;
constexpr std::size_t BlockSlack = 160; ///< Bytes after any block that may be read (and are ignored).
constexpr std::size_t LinkBlockLinks = 512;

/// How many bytes the numbers of a node have, and the lengths of its items: its first byte.
struct Widths {
    unsigned length = 1; ///< Of an item: 1 to 8.
    unsigned key = 1; ///< Of the longest: 1 to MaxKeyBytes.
    unsigned mask = 1; ///< 1 to 4.

    static constexpr Widths of(std::uint8_t byte) { return {(byte & 7u) + 1, (byte >> 3 & 7u) + 1, (byte >> 6 & 3u) + 1}; }
    constexpr std::uint8_t byte() const { return static_cast<std::uint8_t>((length - 1) | (key - 1) << 3 | (mask - 1) << 6); }
    constexpr unsigned whole() const { return length < 8 ? length + 1 : 8; } ///< Of the length of all items: they are fewer than 256.
};
/// How many bits the code of an item has, by how many keys there are.
constexpr unsigned codeBits(std::size_t keys) { return keys <= 1 ? 0 : keys <= 16 ? 4 : keys <= 256 ? 8 : 16; }
constexpr unsigned bytesFor(std::uint64_t value) { return (static_cast<unsigned>(std::bit_width(value | 1)) + 7) / 8; }

} // namespace helio::format
