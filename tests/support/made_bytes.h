#pragma once

#include "core/trace/fields/bits.h"

#include <QByteArray>

#include <cstdint>
#include <string_view>

namespace helio {

/// Serializes numbers and texts into bytes, in one byte order.
class MadeBytes {
public:
    explicit MadeBytes(ByteOrder order = ByteOrder::Little)
        : m_order(order)
    {
    }

    MadeBytes& u16(std::uint64_t value) { return number(value, 2); }
    MadeBytes& u32(std::uint64_t value) { return number(value, 4); }
    MadeBytes& u64(std::uint64_t value) { return number(value, 8); }
    MadeBytes& u8(std::uint64_t value) { return number(value, 1); }
    MadeBytes& raw(const QByteArray& more)
    {
        bytes += more;
        return *this;
    }
    /// Appends the text with its NUL, padded to a multiple of 8 bytes.
    MadeBytes& text(std::string_view text)
    {
        QByteArray padded(text.data(), qsizetype(text.size()));
        padded.append(8 - padded.size() % 8, '\0');
        return raw(padded);
    }
    /// Appends a text in the format of feature sections: its padded size, then the text, padded with NULs to a multiple of 64 bytes.
    MadeBytes& counted(std::string_view text)
    {
        QByteArray padded(text.data(), qsizetype(text.size()));
        padded.append(64 - padded.size() % 64, '\0');
        return u32(std::uint64_t(padded.size())).raw(padded);
    }
    MadeBytes empty() const { return MadeBytes(m_order); }

    QByteArray bytes;

private:
    MadeBytes& number(std::uint64_t value, int size)
    {
        for (int i = 0; i < size; ++i)
            bytes += char(value >> 8 * (m_order == ByteOrder::Little ? i : size - 1 - i));
        return *this;
    }

    ByteOrder m_order;
};

} // namespace helio
