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

/// Where a block of samples of one kind lies. As in the file.
struct SampleBlockEntry {
    std::int64_t begin = 0; ///< The earliest time in it.
    std::int64_t end = 0; ///< The latest; of off-CPU samples the latest end.
    std::uint64_t offset = 0; ///< In the samples' section.
    std::uint32_t bytes = 0;
    std::uint32_t hash = 0; ///< XXH3-64's low half.
    std::uint32_t count = 0; ///< Samples.
    std::uint8_t kind = 0;
    std::array<std::uint8_t, 3> zeros{};
};
static_assert(sizeof(SampleBlockEntry) == 40 && std::is_trivially_copyable_v<SampleBlockEntry>);

constexpr std::size_t SampleBlockSamples = 4096; ///< In a block, at most.

/// Appends a block's bytes: its columns, one after the other.
void encodeSamples(std::span<const HostSample> samples, ByteWriter& out);

/// Reads `count` samples of any bytes. False: there are no such samples there. Their stacks are below `nodes`.
bool decodeSamples(std::span<const std::byte> bytes, std::size_t count, SampleKindId kind, std::size_t nodes, std::vector<HostSample>& out);

void encodeKinds(std::span<const SampleKind> kinds, ByteWriter& out);
bool decodeKinds(std::span<const std::byte> bytes, std::vector<SampleKind>& out);

/// The sections of a finished store.
struct SampleSections {
    std::span<const std::byte> kinds;
    std::span<const std::byte> blocks;
    std::span<const std::byte> data;
    std::shared_ptr<const MappedFile> file; ///< That they lie in.
};

/// Read in place. Null where the directory is none; blocks are proven when they are read. Their stacks are below `stackNodes`.
std::shared_ptr<const SampleSet> openSamples(const SampleSections& sections, std::size_t stackNodes);

/// What is in memory, or in a file that is being written.
struct SamplePicture {
    std::vector<SampleKind> kinds;
    std::vector<SampleBlockEntry> blocks;
    FileBytes data;
    std::size_t stackNodes = 1; ///< That stacks are below.
};
std::shared_ptr<const SampleSet> makeSampleSet(SamplePicture picture);

} // namespace helio
