#pragma once

#include <QByteArray>
#include <QtGlobal>

namespace helio {

/// A small pseudo-random generator (xorshift) that returns the same numbers on every machine.
class Dice {
public:
    explicit Dice(quint64 seed)
        : m_state(seed * 2862933555777941757ULL + 3037000493ULL)
    {
    }
    quint64 below(quint64 limit)
    {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        return limit ? m_state % limit : 0;
    }

    /// Returns the bytes with one to six of them replaced: by a byte with one other bit, by 0xff, or by one of `favourites`.
    QByteArray damaged(QByteArray bytes, const QByteArray& favourites = {})
    {
        for (quint64 changes = below(6) + 1; changes > 0 && !bytes.isEmpty(); --changes) {
            const auto at = qsizetype(below(quint64(bytes.size())));
            if (!favourites.isEmpty() && below(2) == 0)
                bytes[at] = favourites[qsizetype(below(quint64(favourites.size())))];
            else
                bytes[at] = below(3) ? char(bytes[at] ^ (1 << below(8))) : char(0xff);
        }
        return bytes;
    }

private:
    quint64 m_state;
};

} // namespace helio
