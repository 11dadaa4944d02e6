#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace helio::ctf {

/// Entry of LTTng's packet index.
struct PacketIndexEntry {
    std::uint64_t offset = 0; ///< Bytes from the start of the stream file.
    std::uint64_t size = 0; ///< Bytes.
    std::uint64_t contentBits = 0;
    std::uint64_t begin = 0; ///< Clock value.
    std::uint64_t end = 0; ///< Clock value.
    std::uint64_t discarded = 0; ///< Counter of lost events.
    std::uint64_t stream = 0; ///< Id of its stream class.
    std::optional<std::uint64_t> instance; ///< Present since version 1.1 of the index.
    std::optional<std::uint64_t> sequence; ///< Present since version 1.1 of the index.
};

/// Returns the packets of a stream file from its index (folder/index/name.idx), in file order. Empty if there is no plausible index: its
/// packets must fill the stream file without gaps. The caller must compare the index with the packets' own headers.
///
/// Cost: reads only the index, not the stream file.
std::optional<std::vector<PacketIndexEntry>> readPacketIndex(const std::filesystem::path& streamFile, std::uint64_t streamBytes);

} // namespace helio::ctf
