#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace helio::ctf {

/// What LTTng notes of a packet beside its stream file.
struct IndexedPacket {
    std::uint64_t offset = 0; ///< Bytes from the start of the stream file.
    std::uint64_t size = 0; ///< Bytes.
    std::uint64_t contentBits = 0;
    std::uint64_t begin = 0; ///< Clock values.
    std::uint64_t end = 0;
    std::uint64_t discarded = 0;
    std::uint64_t stream = 0; ///< Its stream class's id.
    std::optional<std::uint64_t> instance; ///< Since version 1.1 of the index.
    std::optional<std::uint64_t> sequence;
};

/// The packets of a stream file by its index (folder/index/name.idx), in file order. Nothing where there is none that can be true: its
/// packets must fill the file, one behind the other. Whether it is true, the packets' own headers must show.
///
/// Cost: reads the index alone, not the stream file.
std::optional<std::vector<IndexedPacket>> readPacketIndex(const std::filesystem::path& streamFile, std::uint64_t streamBytes);

} // namespace helio::ctf
