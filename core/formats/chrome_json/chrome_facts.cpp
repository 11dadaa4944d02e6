#include "core/formats/chrome_json/chrome_facts.h"

#include <simdjson.h>

namespace helio::chromejson {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t MostFacts = 200;
constexpr std::size_t MostBytes = 1000; ///< Maximum size of a fact's value in bytes; larger values are left out.
/// Maximum size in bytes of a top-level member that is read. Larger members contain data of other tools instead of facts.
constexpr std::size_t MostMemberBytes = std::size_t(1) << 20;

void add(const std::string& name, const dom::element& value, std::vector<std::pair<std::string, std::string>>& facts)
{
    if (value.is_object()) {
        for (const dom::key_value_pair member : dom::object(value))
            add(name + '.' + std::string(member.key), member.value, facts);
    } else if (!value.is_array() && !value.is_null() && facts.size() < MostFacts) {
        std::string_view text;
        std::string scalar = value.get_string().get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::minify(value);
        if (scalar.size() <= MostBytes)
            facts.emplace_back(name, std::move(scalar));
    }
}

} // namespace

void addFacts(std::string_view name, std::string_view value, std::vector<std::pair<std::string, std::string>>& facts)
{
    if (value.size() > MostMemberBytes)
        return;
    dom::parser parser;
    dom::element element;
    const simdjson::padded_string padded(value);
    if (parser.parse(padded).get(element) == simdjson::SUCCESS)
        add(std::string(name), element, facts);
}

std::string textOfString(std::string_view json)
{
    dom::parser parser;
    std::string_view text;
    if (json.starts_with('"') && parser.parse(simdjson::padded_string(json)).get_string().get(text) == simdjson::SUCCESS)
        return std::string(text);
    constexpr std::string_view LineEnd = "\\n"; // The escape sequence of a line end in JSON.
    const std::size_t cut = json.rfind(LineEnd);
    if (!json.starts_with('"') || json.ends_with('"') || cut == std::string_view::npos)
        return {};
    return textOfString(std::string(json.substr(0, cut + LineEnd.size())) + '"');
}

} // namespace helio::chromejson
