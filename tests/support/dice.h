#pragma once

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

private:
    quint64 m_state;
};

} // namespace helio
