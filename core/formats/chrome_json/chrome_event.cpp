#include "core/formats/chrome_json/chrome_event.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <deque>
#include <simdjson.h>

namespace helio::chromejson {

namespace json = simdjson::ondemand;

struct ChromeEventParser::Json {
    json::parser parser;
    std::string padded; ///< Text of the event, followed by the bytes that simdjson may read beyond its end.
    std::deque<std::string> texts; ///< Numbers as texts, and keys of arguments.
};

namespace {

/// Returns a string without its quotes and escapes, or the text of another scalar, e.g. "12"; empty for lists, objects and null.
std::string_view scalarText(json::value value, std::deque<std::string>& texts)
{
    json::json_type type;
    if (value.type().get(type) != simdjson::SUCCESS)
        return {};
    std::string_view text;
    if (type == json::json_type::string)
        return value.get_string().get(text) == simdjson::SUCCESS ? text : std::string_view();
    if (type != json::json_type::number && type != json::json_type::boolean)
        return {};
    text = value.raw_json_token();
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return texts.emplace_back(text);
}

/// Takes the arguments: as a text, their "name", and those that are numbers.
bool takeArguments(json::value value, ChromeEvent& event, std::deque<std::string>& texts)
{
    json::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS)
        return true;
    std::string_view raw;
    if (object.raw_json().get(raw) != simdjson::SUCCESS)
        return false;
    event.arguments = texts.emplace_back(raw);
    if (object.reset().error() != simdjson::SUCCESS)
        return false;
    for (auto member : object) {
        std::string_view key;
        json::value argument;
        if (member.unescaped_key().get(key) != simdjson::SUCCESS || member.value().get(argument) != simdjson::SUCCESS)
            return false;
        double number = 0;
        json::json_type type;
        if (argument.type().get(type) != simdjson::SUCCESS)
            return false;
        if (key == "name" && type == json::json_type::string) {
            if (argument.get_string().get(event.argumentName) != simdjson::SUCCESS)
                return false;
        } else if (type == json::json_type::number && argument.get_double().get(number) == simdjson::SUCCESS) {
            event.numbers.emplace_back(texts.emplace_back(key), number);
        }
    }
    return true;
}

/// Takes "id2": {"global": "0x1"} or {"local": "0x1"}.
void takeId(json::value value, ChromeEvent& event, std::deque<std::string>& texts)
{
    json::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS)
        return;
    for (auto member : object) {
        json::value id;
        if (member.value().get(id) == simdjson::SUCCESS)
            event.id = scalarText(id, texts);
    }
}

} // namespace

ChromeEventParser::ChromeEventParser()
    : m_json(std::make_unique<Json>())
{
}

ChromeEventParser::~ChromeEventParser() = default;

bool ChromeEventParser::parse(std::string_view text, ChromeEvent& event)
{
    event = {};
    std::string& padded = m_json->padded;
    std::deque<std::string>& texts = m_json->texts;
    texts.clear();
    padded.assign(text);
    padded.append(simdjson::SIMDJSON_PADDING, ' ');
    json::document document;
    json::object object;
    if (m_json->parser.iterate(padded.data(), text.size(), padded.size()).get(document) != simdjson::SUCCESS
        || document.get_object().get(object) != simdjson::SUCCESS)
        return false;
    for (auto member : object) {
        std::string_view key;
        json::value value;
        if (member.unescaped_key().get(key) != simdjson::SUCCESS || member.value().get(value) != simdjson::SUCCESS)
            return false;
        if (key == "args") {
            if (!takeArguments(value, event, texts))
                return false;
        } else if (key == "id2") {
            takeId(value, event, texts);
        } else if (key == "ph") {
            const std::string_view phase = scalarText(value, texts);
            event.phase = phase.empty() ? '\0' : phase.front();
        } else if (key == "name") {
            event.name = scalarText(value, texts);
        } else if (key == "cat") {
            event.category = scalarText(value, texts);
        } else if (key == "pid") {
            event.process = scalarText(value, texts);
        } else if (key == "tid") {
            event.thread = scalarText(value, texts);
        } else if (key == "id") {
            event.id = scalarText(value, texts);
        } else if (key == "ts") {
            event.time = readMicroseconds(scalarText(value, texts));
        } else if (key == "dur") {
            event.duration = readMicroseconds(scalarText(value, texts));
            if (event.duration.value_or(0) < 0)
                event.duration.reset();
        }
    }
    return true;
}

std::optional<std::int64_t> readMicroseconds(std::string_view number)
{
    constexpr std::int64_t Most = std::int64_t{1} << 62;
    const bool isNegative = number.starts_with('-');
    if (isNegative)
        number.remove_prefix(1);
    if (number.empty() || number.front() < '0' || number.front() > '9')
        return {};
    const char* const end = number.data() + number.size();
    if (number.find_first_of("eE") != std::string_view::npos) {
        double value = 0;
        const auto read = std::from_chars(number.data(), end, value);
        if (read.ec != std::errc() || read.ptr != end || !(value * 1000 < static_cast<double>(Most)))
            return {};
        const auto ns = static_cast<std::int64_t>(std::llround(value * 1000));
        return isNegative ? -ns : ns;
    }
    std::int64_t whole = 0;
    const auto read = std::from_chars(number.data(), end, whole);
    if (read.ec != std::errc() || whole > Most / 1000)
        return {};
    std::int64_t ns = whole * 1000;
    if (read.ptr != end) {
        if (*read.ptr != '.')
            return {};
        std::int64_t unit = 100; // ns of a unit of the current decimal: 100, 10, 1, then nothing.
        for (const char* at = read.ptr + 1; at != end; ++at, unit /= 10) {
            if (*at < '0' || *at > '9')
                return {};
            ns += (*at - '0') * unit;
        }
    }
    return isNegative ? -ns : ns;
}

} // namespace helio::chromejson
