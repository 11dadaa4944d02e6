#include "core/formats/chrome_json/object_splitter.h"

namespace helio::chromejson {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

} // namespace

ObjectSplitter::ObjectSplitter(std::string_view text)
    : m_text(text)
{
    skipBlanks();
    const char first = m_at < m_text.size() ? m_text[m_at] : '\0';
    m_isOther = first != '[' && first != '{';
    m_isObject = first == '{';
    m_isInEvents = first == '[';
    ++m_at;
}

void ObjectSplitter::skipBlanks()
{
    while (m_at < m_text.size() && isBlank(m_text[m_at]))
        ++m_at;
}

/// Takes a string with its quotes. Returns false if the text does not continue with a whole string.
bool ObjectSplitter::takeString(std::string_view& contents)
{
    if (m_at >= m_text.size() || m_text[m_at] != '"')
        return false;
    for (std::size_t end = m_at + 1; end < m_text.size(); ++end) {
        if (m_text[end] == '\\') {
            ++end;
        } else if (m_text[end] == '"') {
            contents = m_text.substr(m_at + 1, end - m_at - 1);
            m_at = end + 1;
            return true;
        }
    }
    return false;
}

/// Skips a value of any kind. Returns false, at the end of the text, if the text ends before the value.
bool ObjectSplitter::skipValue()
{
    std::string_view contents;
    int depth = 0;
    while (m_at < m_text.size()) {
        switch (m_text[m_at]) {
        case '"':
            if (!takeString(contents)) {
                m_at = m_text.size();
                return false;
            }
            if (depth == 0)
                return true;
            continue;
        case '{':
        case '[': ++depth; break;
        case '}':
        case ']':
            if (depth == 0) // The end of what encloses a number or a word.
                return true;
            if (--depth == 0) {
                ++m_at;
                return true;
            }
            break;
        case ',':
            if (depth == 0)
                return true;
            break;
        default: break;
        }
        ++m_at;
    }
    return false;
}

/// Skips the members of the object before the next "traceEvents". Returns false if there is none.
bool ObjectSplitter::findEvents()
{
    while (true) {
        skipBlanks();
        if (m_at < m_text.size() && m_text[m_at] == ',') {
            ++m_at;
            continue;
        }
        if (m_at < m_text.size() && m_text[m_at] == '}')
            return false;
        std::string_view name;
        m_isCut = true;
        if (!takeString(name))
            return false;
        skipBlanks();
        if (m_at >= m_text.size() || m_text[m_at] != ':')
            return false;
        ++m_at;
        skipBlanks();
        const bool isArray = m_at < m_text.size() && m_text[m_at] == '[';
        if (name == "traceEvents" && isArray) {
            ++m_at;
            m_isCut = false;
            return true;
        }
        const std::size_t begin = m_at;
        const bool isWhole = skipValue();
        m_otherMembers.push_back({name, m_text.substr(begin, m_at - begin)});
        if (!isWhole)
            return false;
        m_isCut = false;
    }
}

bool ObjectSplitter::next(std::string_view& object)
{
    while (!m_isOther) {
        if (!m_isInEvents && !(m_isObject && findEvents()))
            return false;
        m_isInEvents = true;
        skipBlanks();
        if (m_at >= m_text.size()) {
            m_isCut = m_isObject; // An array may lack its closing bracket: a program that crashes cannot write it.
            return false;
        }
        const char first = m_text[m_at];
        if (first == ']') {
            ++m_at;
            m_isInEvents = false;
            if (!m_isObject)
                return false;
            continue;
        }
        if (first == ',') {
            ++m_at;
            continue;
        }
        const std::size_t begin = m_at;
        if (!skipValue()) {
            m_isCut = true;
            return false;
        }
        if (m_at == begin) // A stray closing brace.
            ++m_at;
        object = m_text.substr(begin, m_at - begin);
        if (first == '{')
            return true;
    }
    return false;
}

} // namespace helio::chromejson
