#include "app/cli/serve/request.h"

#include "core/base/json.h"

#include <QByteArray>

#include <algorithm>
#include <charconv>
#include <simdjson.h>

namespace helio {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t MostIdBytes = 200; ///< Longest ID that is a string, in bytes.

Error wrong(const std::string& what) { return {Error::Kind::Usage, what}; }

/// Reads an ID: an integer or a short string, as JSON text.
Status readId(dom::element element, const char* member, std::string& id)
{
    std::string_view text;
    std::int64_t number = 0;
    if (element.get_int64().get(number) == simdjson::SUCCESS)
        id = std::to_string(number);
    else if (element.get_string().get(text) == simdjson::SUCCESS && text.size() <= MostIdBytes)
        appendJson(id = {}, text);
    else
        return wrong(std::string("\"") + member + "\" must be an integer or a string of at most " + std::to_string(MostIdBytes) + " bytes");
    return Done{};
}

/// Returns a text: a string, or an object with the member "base64" for a text that is not UTF-8. nullopt for any other value.
std::optional<std::string> textOf(dom::element element)
{
    std::string_view text;
    if (element.get_string().get(text) == simdjson::SUCCESS)
        return std::string(text);
    dom::object object;
    if (element.get_object().get(object) != simdjson::SUCCESS || object.size() != 1
        || object["base64"].get_string().get(text) != simdjson::SUCCESS)
        return {};
    const auto bytes =
        QByteArray::fromBase64Encoding(QByteArray(text.data(), qsizetype(text.size())), QByteArray::AbortOnBase64DecodingErrors);
    return bytes ? std::optional((*bytes).toStdString()) : std::nullopt;
}

Status readText(dom::element element, const std::string& member, std::string& text)
{
    auto found = textOf(element);
    if (!found)
        return wrong('"' + member + "\" must be a string");
    text = std::move(*found);
    return Done{};
}

Status readTexts(dom::element element, const std::string& member, std::vector<std::string>& texts)
{
    dom::array array;
    if (element.get_array().get(array) != simdjson::SUCCESS)
        return wrong('"' + member + "\" must be an array of strings");
    for (const dom::element each : array) {
        auto text = textOf(each);
        if (!text)
            return wrong('"' + member + "\" must be an array of strings");
        texts.push_back(std::move(*text));
    }
    return Done{};
}

/// Returns the name of an option as on the command line, e.g. "--no-sync" for "no_sync"; empty if `name` cannot be the name of an option.
std::string optionName(std::string_view name)
{
    const auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto isAllowed = [&](char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
    if (name.empty() || !isLetter(name.front()) || !std::ranges::all_of(name, isAllowed))
        return {};
    std::string option = "--" + std::string(name);
    std::ranges::replace(option, '_', '-');
    return option;
}

/// Returns a value as text of the command line; nullopt if the value is neither a number nor a string.
std::optional<std::string> valueText(dom::element element)
{
    std::int64_t integer = 0;
    std::uint64_t large = 0;
    double real = 0;
    if (auto text = textOf(element))
        return text;
    if (element.is_int64() && element.get_int64().get(integer) == simdjson::SUCCESS)
        return std::to_string(integer);
    if (element.is_uint64() && element.get_uint64().get(large) == simdjson::SUCCESS)
        return std::to_string(large);
    if (!element.is_double() || element.get_double().get(real) != simdjson::SUCCESS)
        return {};
    char digits[32];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, real).ptr);
}

