#include "core/formats/chrome_json/chrome_event.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <simdjson.h>

namespace helio::chromejson {

namespace json = simdjson::ondemand;

struct ChromeEventParser::Json {
    json::parser parser;
    json::parser argumentParser;
    std::string padded; ///< Text of the event, followed by the bytes that simdjson may read beyond its end.
    std::string paddedArguments;
};

namespace {

/// Returns a string without its quotes and escapes, or the text of another scalar, e.g. "12"; empty for lists, objects and null.
std::string_view scalarText(json::value value)
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
    return text;
}

/// Reads the value of the member "id2", {"global": "0x1"} or {"local": "0x1"}, into `event`.
void takeId(json::value value, ChromeEvent& event)
{
    json::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS)
        return;
    for (auto member : object) {
        std::string_view key;
        json::value id;
        if (member.unescaped_key().get(key) != simdjson::SUCCESS || member.value().get(id) != simdjson::SUCCESS)
            return;
        event.isLocalId = key == "local";
        event.id = scalarText(id);
    }
}

/// Returns the JSON text of an object as it is in the document, e.g. {"a": 1}; empty if `value` is no object.
std::string_view objectText(json::value value)
{
    json::object object;
    std::string_view raw;
    return value.get_object().get(object) == simdjson::SUCCESS && object.raw_json().get(raw) == simdjson::SUCCESS ? raw
                                                                                                                  : std::string_view();
}

/// Returns the JSON text of a list; empty if `value` is no list.
std::string_view listText(json::value value)
{
    json::array array;
    std::string_view raw;
    return value.get_array().get(array) == simdjson::SUCCESS && array.raw_json().get(raw) == simdjson::SUCCESS ? raw : std::string_view();
}

/// Reads the member `key` into `event` if it is a known one whose name has three or more characters. Returns false for any other member.
bool takeLongMember(std::string_view key, json::value value, ChromeEvent& event)
{
    if (key == "args")
        event.arguments = objectText(value);
    else if (key == "name")
        event.name = scalarText(value);
    else if (key == "cat")
        event.category = scalarText(value);
    else if (key == "pid")
        event.process = scalarText(value);
    else if (key == "tid")
        event.thread = scalarText(value);
    else if (key == "id2")
        takeId(value, event);
    else if (key == "dur")
        event.duration = readMicroseconds(scalarText(value));
    else if (key == "tts")
        event.threadTime = readMicroseconds(scalarText(value));
    else if (key == "tdur")
        event.threadDuration = readMicroseconds(scalarText(value));
    else if (key == "scope")
        event.idScope = scalarText(value);
    else if (key == "cpu")
        event.cpu = scalarText(value);
    else if (key == "stack")
        event.stack = listText(value);
    else if (key == "weight")
        event.weight = scalarText(value);
    else if (key == "bind_id")
        event.bindId = scalarText(value);
    else if (key == "flow_in")
        event.isFlowIn = scalarText(value) == "true";
    else if (key == "flow_out")
        event.isFlowOut = scalarText(value) == "true";
    else
        return false;
    return true;
}

char firstOf(std::string_view text) { return text.empty() ? '\0' : text.front(); }

/// Parses the text of an argument as a number: an integer if possible, else a real number. Returns false if it is no finite number.
bool readNumber(std::string_view text, ChromeNumber& number)
{
    const char* const end = text.data() + text.size();
    const auto whole = std::from_chars(text.data(), end, number.integer);
    if (number.isReal = !(whole.ec == std::errc() && whole.ptr == end); !number.isReal)
        return true;
    const auto read = std::from_chars(text.data(), end, number.real);
    return !text.empty() && read.ec == std::errc() && read.ptr == end && std::isfinite(number.real);
}

} // namespace

ChromeEventParser::ChromeEventParser()
    : m_json(std::make_unique<Json>())
{
}

ChromeEventParser::~ChromeEventParser() = default;

