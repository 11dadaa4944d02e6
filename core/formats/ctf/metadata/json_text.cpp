#include "core/formats/ctf/metadata/json_text.h"

#include "core/formats/ctf/metadata/metadata_damages.h"

#include <charconv>

namespace helio::ctf {
namespace {

constexpr unsigned MaxNesting = 100;

void appendUtf8(std::string& text, std::uint32_t code)
{
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    text += static_cast<char>(first[more] | (code >> (6 * more)));
    for (int i = more - 1; i >= 0; --i)
        text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
}

class JsonReader {
public:
    explicit JsonReader(std::string_view text)
        : m_text(text)
    {
    }

    std::vector<JsonValue> sequence(MetadataDamages& damages)
    {
        std::vector<JsonValue> values;
        while (skipBlanks(), m_at < m_text.size())
            if (!damages.survives("what is written there", [&] { values.push_back(value()); }))
                skipToNext();
        return values;
    }

    JsonValue first()
    {
        skipBlanks();
        return m_at < m_text.size() ? value() : JsonValue();
    }

private:
    [[noreturn]] void fail(std::string what) const { throw TsdlError(m_line, std::move(what)); }

    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

    void skipBlanks()
    {
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            m_line += c == '\n';
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\x1e')
                return;
        }
    }

    /// Each value of a sequence begins with this character, which is nowhere else.
    void skipToNext()
    {
        m_depth = 0;
        for (; m_at < m_text.size() && m_text[m_at] != '\x1e'; ++m_at)
            m_line += m_text[m_at] == '\n';
    }

    /// After blanks: whether the next character is this one, which is then skipped.
    bool skip(char c)
    {
        skipBlanks();
        if (peek() != c || m_at == m_text.size())
            return false;
        ++m_at;
        return true;
    }

    void expect(char c)
    {
        if (!skip(c))
            fail(std::string("'") + c + "' is missing");
    }

    JsonValue value()
    {
        skipBlanks();
        if (++m_depth > MaxNesting)
            throw TsdlLimitError(m_line, "values nested too deeply");
        JsonValue value;
        value.line = m_line;
        switch (peek()) {
        case '{': readObject(value); break;
        case '[': readArray(value); break;
        case '"':
            value.kind = JsonValue::Kind::Text;
            value.text = string();
            break;
        default: readWord(value);
        }
        --m_depth;
        return value;
    }

    void readObject(JsonValue& object)
    {
        object.kind = JsonValue::Kind::Object;
        expect('{');
        if (skip('}'))
            return;
        do {
            skipBlanks();
            object.names.push_back(string());
            expect(':');
            object.items.push_back(value());
        } while (skip(','));
        expect('}');
    }

    void readArray(JsonValue& array)
    {
        array.kind = JsonValue::Kind::Array;
        expect('[');
        if (skip(']'))
            return;
        do
            array.items.push_back(value());
        while (skip(','));
        expect(']');
    }

    void readWord(JsonValue& value)
    {
        const auto begin = m_at;
        const auto isPart = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
        };
        while (m_at < m_text.size() && isPart(m_text[m_at]))
            ++m_at;
        const auto word = m_text.substr(begin, m_at - begin);
        if (word == "true" || word == "false") {
            value.kind = JsonValue::Kind::Truth;
            value.truth = word == "true";
        } else if (word != "null") {
            readNumber(value, word);
        }
    }

    void readNumber(JsonValue& value, std::string_view word)
    {
        const auto* last = word.data() + word.size();
        std::uint64_t large = 0;
        double real = 0;
        value.kind = JsonValue::Kind::Integer;
        if (const auto [stop, error] = std::from_chars(word.data(), last, value.integer); error == std::errc() && stop == last)
            return;
        if (const auto [stop, error] = std::from_chars(word.data(), last, large); error == std::errc() && stop == last) {
            value.integer = static_cast<std::int64_t>(large);
            return;
        }
        value.kind = JsonValue::Kind::Real;
        if (const auto [stop, error] = std::from_chars(word.data(), last, real); error != std::errc() || stop != last || word.empty())
            fail("\"" + std::string(word.substr(0, 40)) + "\" is not a value");
    }

    std::string string()
    {
        if (peek() != '"')
            fail("a string is missing");
        ++m_at;
        std::string text;
        while (peek() != '"') {
            if (m_at == m_text.size())
                fail("a string without its end");
            const char c = m_text[m_at++];
            m_line += c == '\n';
            if (c == '\\')
                readEscape(text);
            else
                text += c;
        }
        ++m_at;
        return text;
    }

    void readEscape(std::string& text)
    {
        constexpr std::string_view from = "\"\\/bfnrt";
        constexpr std::string_view to = "\"\\/\b\f\n\r\t";
        const char c = peek();
        ++m_at;
        if (const auto found = from.find(c); found != std::string_view::npos) {
            text += to[found];
            return;
        }
        if (c != 'u')
            fail("a bad escape in a string");
        std::uint32_t code = readHex();
        if (code >= 0xd800 && code < 0xdc00 && m_text.substr(m_at).starts_with("\\u")) {
            m_at += 2;
            code = 0x10000 + ((code & 0x3ff) << 10) + (readHex() & 0x3ff);
        }
        appendUtf8(text, code);
    }

    std::uint32_t readHex()
    {
        std::uint32_t code = 0;
        const auto digits = m_text.substr(std::min(m_at, m_text.size()), 4);
        const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (error != std::errc() || stop != digits.data() + 4)
            fail("a bad escape in a string");
        m_at += 4;
        return code;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    unsigned m_line = 1;
    unsigned m_depth = 0;
};

} // namespace

const JsonValue* JsonValue::find(std::string_view name) const
{
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name)
            return &items[i];
    return nullptr;
}

std::vector<JsonValue> jsonSequence(std::string_view text, MetadataDamages& damages) { return JsonReader(text).sequence(damages); }

JsonValue firstJson(std::string_view text) { return JsonReader(text).first(); }

} // namespace helio::ctf
