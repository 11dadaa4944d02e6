#include "core/formats/ctf/metadata/json_text.h"

#include "core/formats/ctf/metadata/metadata_diagnostics.h"

#include <algorithm>
#include <simdjson.h>

namespace helio::ctf {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr unsigned MaxNesting = 100;
constexpr char Separator = '\x1e'; ///< Character that precedes each value of a sequence and occurs nowhere else.

/// Parses one value of metadata that consists of a sequence of JSON values.
class FragmentReader {
public:
    /// `line` is the number of the text's first line in the metadata.
    FragmentReader(std::string_view text, unsigned line)
        : m_text(text)
        , m_counted(m_text.data())
        , m_line(line)
    {
    }

    /// Parses the text into a value.
    /// Errors: throws TsdlError with the line of the error.
    JsonValue read()
    {
        if (const auto error = m_parser.iterate(m_text).get(m_document))
            fail(simdjson::error_message(error));
        try {
            if (m_document.is_scalar())
                fail("expected an object or an array");
            return converted(m_document.get_value(), 1);
        } catch (const simdjson::simdjson_error& error) {
            const char* at = nullptr;
            if (m_document.current_location().get(at) == simdjson::SUCCESS)
                countLines(at);
            fail(error.what());
        }
    }

private:
    [[noreturn]] void fail(std::string what) const { throw TsdlError(m_line, std::move(what)); }

    /// Counts the lines up to `at`. Requires: `at` is not before its value in the previous call.
    void countLines(const char* at)
    {
        const char* const end = std::clamp(at, m_counted, static_cast<const char*>(m_text.data() + m_text.size()));
        m_line += static_cast<unsigned>(std::count(m_counted, end, '\n'));
        m_counted = end;
    }

    JsonValue converted(ondemand::value from, unsigned depth)
    {
        const std::string_view token = from.raw_json_token();
        countLines(token.data());
        if (depth > MaxNesting)
            throw TsdlLimitError(m_line, "values nested too deeply");
        JsonValue value;
        value.line = m_line;
        switch (from.type()) {
        case ondemand::json_type::object:
            value.kind = JsonValue::Kind::Object;
            for (auto field : from.get_object()) {
                value.names.emplace_back(std::string_view(field.unescaped_key()));
                value.items.push_back(converted(field.value(), depth + 1));
            }
            break;
        case ondemand::json_type::array:
            value.kind = JsonValue::Kind::Array;
            for (auto item : from.get_array())
                value.items.push_back(converted(item.value(), depth + 1));
            break;
        case ondemand::json_type::string:
            value.kind = JsonValue::Kind::Text;
            value.text = std::string_view(from.get_string());
            break;
        case ondemand::json_type::boolean:
            value.kind = JsonValue::Kind::Truth;
            value.truth = from.get_bool();
            break;
        case ondemand::json_type::number: readNumber(value, from); break;
        case ondemand::json_type::null:
            if (token.substr(0, token.find_last_not_of(" \t\r\n") + 1) != "null")
                fail("\"" + std::string(token.substr(0, std::min<std::size_t>(token.find_last_not_of(" \t\r\n") + 1, 40)))
                     + "\" is not a value");
            break;
        }
        return value;
    }

    static void readNumber(JsonValue& value, ondemand::value from)
    {
        value.kind = JsonValue::Kind::Integer;
        std::uint64_t natural = 0;
        if (from.get_int64().get(value.integer) == simdjson::SUCCESS)
            return;
        if (from.get_uint64().get(natural) == simdjson::SUCCESS) {
            value.integer = static_cast<std::int64_t>(natural);
            return;
        }
        value.kind = JsonValue::Kind::Real;
        double real = from.get_double();
        static_cast<void>(real); // Metadata needs no real numbers, so only their syntax is checked.
    }

    simdjson::padded_string m_text;
    ondemand::parser m_parser;
    ondemand::document m_document;
    const char* m_counted;
    unsigned m_line;
};

/// Returns the size of the value at the start of `text`, which begins with a bracket. The value ends with the matching closing bracket.
/// If that bracket is missing, the value ends before the next separator or at the end of the text.
std::size_t valueSize(std::string_view text)
{
    unsigned depth = 0;
    bool isInString = false;
    for (std::size_t i = 0; i < text.size() && text[i] != Separator; ++i) {
        const char c = text[i];
        if (isInString && c == '\\')
            ++i;
        else if (c == '"')
            isInString = !isInString;
        else if (!isInString && (c == '{' || c == '['))
            ++depth;
        else if (!isInString && (c == '}' || c == ']') && --depth == 0)
            return i + 1;
    }
    return std::min(text.size(), text.find(Separator));
}

/// Calls `take(text, line)` for the text of each value in a sequence, until `take` returns false. Also finds values without separators
/// between them, which RFC 7464 does not allow.
template <typename Take> void forEachFragment(std::string_view text, const Take& take)
{
    unsigned line = 1;
    const auto skip = [&](std::size_t size) {
        line += static_cast<unsigned>(std::ranges::count(text.substr(0, size), '\n'));
        text.remove_prefix(std::min(text.size(), size));
    };
    while (skip(std::min(text.size(), text.find_first_not_of(" \t\r\n\x1e"))), !text.empty()) {
        const bool isValue = text.front() == '{' || text.front() == '[';
        const std::string_view fragment = text.substr(0, isValue ? valueSize(text) : text.find(Separator));
        if (!take(fragment, line))
            return;
        skip(fragment.size());
    }
}

} // namespace

const JsonValue* JsonValue::find(std::string_view name) const
{
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name)
            return &items[i];
    return nullptr;
}

std::vector<JsonValue> jsonSequence(std::string_view text, MetadataDiagnostics& damages)
{
    std::vector<JsonValue> values;
    forEachFragment(text, [&](std::string_view fragment, unsigned line) {
        damages.tryRead("the fragment", [&] { values.push_back(FragmentReader(fragment, line).read()); });
        return true;
    });
    return values;
}

JsonValue firstJson(std::string_view text)
{
    JsonValue value;
    forEachFragment(text, [&](std::string_view fragment, unsigned line) {
        value = FragmentReader(fragment, line).read();
        return false;
    });
    return value;
}

} // namespace helio::ctf
