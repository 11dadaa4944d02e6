#pragma once

#include "core/base/result.h"
#include "core/trace/fields/bits.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

namespace helio::ctf {

/// Overwrites the `bits` bits at `bit` with the lowest bits of `value`; the inverse of readBits(). Requires: 1 to 64 bits within `data`.
void writeBits(std::span<std::byte> data, std::uint64_t bit, unsigned bits, ByteOrder order, std::uint64_t value);

/// Writes the packets of a stream file, bit by bit or in whole bytes. Positions count from the start of the current packet. Gaps are zeros.
///
/// Memory: about 2 MiB, and the head of the current packet.
/// Errors: after the first failed write, further output is dropped; finish() returns the error.
class PacketOutput {
public:
    explicit PacketOutput(std::filesystem::path path);
    ~PacketOutput();
    PacketOutput(const PacketOutput&) = delete;
    PacketOutput& operator=(const PacketOutput&) = delete;

    /// Starts the next packet at the end of the output, at a byte boundary. `head` contains the first `headBits` bits of the packet.
    void startPacket(std::span<const std::byte> head, std::uint64_t headBits);

    /// Lets `edit` change the first `bytes` bytes of the current packet, which must have been written.
    void editHead(std::size_t bytes, const std::function<void(std::span<std::byte>)>& edit);

    std::uint64_t bit() const { return m_bit; } ///< Position in bits at which the next output is written.
    void advanceTo(std::uint64_t bit);
    void put(std::uint64_t value, unsigned bits, ByteOrder order);
    /// Copies `bits` bits from the byte `from` on. Requires: bit() is a multiple of 8. Bits after the end in the last byte are copied, too,
    /// until the next output replaces them.
    void copy(const std::byte* from, std::uint64_t bits);

    std::uint64_t bytes() const { return m_packetOffset + (m_bit + 7) / 8; } ///< Size of the output in bytes.
    bool hasFailed() const { return m_error != 0; }
    Status finish();

private:
    static constexpr std::size_t MostBuffered = std::size_t{1} << 20;

    std::byte* room(std::uint64_t endBit);
    void flush(bool isWhole);
    void write(std::span<const std::byte> bytes, std::uint64_t offset);

    std::filesystem::path m_path;
    int m_file = -1;
    int m_error = 0; ///< Error number of the first failed operation; 0 if none failed.
    std::uint64_t m_packetOffset = 0; ///< Offset of the current packet in bytes from the start of the file.
    std::uint64_t m_bit = 0;
    std::vector<std::byte> m_buffer; ///< Bytes of the current packet from m_bufferOffset on.
    std::uint64_t m_bufferOffset = 0; ///< Offset of m_buffer in bytes from the start of the packet.
};

} // namespace helio::ctf