bool ChromeEventParser::parse(std::string_view text, std::size_t readable, ChromeEvent& event)
{
    event = {};
    const char* data = text.data();
    if (readable < simdjson::SIMDJSON_PADDING) {
        m_json->padded.assign(text);
        m_json->padded.append(simdjson::SIMDJSON_PADDING, ' ');
        data = m_json->padded.data();
    }
    json::document document;
    json::object object;
    if (m_json->parser.iterate(data, text.size(), text.size() + simdjson::SIMDJSON_PADDING).get(document) != simdjson::SUCCESS
        || document.get_object().get(object) != simdjson::SUCCESS)
        return false;
    for (auto member : object) {
        std::string_view key;
        json::value value;
        if (member.unescaped_key().get(key) != simdjson::SUCCESS || member.value().get(value) != simdjson::SUCCESS)
            return false;
        if (takeLongMember(key, value, event))
            continue;
        if (key == "ph")
            event.phase = firstOf(scalarText(value));
        else if (key == "ts")
            event.time = readMicroseconds(scalarText(value));
        else if (key == "id")
            event.id = scalarText(value);
        else if (key == "s")
            event.scope = firstOf(scalarText(value));
        else if (key == "bp")
            event.bindsToEnclosing = scalarText(value) == "e";
        else if (key == "sf")
            event.stackFrame = scalarText(value);
    }
    if (event.duration.value_or(0) < 0)
        event.duration.reset();
    if (event.threadDuration.value_or(0) < 0)
        event.threadDuration.reset();
    return true;
}

bool ChromeEventParser::parseArguments(const ChromeEvent& event, ChromeArguments& arguments)
{
    arguments = {};
    if (event.arguments.empty())
        return true;
    std::string& padded = m_json->paddedArguments;
    padded.assign(event.arguments);
    padded.append(simdjson::SIMDJSON_PADDING, ' ');
    json::document document;
    json::object object;
    if (m_json->argumentParser.iterate(padded.data(), event.arguments.size(), padded.size()).get(document) != simdjson::SUCCESS
        || document.get_object().get(object) != simdjson::SUCCESS)
        return false;
    for (auto member : object) {
        std::string_view key;
        json::value value;
        if (member.unescaped_key().get(key) != simdjson::SUCCESS || member.value().get(value) != simdjson::SUCCESS)
            return false;
        const std::string_view text = scalarText(value);
        ChromeNumber number;
        const bool isNumber = readNumber(text, number);
        if (key == "name")
            arguments.name = text;
        else if (key == "labels")
            arguments.labels = text;
        else if (key == "step")
            arguments.step = text;
        else if (key == "sort_index" && isNumber && !number.isReal)
            arguments.sortIndex = number.integer;
        if (isNumber) {
            number.name = key;
            arguments.numbers.push_back(std::move(number));
        }
    }
    return true;
}

bool ChromeEventParser::parseFrame(std::string_view text, ChromeFrame& frame)
{
    frame = {};
    std::string& padded = m_json->padded;
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
        if (key == "name")
            frame.name = scalarText(value);
        else if (key == "category")
            frame.category = scalarText(value);
        else if (key == "parent")
            frame.caller = scalarText(value);
    }
    return true;
}

bool ChromeEventParser::parseStack(const ChromeEvent& event, std::vector<std::string>& frames)
{
    frames.clear();
    std::string& padded = m_json->paddedArguments;
    padded.assign(event.stack);
    padded.append(simdjson::SIMDJSON_PADDING, ' ');
    json::document document;
    json::array array;
    if (m_json->argumentParser.iterate(padded.data(), event.stack.size(), padded.size()).get(document) != simdjson::SUCCESS
        || document.get_array().get(array) != simdjson::SUCCESS)
        return false;
    for (auto element : array) {
        json::value value;
        if (element.get(value) != simdjson::SUCCESS)
            return false;
        frames.emplace_back(scalarText(value));
        if (frames.back().empty())
            return false;
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
