#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace helio::text {

/// Splits a text into lines without copying. A line ends at '\n', at "\r\n", or at the end of the text.
/// Cost: a search for '\n'.
class LineReader {
public:
    explicit LineReader(std::string_view text)
        : m_text(text)
    {
    }

    /// Sets `line` to the next line. Returns false at the end of the text.
    bool next(std::string_view& line)
    {
        m_begin = m_next;
        if (m_begin >= m_text.size())
            return false;
        ++m_number;
        const char* const begin = m_text.data() + m_begin;
        const void* const end = std::memchr(begin, '\n', m_text.size() - m_begin);
        std::size_t size = end ? static_cast<std::size_t>(static_cast<const char*>(end) - begin) : m_text.size() - m_begin;
        m_hasEnd = end != nullptr;
        m_next = m_begin + size + 1;
        if (size > 0 && begin[size - 1] == '\r')
            --size;
        line = {begin, size};
        return true;
    }

    std::uint64_t number() const { return m_number; } ///< Number of the current line, from 1.
    std::uint64_t offset() const { return m_begin; } ///< Offset of the current line in the text.
    bool hasEnd() const { return m_hasEnd; } ///< True if the current line ends with '\n'.

private:
    std::string_view m_text;
    std::size_t m_begin = 0;
    std::size_t m_next = 0;
    std::uint64_t m_number = 0;
    bool m_hasEnd = false;
};

inline bool isBlank(char c) { return c == ' ' || c == '\t'; }
inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isHexDigit(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

inline std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Removes the first word, which ends at a blank, from the line, and the blanks around it.
inline std::string_view takeWord(std::string_view& line)
{
    line = trimmed(line);
    std::size_t end = 0;
    while (end < line.size() && !isBlank(line[end]))
        ++end;
    const std::string_view word = line.substr(0, end);
    line = trimmed(line.substr(end));
    return word;
}

/// Parses a whole word as an unsigned decimal number. Returns false if it is none, or does not fit.
template <typename Number> bool readNumber(std::string_view word, Number& number)
{
    const char* const end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, number);
    return !word.empty() && isDigit(word.front()) && read.ec == std::errc() && read.ptr == end;
}

} // namespace helio::text
