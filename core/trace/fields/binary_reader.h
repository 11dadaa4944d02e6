#pragma once

#include "core/trace/fields/bits.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace helio {

/// Reads numbers and texts sequentially from bytes. Beyond the end, the functions return zeros and empty texts, and isCut() becomes true.
class BinaryReader {
public:
    BinaryReader(std::span<const std::byte> bytes, ByteOrder order)
        : m_bytes(bytes)
        , m_order(order)
    {
    }

    bool isCut() const { return m_isCut; }
    std::uint64_t position() const { return m_at; }
    std::uint64_t left() const { return m_bytes.size() - m_at; }
    ByteOrder order() const { return m_order; }
    void setOrder(ByteOrder order) { m_order = order; }

    std::uint8_t u8() { return has(1) ? static_cast<std::uint8_t>(m_bytes[m_at++]) : 0; }
    std::uint16_t u16() { return word<std::uint16_t>(); }
    std::uint32_t u32() { return word<std::uint32_t>(); }
    std::uint64_t u64() { return word<std::uint64_t>(); }
    std::int32_t i32() { return static_cast<std::int32_t>(u32()); }

    std::span<const std::byte> bytes(std::uint64_t count)
    {
        if (!has(count))
            return {};
        m_at += count;
        return m_bytes.subspan(m_at - count, count);
    }
    void skip(std::uint64_t count) { bytes(count); }

    /// Reads a text of `count` bytes, which ends earlier at a NUL.
    std::string_view text(std::uint64_t count)
    {
        const auto taken = bytes(count);
        const std::string_view all(reinterpret_cast<const char*>(taken.data()), taken.size());
        return all.substr(0, all.find('\0'));
    }
    std::string_view restAsText() { return text(left()); }

    /// Reads a text up to the next NUL, and skips the NUL.
    std::string_view line()
    {
        const std::string_view rest(reinterpret_cast<const char*>(m_bytes.data()) + m_at, left());
        const std::size_t end = rest.find('\0');
        if (end == std::string_view::npos) {
            m_isCut = true;
            return {};
        }
        m_at += end + 1;
        return rest.substr(0, end);
    }

    /// Reads a text as perf writes it in features: a 32-bit length, followed by its bytes.
    std::string countedText()
    {
        const std::uint32_t length = u32();
        return std::string(text(length));
    }

private:
    bool has(std::uint64_t count)
    {
        if (count <= left())
            return true;
        m_isCut = true;
        return false;
    }
    template <typename T> T word()
    {
        if (!has(sizeof(T)))
            return 0;
        m_at += sizeof(T);
        return loadWord<T>(m_bytes.data() + m_at - sizeof(T), m_order);
    }

    std::span<const std::byte> m_bytes;
    ByteOrder m_order;
    std::uint64_t m_at = 0;
    bool m_isCut = false;
};

} // namespace helio
