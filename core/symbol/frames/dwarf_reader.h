#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace helio {

/// Reads numbers of little-endian DWARF data one after the other. Reading beyond the end returns zeros and sets hasFailed().
class DwarfReader {
public:
    /// `address` is the vaddr of the first byte.
    explicit DwarfReader(std::span<const std::byte> bytes, std::uint64_t address = 0)
        : m_bytes(bytes)
        , m_address(address)
    {
    }

    bool hasFailed() const { return m_hasFailed; }
    bool isAtEnd() const { return m_at >= m_bytes.size() || m_hasFailed; }
    std::size_t position() const { return m_at; }
    std::span<const std::byte> rest() const { return m_bytes.subspan(m_at); }

    /// Moves to a position in bytes from the beginning.
    void seek(std::uint64_t position)
    {
        m_hasFailed = m_hasFailed || position > m_bytes.size();
        m_at = m_hasFailed ? m_bytes.size() : position;
    }
    void skip(std::uint64_t count) { take(count); }
    std::span<const std::byte> take(std::uint64_t count)
    {
        m_hasFailed = m_hasFailed || count > m_bytes.size() - m_at;
        const auto taken = m_bytes.subspan(m_at, m_hasFailed ? 0 : count);
        m_at += taken.size();
        return taken;
    }

    template <typename T> T number()
    {
        T value{};
        if (const auto bytes = take(sizeof value); bytes.size() == sizeof value)
            std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    std::uint8_t u8() { return number<std::uint8_t>(); }
    std::uint64_t uleb128() { return leb128(false); }
    std::int64_t sleb128() { return static_cast<std::int64_t>(leb128(true)); }
    /// Reads a text that ends with a zero byte.
    std::string_view text()
    {
        const auto left = rest();
        const auto* const begin = reinterpret_cast<const char*>(left.data());
        const std::size_t length = strnlen(begin, left.size());
        skip(length + 1); // Fails if the zero byte is missing.
        return m_hasFailed ? std::string_view() : std::string_view(begin, length);
    }

    /// Reads a pointer in an encoding DW_EH_PE_* (Linux Standard Base, exception frames): an absolute value, or the distance from the
    /// position of the stored number. Fails for other encodings.
    std::uint64_t pointer(std::uint8_t encoding)
    {
        constexpr std::uint8_t FormatBits = 0x0F, PcRelative = 0x10, ApplicationBits = 0xF0;
        const std::uint64_t from = m_address + m_at;
        const std::uint64_t value = formatted(encoding & FormatBits);
        switch (encoding & ApplicationBits) {
        case 0: return value;
        case PcRelative: return from + value;
        default: m_hasFailed = true; return 0;
        }
    }
    /// Reads a length in the format of an encoding DW_EH_PE_*. Lengths are unsigned, so that the sign bit of the encoding is ignored.
    std::uint64_t length(std::uint8_t encoding) { return formatted(encoding & 0x07); }

private:
    std::uint64_t formatted(unsigned format)
    {
        switch (format) {
        case 0x00: // DW_EH_PE_absptr, DW_EH_PE_udata8 and DW_EH_PE_sdata8: all supported processors have 64 bits.
        case 0x04:
        case 0x0C: return number<std::uint64_t>();
        case 0x01: return uleb128();
        case 0x02: return number<std::uint16_t>();
        case 0x03: return number<std::uint32_t>();
        case 0x09: return leb128(true);
        case 0x0A: return static_cast<std::uint64_t>(std::int64_t{number<std::int16_t>()});
        case 0x0B: return static_cast<std::uint64_t>(std::int64_t{number<std::int32_t>()});
        default: m_hasFailed = true; return 0;
        }
    }
    std::uint64_t leb128(bool isSigned)
    {
        std::uint64_t value = 0;
        unsigned shift = 0;
        std::uint8_t byte = 0;
        do {
            byte = u8();
            if (shift < 64)
                value |= std::uint64_t{byte & 0x7FU} << shift;
            shift += 7;
        } while ((byte & 0x80U) != 0 && !m_hasFailed);
        if (isSigned && shift < 64 && (byte & 0x40U) != 0)
            value |= ~std::uint64_t{0} << shift;
        return value;
    }

    std::span<const std::byte> m_bytes;
    std::uint64_t m_address;
    std::size_t m_at = 0;
    bool m_hasFailed = false;
};

} // namespace helio
