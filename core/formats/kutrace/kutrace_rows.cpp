#include "core/formats/kutrace/kutrace_rows.h"

#include <array>
#include <cmath>
#include <simdjson.h>

namespace helio::kutrace {
namespace {

namespace json = simdjson::ondemand;

constexpr std::size_t LongestRow = 4096;

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t skipBlanks(std::string_view text, std::size_t at)
{
    while (at < text.size() && isBlank(text[at]))
        ++at;
    return at;
}

/// Returns the position after the closing bracket of the row that begins at `begin`; npos if the bracket is missing.
std::size_t findRowEnd(std::string_view text, std::size_t begin)
{
    const std::size_t limit = std::min(text.size(), begin + LongestRow);
    bool isInText = false;
    for (std::size_t at = begin + 1; at < limit; ++at) {
        const char c = text[at];
        if (c == '\n' && isInText)
            return std::string_view::npos;
        if (isInText && c == '\\')
            ++at;
        else if (c == '"')
            isInText = !isInText;
        else if (c == '[' && !isInText)
            return std::string_view::npos;
        else if (c == ']' && !isInText)
            return at + 1;
    }
    return std::string_view::npos;
}

/// Returns true if the bracket at `at` closes the array of rows. A bracket before another row does not; it is the rest of a damaged row.
bool closesArray(std::string_view text, std::size_t at)
{
    at = skipBlanks(text, at + 1);
    if (at < text.size() && text[at] == ',')
        at = skipBlanks(text, at + 1);
    return at >= text.size() || text[at] != '[';
}

/// Converts a JSON number in s to ns. Returns false if `value` is no number from 0 to 1e9 s, which is about 30 years.
bool readSeconds(json::value value, std::int64_t& ns)
{
    double seconds = 0;
    if (value.get_double().get(seconds) != simdjson::SUCCESS || !(seconds >= 0 && seconds < 1e9))
        return false;
    ns = std::llround(seconds * 1e9);
    return true;
}

template <typename Number> bool readInteger(json::value value, std::int64_t least, std::int64_t most, Number& number)
{
    std::int64_t read = 0;
    if (value.get_int64().get(read) != simdjson::SUCCESS || read < least || read > most)
        return false;
    number = static_cast<Number>(read);
    return true;
}

} // namespace

std::uint32_t RowTexts::indexOf(std::string_view text)
{
    if (const auto known = m_index.find(text); known != m_index.end())
        return known->second;
    const auto index = static_cast<std::uint32_t>(m_texts.size());
    m_index.emplace(m_texts.emplace_back(text), index);
    return index;
}

std::string_view timelineIn(std::string_view text)
{
    const std::size_t first = skipBlanks(text, 0);
    if (first >= text.size() || text[first] != '<')
        return text;
    constexpr std::string_view Variable = "myString = '";
    const std::size_t begin = text.find(Variable);
    if (begin == std::string_view::npos)
        return {};
    text.remove_prefix(begin + Variable.size());
    return text.substr(0, text.find("';"));
}

TimelineParts findParts(std::string_view json)
{
    // Limit of the header's size in bytes. KUtrace writes less than 1 KB before the rows.
    constexpr std::size_t LongestHeader = std::size_t{1} << 16;
    constexpr std::string_view Events = "\"events\"";
    const std::size_t open = skipBlanks(json, 0);
    if (open >= json.size() || json[open] != '{')
        return {};
    const std::size_t key = json.substr(0, open + LongestHeader).find(Events, open);
    if (key == std::string_view::npos)
        return {};
    std::size_t at = skipBlanks(json, key + Events.size());
    if (at >= json.size() || json[at] != ':')
        return {};
    at = skipBlanks(json, at + 1);
    if (at >= json.size() || json[at] != '[')
        return {};
    return {json.substr(open, key - open), at + 1};
}

std::vector<std::pair<std::string, std::string>> parseHeader(std::string_view header)
{
    std::string text(header);
    while (!text.empty() && (isBlank(text.back()) || text.back() == ','))
        text.pop_back();
    text += '}';
    std::vector<std::pair<std::string, std::string>> members;
    json::parser parser;
    const simdjson::padded_string padded(text);
    json::document document;
    json::object object;
    if (parser.iterate(padded).get(document) != simdjson::SUCCESS || document.get_object().get(object) != simdjson::SUCCESS)
        return {};
    for (auto member : object) {
        std::string_view key;
        json::value value;
        json::json_type type;
        if (member.unescaped_key().get(key) != simdjson::SUCCESS || member.value().get(value) != simdjson::SUCCESS
            || value.type().get(type) != simdjson::SUCCESS)
            return {};
        std::string name(key);
        std::string_view content;
        std::int64_t number = 0;
        if (type == json::json_type::string && value.get_string().get(content) == simdjson::SUCCESS)
            members.emplace_back(std::move(name), content);
        else if (type == json::json_type::number && value.get_int64().get(number) == simdjson::SUCCESS)
            members.emplace_back(std::move(name), std::to_string(number));
    }
    return members;
}

bool RowSplitter::next(std::string_view& row, std::size_t& offset)
{
    while (m_at < m_text.size() && m_text[m_at] != '[' && (m_text[m_at] != ']' || !closesArray(m_text, m_at)))
        ++m_at;
    m_isCut = m_at >= m_text.size();
    if (m_isCut || m_text[m_at] == ']')
        return false;
    offset = m_at;
    const std::size_t end = findRowEnd(m_text, m_at);
    const bool isWhole = end != std::string_view::npos;
    row = isWhole ? m_text.substr(m_at, end - m_at) : std::string_view();
    m_at = isWhole ? end : m_at + 1;
    if (!isWhole) // The row is damaged: skip to the next opening bracket.
        while (m_at < m_text.size() && m_text[m_at] != '[')
            ++m_at;
    return true;
}

struct RowParser::Json {
    json::parser parser;
    std::string padded; ///< Copy of the row's text, followed by the padding that simdjson may read beyond the end of a text.
};

RowParser::RowParser(RowTexts& texts)
    : m_texts(texts)
    , m_json(std::make_unique<Json>())
{
}

RowParser::~RowParser() = default;

bool RowParser::parse(std::string_view text, Row& row)
{
    constexpr std::int64_t MostCpu = 0xffff;
    constexpr std::int64_t Least = -(std::int64_t{1} << 40);
    constexpr std::int64_t Most = std::int64_t{1} << 40;
    std::string& padded = m_json->padded;
    padded.assign(text);
    padded.append(simdjson::SIMDJSON_PADDING, ' ');
    json::document document;
    json::array values;
    if (m_json->parser.iterate(padded.data(), text.size(), padded.size()).get(document) != simdjson::SUCCESS
        || document.get_array().get(values) != simdjson::SUCCESS)
        return false;
    row = {};
    m_hasIpc = false;
    int column = 0;
    bool hasName = false;
    for (auto element : values) {
        json::value value;
        json::json_type type;
        if (hasName || element.get(value) != simdjson::SUCCESS || value.type().get(type) != simdjson::SUCCESS)
            return false;
        std::string_view name;
        bool isGood = true;
        switch (column++) {
        case 0: isGood = readSeconds(value, row.begin); break;
        case 1: isGood = readSeconds(value, row.duration); break;
        case 2: isGood = readInteger(value, -1, MostCpu, row.cpu); break;
        case 3: isGood = readInteger(value, -1, INT32_MAX, row.pid); break;
        case 4: isGood = readInteger(value, INT32_MIN, INT32_MAX, row.rpc); break;
        case 5: isGood = readInteger(value, INT32_MIN, INT32_MAX, row.event); break;
        case 6: isGood = readInteger(value, Least, Most, row.arg); break;
        case 7: isGood = readInteger(value, Least, Most, row.result); break;
        default:
            // The ninth value is the code for instructions per cycle; the name follows it. In the first version of the format, the ninth
            // value is the name.
            if (type != json::json_type::string) {
                isGood = column == 9 && readInteger(value, 0, 255, row.ipc);
                m_hasIpc = true;
                break;
            }
            isGood = value.get_string().get(name) == simdjson::SUCCESS;
            hasName = true;
            if (isGood)
                row.name = m_texts.indexOf(name);
        }
        if (!isGood)
            return false;
    }
    row.ipc &= 15;
    return hasName;
}

} // namespace helio::kutrace
