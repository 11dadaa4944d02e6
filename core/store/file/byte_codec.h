#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

constexpr std::size_t MaxNumberBytes = 10;

/// Writes a number in little-endian base 128 (7 bits per byte, lowest bits first), so that small numbers need few bytes. Returns the end of
/// the written bytes. Requires: MaxNumberBytes writable bytes at `at`.
inline std::byte* putNumber(std::byte* at, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = static_cast<std::byte>(value | 0x80);
    *at++ = static_cast<std::byte>(value);
    return at;
}
inline std::byte* putSigned(std::byte* at, std::int64_t value)
{
    return putNumber(at, (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

/// Appends numbers, texts and bytes to a byte buffer. Numbers have the format of putNumber().
class ByteWriter {
public:
    void putByte(std::uint8_t value) { m_bytes.push_back(static_cast<std::byte>(value)); }
    void put(std::uint64_t value)
    {
        std::array<std::byte, MaxNumberBytes> bytes;
        append({bytes.data(), putNumber(bytes.data(), value)});
    }
    void putSigned(std::int64_t value)
    {
        std::array<std::byte, MaxNumberBytes> bytes;
        append({bytes.data(), helio::putSigned(bytes.data(), value)});
    }
    void putFixed32(std::uint32_t value)
    {
        for (int i = 0; i < 4; ++i)
            putByte(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    void putText(std::string_view text)
    {
        put(text.size());
        append(std::as_bytes(std::span(text.data(), text.size())));
    }
    void append(std::span<const std::byte> bytes) { m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end()); }

    /// Overwrites bytes from offset `at` on that were appended before.
    void replace(std::size_t at, std::span<const std::byte> bytes)
    {
        std::copy(bytes.begin(), bytes.end(), m_bytes.begin() + static_cast<std::ptrdiff_t>(at));
    }

    std::size_t size() const { return m_bytes.size(); }
    std::span<const std::byte> bytes() const { return m_bytes; }
    void reserve(std::size_t size) { m_bytes.reserve(size); }
    void clear() { m_bytes.clear(); }

private:
    std::vector<std::byte> m_bytes;
};

/// Reads the output of a ByteWriter from untrusted bytes.
/// Errors: after a read past the end, every read returns 0 and hasFailed() is true.
class ByteReader {
public:
    ByteReader() = default;
    explicit ByteReader(std::span<const std::byte> bytes)
        : m_at(bytes.data())
        , m_end(bytes.data() + bytes.size())
    {
    }

    std::uint8_t getByte()
    {
        if (m_at == m_end)
            return fail();
        return static_cast<std::uint8_t>(*m_at++);
    }
    std::uint64_t get()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && m_at != m_end; shift += 7) {
            const auto byte = static_cast<std::uint8_t>(*m_at++);
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
        return fail();
    }
    std::int64_t getSigned()
    {
        const std::uint64_t value = get();
        return static_cast<std::int64_t>((value >> 1) ^ (0 - (value & 1)));
    }
    /// Reads a number; fails if the number does not fit into 32 bits.
    std::uint32_t get32()
    {
        const std::uint64_t value = get();
        return value <= 0xffffffff ? static_cast<std::uint32_t>(value) : fail();
    }
    std::uint32_t getFixed32()
    {
        std::uint32_t value = 0;
        for (int i = 0; i < 4; ++i)
            value |= static_cast<std::uint32_t>(getByte()) << (8 * i);
        return value;
    }
    /// Reads the number of elements that follow, each at least `least` bytes long. Fails if the remaining bytes are too few for that many
    /// elements, so it is safe to allocate memory for them.
    std::size_t getCount(std::size_t least = 1)
    {
        const std::uint64_t value = get();
        return value <= left() / least ? static_cast<std::size_t>(value) : fail();
    }
    std::string_view getText()
    {
        const std::size_t size = getCount();
        const auto bytes = getBytes(size);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    std::span<const std::byte> getBytes(std::size_t size)
    {
        if (size > left()) {
            fail();
            return {};
        }
        m_at += size;
        return {m_at - size, size};
    }

    std::size_t left() const { return static_cast<std::size_t>(m_end - m_at); }
    const std::byte* position() const { return m_at; }
    bool hasFailed() const { return m_failed; }
    bool isAtEnd() const { return !m_failed && m_at == m_end; }

private:
    std::uint8_t fail()
    {
        m_failed = true;
        m_at = m_end;
        return 0;
    }

    const std::byte* m_at = nullptr;
    const std::byte* m_end = nullptr;
    bool m_failed = false;
};

/// Returns the bytes as entries, without copying, in `entries`. Returns false if the bytes are misaligned or not a whole number of entries.
template <typename Entry> bool castEntries(std::span<const std::byte> bytes, std::span<const Entry>& entries)
{
    entries = {reinterpret_cast<const Entry*>(bytes.data()), bytes.size() / sizeof(Entry)};
    return bytes.size() % sizeof(Entry) == 0 && reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Entry) == 0;
}

} // namespace helio
