#pragma once

#include "tests/bench/make_trace_metadata.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace helio::bench {

using Comm = std::array<char, 16>; ///< Thread name, padded with at least one NUL.

/// Writes one CPU's stream, packet by packet. The file is open only while a packet is appended, so that the number of CPUs is not limited
/// by open files.
/// Requires: times do not decrease; close() is called once.
class StreamWriter {
public:
    StreamWriter(std::filesystem::path path, const MadeUuid& uuid, std::uint32_t cpu);

    /// Begins an event; the caller appends its fields with add() in the metadata's order.
    StreamWriter& event(MadeEvent id, std::uint64_t time);

    StreamWriter& add(std::int32_t value) { return put(value); }
    StreamWriter& add(std::uint32_t value) { return put(value); }
    StreamWriter& add(std::int64_t value) { return put(value); }
    StreamWriter& add(std::uint64_t value) { return put(value); }
    StreamWriter& add(const Comm& value) { return put(value); }
    StreamWriter& add(std::string_view text);

    /// Writes the last packet and ends the stream; returns false if any write failed.
    bool close();

private:
    template <typename T> StreamWriter& put(const T& value)
    {
        const auto* bytes = reinterpret_cast<const char*>(&value);
        m_packet.insert(m_packet.end(), bytes, bytes + sizeof(T));
        return *this;
    }
    void begin(std::uint64_t time);
    void end();

    std::filesystem::path m_path;
    MadeUuid m_uuid;
    std::uint32_t m_cpu;
    std::vector<char> m_packet; ///< Bytes of the current packet; empty between packets.
    std::uint64_t m_begin = 0;
    std::uint64_t m_last = 0;
    std::uint64_t m_packets = 0;
    bool m_isGood = true;
};

} // namespace helio::bench
