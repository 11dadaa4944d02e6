#pragma once

#include <charconv>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace helio {

/// Buffer for text that is appended in many small parts. Unlike std::string, does not initialize new memory.
/// Threads: to be used by one thread at a time.
class TextBuffer {
public:
    explicit TextBuffer(std::size_t room)
        : m_text(std::make_unique_for_overwrite<char[]>(room))
        , m_room(room)
    {
    }

    std::string_view text() const { return {m_text.get(), m_size}; }
    std::size_t size() const { return m_size; }
    void clear() { m_size = 0; }
    /// Shortens the text to `size` bytes. Requires: size <= size().
    void cutTo(std::size_t size) { m_size = size; }

    void append(std::string_view text)
    {
        std::memcpy(room(text.size()), text.data(), text.size());
        m_size += text.size();
    }
    void append(char c)
    {
        *room(1) = c;
        ++m_size;
    }
    template <typename T> void appendNumber(T number, int base = 10)
    {
        constexpr std::size_t Most = 72;
        char* const at = room(Most);
        m_size = static_cast<std::size_t>(std::to_chars(at, at + Most, number, base).ptr - m_text.get());
    }
    void appendReal(double number)
    {
        constexpr std::size_t Most = 32;
        char* const at = room(Most);
        m_size = static_cast<std::size_t>(std::to_chars(at, at + Most, number).ptr - m_text.get());
    }

private:
    char* room(std::size_t more)
    {
        if (m_size + more > m_room) [[unlikely]]
            grow(m_size + more);
        return m_text.get() + m_size;
    }
    void grow(std::size_t least)
    {
        const std::size_t room = 2 * least;
        auto larger = std::make_unique_for_overwrite<char[]>(room);
        std::memcpy(larger.get(), m_text.get(), m_size);
        m_text = std::move(larger);
        m_room = room;
    }

    std::unique_ptr<char[]> m_text;
    std::size_t m_room;
    std::size_t m_size = 0;
};

} // namespace helio
