#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/file/file_bytes.h"
#include "core/store/samples.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace helio {

/// Directory entry of a block of samples of one kind. Files contain this layout.
struct SampleBlockEntry {
    std::int64_t begin = 0; ///< Earliest time of the samples.
    std::int64_t end = 0; ///< Latest time of the samples; for off-CPU samples, the latest end.
    std::uint64_t offset = 0; ///< Offset of the block in the section Samples.
    std::uint32_t bytes = 0;
    std::uint32_t hash = 0; ///< Lower half of the XXH3-64 hash of the block's bytes.
    std::uint32_t count = 0; ///< Number of samples in the block.
    std::uint8_t kind = 0;
    std::array<std::uint8_t, 3> zeros{};
};
static_assert(sizeof(SampleBlockEntry) == 40 && std::is_trivially_copyable_v<SampleBlockEntry>);

constexpr std::size_t SampleBlockSamples = 4096; ///< Maximum number of samples in a block.

/// Appends the encoded samples of a block, column by column.
void encodeSamples(std::span<const HostSample> samples, ByteWriter& out);

/// Decodes `count` samples from untrusted bytes. Returns false if the bytes are damaged, or if the index of a stack is `nodes` or
/// more.
bool decodeSamples(std::span<const std::byte> bytes, std::size_t count, SampleKindId kind, std::size_t nodes, std::vector<HostSample>& out);

void encodeKinds(std::span<const SampleKind> kinds, ByteWriter& out);
bool decodeKinds(std::span<const std::byte> bytes, std::vector<SampleKind>& out);

/// Bytes of the sections of a finished store that contain its samples.
struct SampleSections {
    std::span<const std::byte> kinds;
    std::span<const std::byte> blocks;
    std::span<const std::byte> data;
    std::shared_ptr<const MappedFile> file; ///< File that contains the sections.
};

/// Returns a sample set that reads the bytes in place; nullptr if the directory is damaged. Blocks are checked when they are read. A
/// block is damaged if it contains a stack with an index of `stackNodes` or more.
std::shared_ptr<const SampleSet> openSamples(const SampleSections& sections, std::size_t stackNodes);

/// Samples that are in memory, or in a file that is being written.
struct SampleSnapshot {
    std::vector<SampleKind> kinds;
    std::vector<SampleBlockEntry> blocks;
    FileBytes data;
    std::size_t stackNodes = 1; ///< Number of stack nodes; a sample with a higher stack index is damaged.
};
std::shared_ptr<const SampleSet> makeSampleSet(SampleSnapshot picture);

} // namespace helio
