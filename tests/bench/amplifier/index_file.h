#pragma once

#include "tests/bench/amplifier/output_file.h"

#include <optional>
#include <string>

namespace helio::bench {

/// Entry for one packet in LTTng's index of a stream file.
struct IndexEntry {
    std::uint64_t offset = 0; ///< Offset of the packet in the stream file, in bytes.
    std::uint64_t packetBits = 0;
    std::uint64_t contentBits = 0;
    std::uint64_t begin = 0; ///< Time of the packet's begin in clock cycles; `end` is the time of its end.
    std::uint64_t end = 0;
    std::uint64_t discarded = 0;
    std::uint64_t streamClass = 0;
    std::uint64_t instance = 0;
    std::uint64_t sequence = 0;
};

/// Writes the index of a stream file (format 1.1); packets may be written in any order.
class IndexFile {
public:
    static Result<IndexFile> create(const std::filesystem::path& path);
    Status write(std::uint64_t packet, const IndexEntry& entry);
    Status close() { return m_file.close(); }

private:
    explicit IndexFile(OutputFile file)
        : m_file(std::move(file))
    {
    }

    OutputFile m_file;
};

} // namespace helio::bench
