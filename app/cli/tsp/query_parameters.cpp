#include "app/cli/tsp/query_parameters.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <simdjson.h>

namespace helio {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t MostTextBytes = 4096; ///< Maximum length of a text, in bytes.
constexpr std::size_t MostTexts = 1000; ///< Maximum number of texts in an array.

Error wrong(const std::string& what) { return {Error::Kind::Usage, what}; }

Result<std::int64_t> readInteger(dom::element element, const std::string& member)
{
    std::int64_t number = 0;
    if (!element.is_int64() || element.get_int64().get(number) != simdjson::SUCCESS)
        return wrong('"' + member + "\" must be an integer of 64 bits");
    return number;
}

Result<std::string> readText(dom::element element, const std::string& member)
{
    std::string_view text;
    if (element.get_string().get(text) != simdjson::SUCCESS || text.size() > MostTextBytes)
        return wrong('"' + member + "\" must be a string of at most " + std::to_string(MostTextBytes) + " bytes");
    return std::string(text);
}

/// Reads the elements of an array with `read`.
template <typename T, typename Read>
Status readArray(dom::element element, const std::string& member, std::size_t most, std::optional<std::vector<T>>& values, const Read& read)
{
    dom::array array;
    if (element.get_array().get(array) != simdjson::SUCCESS)
        return wrong('"' + member + "\" must be an array");
    values.emplace();
    for (const dom::element each : array) {
        if (values->size() == most)
            return wrong('"' + member + "\" must have at most " + std::to_string(most) + " elements");
        auto value = read(each, member);
        if (!value)
            return value.error();
        values->push_back(std::move(*value));
    }
    return Done{};
}

Status readIntegers(dom::element element, const std::string& member, std::optional<std::vector<std::int64_t>>& values)
{
    return readArray(element, member, MostItems, values, readInteger);
}

Status readTexts(dom::element element, const std::string& member, std::optional<std::vector<std::string>>& values)
{
    return readArray(element, member, MostTexts, values, readText);
}

/// Returns the length of a range; nullopt if it is negative or exceeds 64 bits.
std::optional<Duration> lengthOf(std::int64_t first, std::int64_t last)
{
    std::int64_t length = 0;
    if (__builtin_sub_overflow(last, first, &length) || length < 0)
        return {};
    return Duration(length);
}

Status readTimes(dom::element element, QueryParameters& parameters)
{
    std::optional<std::vector<std::int64_t>> times;
    if (Status read = readArray(element, "requested_times", MostTimes, times, readInteger); !read)
        return read;
    if (times->empty())
        return Done{};
    if (!std::ranges::is_sorted(*times) || !lengthOf(times->front(), times->back()))
        return wrong("\"requested_times\" must be in ascending order, and span less than 2^63 ns");
    parameters.times = RequestedTimes{timestamp(times->front()), timestamp(times->back()), times->size()};
    std::ranges::transform(*times, std::back_inserter(parameters.times->listed), [](std::int64_t ns) { return timestamp(ns); });
    return Done{};
}

Status readTimeRange(dom::element element, QueryParameters& parameters)
{
    dom::object object;
    if (element.get_object().get(object) != simdjson::SUCCESS)
        return wrong("\"requested_timerange\" must be an object");
    std::optional<std::int64_t> start, end, count;
    for (const dom::key_value_pair member : object) {
        std::optional<std::int64_t>* const target = member.key == "start" ? &start
            : member.key == "end"                                         ? &end
            : member.key == "nbTimes"                                     ? &count
                                                                          : nullptr;
        if (!target)
            continue;
        const auto number = readInteger(member.value, std::string(member.key));
        if (!number)
            return number.error();
        *target = *number;
    }
    if (!start || !end)
        return wrong("\"requested_timerange\" must have the members \"start\" and \"end\"");
    if (!lengthOf(*start, *end))
        return wrong("\"requested_timerange\" must not end before its start, and span less than 2^63 ns");
    if (count && (*count < 1 || *count > static_cast<std::int64_t>(MostTimes)))
        return wrong("\"nbTimes\" must be 1 to " + std::to_string(MostTimes));
    parameters.times = RequestedTimes{timestamp(*start), timestamp(*end), static_cast<std::size_t>(count.value_or(0))};
    return Done{};
}

Status readElement(dom::element element, QueryParameters& parameters)
{
    dom::object object;
    if (element.get_object().get(object) != simdjson::SUCCESS)
        return wrong("\"requested_element\" must be an object");
    RequestedElement& read = parameters.element.emplace();
    for (const dom::key_value_pair member : object) {
        if (member.key == "elementType") {
            const auto type = readText(member.value, "elementType");
            if (!type)
                return type.error();
            read.type = *type;
            std::ranges::transform(read.type, read.type.begin(),
                                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
            continue;
        }
        if (member.key != "time" && member.key != "duration" && member.key != "entryId" && member.key != "destinationId")
            continue;
        const auto number = readInteger(member.value, std::string(member.key));
        if (!number)
            return number.error();
        if (member.key == "time")
            read.time = timestamp(*number);
        else if (member.key == "duration")
            read.duration = Duration(*number);
        else
            (member.key == "entryId" ? read.source : read.target) = *number;
    }
    return Done{};
}

Status readExpressions(dom::element element, QueryParameters& parameters)
{
    dom::object object;
    if (element.get_object().get(object) != simdjson::SUCCESS)
        return wrong("\"table_search_expressions\" must be an object");
    for (const dom::key_value_pair member : object) {
        std::int64_t column = 0;
        const auto [end, error] = std::from_chars(member.key.data(), member.key.data() + member.key.size(), column);
        if (error != std::errc() || end != member.key.data() + member.key.size())
            return wrong("the names of \"table_search_expressions\" must be IDs of columns");
        const auto text = readText(member.value, "table_search_expressions");
        if (!text)
            return text.error();
        if (!text->empty())
            parameters.search.expressions[column] = *text;
    }
    return Done{};
}

Status readFilters(dom::element element, QueryParameters& parameters)
{
    dom::object map;
    const auto found = element.at_key("filter_expressions_map");
    if (found.error() == simdjson::NO_SUCH_FIELD)
        return Done{};
    if (found.get_object().get(map) != simdjson::SUCCESS)
        return wrong("\"filter_query_parameters\" must be an object with the object \"filter_expressions_map\"");
    for (const dom::key_value_pair member : map) {
        std::optional<std::vector<std::string>> texts;
        if (Status read = readTexts(member.value, "filter_expressions_map", texts); !read)
            return read;
        std::erase(*texts, std::string());
        if (member.key == "1")
            parameters.dimming = std::move(*texts);
        else if (member.key == "4")
            parameters.excluding = std::move(*texts);
    }
    return Done{};
}

Status readDirection(dom::element element, QueryParameters& parameters)
{
    const auto text = readText(element, "table_search_direction");
    if (!text)
        return text.error();
    if (*text != "NEXT" && *text != "PREVIOUS")
        return wrong("\"table_search_direction\" must be \"NEXT\" or \"PREVIOUS\"");
    parameters.search.direction = *text == "NEXT" ? TableSearch::Direction::Next : TableSearch::Direction::Previous;
    return Done{};
}

/// Reads a number that must be 0 or more, and at most `most`.
Status readCount(dom::element element, const std::string& member, std::int64_t most, std::optional<std::int64_t>& target)
{
    const auto number = readInteger(element, member);
    if (!number)
        return number.error();
    if (*number < 0 || *number > most)
        return wrong('"' + member + "\" must be 0 to " + std::to_string(most));
    target = *number;
    return Done{};
}

Status readMember(std::string_view key, dom::element value, QueryParameters& parameters)
{
    const auto readInto = [&](std::string& target) -> Status {
        const auto text = readText(value, std::string(key));
        if (!text)
            return text.error();
        target = *text;
        return Done{};
    };
    if (value.is_null())
        return Done{};
    if (key == "name")
        return readInto(parameters.name);
    if (key == "uri")
        return readInto(parameters.uri);
    if (key == "traces")
        return readTexts(value, "traces", parameters.traces);
    if (key == "requested_times")
        return readTimes(value, parameters);
    if (key == "requested_timerange")
        return readTimeRange(value, parameters);
    if (key == "requested_items")
        return readIntegers(value, "requested_items", parameters.items);
    if (key == "requested_element")
        return readElement(value, parameters);
    if (key == "requested_table_index")
        return readCount(value, "requested_table_index", std::numeric_limits<std::int64_t>::max(), parameters.lineIndex);
    if (key == "requested_table_count")
        return readCount(value, "requested_table_count", MostLines, parameters.lineCount);
    if (key == "requested_table_column_ids")
        return readIntegers(value, "requested_table_column_ids", parameters.columns);
    if (key == "table_search_expressions")
        return readExpressions(value, parameters);
    if (key == "table_search_direction")
        return readDirection(value, parameters);
    if (key == "filter_query_parameters")
        return readFilters(value, parameters);
    if (key == "requested_marker_categories")
        return readTexts(value, "requested_marker_categories", parameters.categories);
    return Done{};
}

std::size_t countOf(const RequestedTimes& times, std::size_t fallback)
{
    return times.count > 0 ? times.count : std::max<std::size_t>(fallback, 1);
}

} // namespace

std::vector<Timestamp> pointsOf(const RequestedTimes& times, std::size_t fallback)
{
    if (!times.listed.empty())
        return times.listed;
    const auto length = static_cast<std::uint64_t>((times.last - times.first).count());
    const std::uint64_t count = std::min<std::uint64_t>(countOf(times, fallback), length + 1);
    std::vector<Timestamp> points{times.first};
    points.reserve(count);
    // Quotient and remainder are multiplied separately, because the product of length and index exceeds 64 bits.
    for (std::uint64_t i = 1; i < count; ++i)
        points.push_back(times.first
                         + Duration(static_cast<std::int64_t>(length / (count - 1) * i + length % (count - 1) * i / (count - 1))));
    return points;
}

Duration resolutionOf(const RequestedTimes& times, std::size_t fallback)
{
    const auto parts = static_cast<std::int64_t>(countOf(times, fallback)) - 1;
    return std::max(Duration(1), (times.last - times.first) / std::max<std::int64_t>(parts, 1));
}

Result<QueryParameters> readParameters(std::string_view body)
{
    QueryParameters parameters;
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return parameters;
    dom::parser parser;
    dom::element document;
    if (const auto error = parser.parse(body.data(), body.size()).get(document))
        return wrong(std::string("the body is not JSON: ") + simdjson::error_message(error));
    dom::object object;
    if (document.at_key("parameters").get_object().get(object) != simdjson::SUCCESS)
        return wrong("the body must be an object with the object \"parameters\"");
    for (const dom::key_value_pair member : object)
        if (Status read = readMember(member.key, member.value, parameters); !read)
            return read.error();
    return parameters;
}

} // namespace helio
