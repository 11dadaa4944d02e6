#include "core/formats/ctf/metadata/json_text.h"

#include "core/formats/ctf/metadata/metadata_diagnostics.h"

#include <algorithm>
#include <simdjson.h>

namespace helio::ctf {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr unsigned MaxNesting = 100;
constexpr char Separator = '\x1e'; ///< Precedes each value of a sequence and is nowhere else.

/// Reads one value of a sequence.
class FragmentReader {
public:
    /// `line`: line of the text's first character in the metadata.
    FragmentReader(std::string_view text, unsigned line)
        : m_text(text)
        , m_counted(m_text.data())
        , m_line(line)
    {
    }

    /// Errors: throws TsdlError with the line.
    JsonValue read()
    {
        try {
            m_document = m_parser.iterate(m_text);
            if (m_document.is_scalar())
                fail("an object or an array is missing");
            JsonValue value = converted(m_document.get_value(), 1);
            if (m_document.current_location().error() != simdjson::OUT_OF_BOUNDS)
                fail("text follows the value");
            return value;
        } catch (const simdjson::simdjson_error& error) {
            const char* at = nullptr;
            if (m_document.current_location().get(at) == simdjson::SUCCESS)
                countLines(at);
            fail(error.what());
        }
    }

private:
    [[noreturn]] void fail(std::string what) const { throw TsdlError(m_line, std::move(what)); }

    /// Requires: `at` is not before the place of the last call.
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
        case ondemand::json_type::number: readNumber(value, from.get_number()); break;
        case ondemand::json_type::null:
            if (token.substr(0, token.find_last_not_of(" \t\r\n") + 1) != "null")
                fail("\"" + std::string(token.substr(0, std::min<std::size_t>(token.find_last_not_of(" \t\r\n") + 1, 40)))
                     + "\" is not a value");
            break;
        }
        return value;
    }

    static void readNumber(JsonValue& value, ondemand::number number)
    {
        value.kind = number.is_double() ? JsonValue::Kind::Real : JsonValue::Kind::Integer;
        if (number.is_uint64())
            value.integer = static_cast<std::int64_t>(number.get_uint64());
        else if (number.is_int64())
            value.integer = number.get_int64();
    }

    simdjson::padded_string m_text;
    ondemand::parser m_parser;
    ondemand::document m_document;
    const char* m_counted;
    unsigned m_line;
};

/// Calls `take(text, line)` for each value's text in a sequence until it returns false.
template <typename Take> void forEachFragment(std::string_view text, const Take& take)
{
    unsigned line = 1;
    while (!text.empty()) {
        const std::string_view fragment = text.substr(0, text.find(Separator));
        if (fragment.find_first_not_of(" \t\r\n") != std::string_view::npos && !take(fragment, line))
            return;
        line += static_cast<unsigned>(std::ranges::count(fragment, '\n'));
        text.remove_prefix(std::min(text.size(), fragment.size() + 1));
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
        damages.tryRead("what is written there", [&] { values.push_back(FragmentReader(fragment, line).read()); });
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