Status readOption(std::string_view key, dom::element element, ServeRequest& request)
{
    const std::string name = optionName(key);
    const auto add = [&](const std::string& argument) {
        request.options.push_back(argument);
        request.optionNames.push_back(name);
    };
    const auto addValue = [&](dom::element value) {
        const auto text = valueText(value);
        if (text && text->empty()) { // CLI11 takes "--name=" for an option without its value.
            add(name);
            add({});
        } else if (text) {
            add(name + '=' + *text);
        }
        return text.has_value();
    };
    bool flag = false;
    dom::array array;
    if (name.empty())
        return wrong("\"options\": \"" + std::string(key) + "\" is not the name of an option");
    if (element.is_null())
        return Done{};
    if (element.get_bool().get(flag) == simdjson::SUCCESS) {
        if (flag)
            add(name);
        return Done{};
    }
    if (element.get_array().get(array) == simdjson::SUCCESS ? std::ranges::all_of(array, addValue) : addValue(element))
        return Done{};
    return wrong("\"options\": the value of \"" + std::string(key) + "\" must be a string, number, boolean, null, or an array of these");
}

Status readOptions(dom::element element, ServeRequest& request)
{
    dom::object object;
    if (element.get_object().get(object) != simdjson::SUCCESS)
        return wrong("\"options\" must be an object");
    for (const dom::key_value_pair member : object)
        if (Status read = readOption(member.key, member.value, request); !read)
            return read;
    return Done{};
}

Status readCount(dom::element element, const std::string& name, std::uint64_t& count)
{
    return element.get_uint64().get(count) == simdjson::SUCCESS ? Status(Done{}) : wrong('"' + name + "\" must be a natural number");
}

Status readParameter(std::string_view key, dom::element value, ServeRequest& request)
{
    if (key == "trace") {
        std::int64_t trace = 0;
        if (value.get_int64().get(trace) != simdjson::SUCCESS)
            return wrong("\"trace\" must be an integer");
        request.trace = trace;
        return Done{};
    }
    if (key == "paths")
        return readTexts(value, "paths", request.paths);
    if (key == "sql")
        return readText(value, "sql", request.sql.emplace());
    if (key == "arguments")
        return readTexts(value, "arguments", request.arguments);
    if (key == "options")
        return readOptions(value, request);
    if (key == "format")
        return readText(value, "format", request.format);
    if (key == "file")
        return readText(value, "file", request.file.emplace());
    if (key == "offset")
        return readCount(value, "offset", request.offset);
    if (key == "bytes")
        return readCount(value, "bytes", request.fileBytes);
    if (key == "request")
        return readId(value, "request", request.request);
    return wrong("unknown parameter \"" + std::string(key) + '"');
}

Status readMembers(dom::object object, ServeRequest& request)
{
    if (dom::element id; object["id"].get(id) == simdjson::SUCCESS) { // The ID comes first, so that errors of other members have it.
        if (Status read = readId(id, "id", request.id); !read)
            return read;
    } else {
        return wrong("\"id\" is missing");
    }
    for (const dom::key_value_pair member : object) {
        Status read = Done{};
        dom::object params;
        if (member.key == "method")
            read = readText(member.value, "method", request.method);
        else if (member.key == "params" && member.value.get_object().get(params) != simdjson::SUCCESS)
            return wrong("\"params\" must be an object");
        else if (member.key != "id" && member.key != "params")
            return wrong("unknown member \"" + std::string(member.key) + '"');
        if (member.key == "params")
            for (auto parameter = params.begin(); read && parameter != params.end(); ++parameter)
                read = readParameter(parameter.key(), parameter.value(), request);
        if (!read)
            return read;
    }
    return request.method.empty() ? Status(wrong("\"method\" is missing")) : Status(Done{});
}

} // namespace

ReadRequest readRequest(std::string_view line)
{
    ReadRequest result;
    result.request.id = "null";
    result.request.bytes = line.size();
    dom::parser parser;
    dom::element document;
    dom::object object;
    if (const auto error = parser.parse(line.data(), line.size()).get(document))
        result.error = wrong(std::string("not JSON: ") + simdjson::error_message(error));
    else if (document.get_object().get(object) != simdjson::SUCCESS)
        result.error = wrong("a request must be a JSON object");
    else if (Status read = readMembers(object, result.request); !read)
        result.error = read.error();
    return result;
}

} // namespace helio
