#include "core/sql/functions/scalar_functions.h"

#include "core/query/rows/facts.h"
#include "core/sql/model/argument_sets.h"
#include "core/sql/model/arguments.h"
#include "core/symbol/tables/demangler.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <re2/re2.h>

namespace helio::sql {
namespace {

const std::int64_t* integerAt(std::span<const Value> values, std::size_t i) { return std::get_if<std::int64_t>(&values[i]); }
const std::string* textAt(std::span<const Value> values, std::size_t i) { return std::get_if<std::string>(&values[i]); }

/// EXTRACT_ARG(arg_set_id, key): value of an argument.
Function extractArgument(const Recording& recording)
{
    return {"extract_arg", 2, [arguments = std::make_shared<Arguments>(recording.slices)](std::span<const Value> values) -> Result<Value> {
                const auto* const set = integerAt(values, 0);
                const auto* const key = textAt(values, 1);
                if (!set || !key)
                    return Value();
                const auto& rows = arguments->of(*set);
                const auto found = std::ranges::find(rows, *key, &ArgumentRow::key);
                return found != rows.end() ? found->value : Value();
            }};
}

/// FIELD(event_id, path): value of an event's field, e.g. `prev_comm`, or of its context, e.g. `context.pid`.
Function fieldOfEvent(const Recording& recording)
{
    return {"field", 2, [arguments = std::make_shared<Arguments>(recording.slices)](std::span<const Value> values) -> Result<Value> {
                const auto* const event = integerAt(values, 0);
                const auto* const path = textAt(values, 1);
                if (!event || !path || *event < 0 || *event >= static_cast<std::int64_t>(arguments->events()))
                    return Value();
                const auto& rows = arguments->of(argumentSetOf(ArgumentOwner::Event, *event));
                auto found = std::ranges::find(rows, *path, &ArgumentRow::key);
                constexpr std::string_view Prefix = "fields."; // Filters accept it, too, for fields with reserved names.
                if (found == rows.end() && path->starts_with(Prefix))
                    found = std::ranges::find(rows, path->substr(Prefix.size()), &ArgumentRow::key);
                return found != rows.end() ? found->value : Value();
            }};
}

/// STR_SPLIT(text, delimiter, n): part number n of a text, from 0; NULL if there are fewer.
Result<Value> splitText(std::span<const Value> values)
{
    const auto* const text = textAt(values, 0);
    const auto* const delimiter = textAt(values, 1);
    const auto* const number = integerAt(values, 2);
    if (!text || !delimiter || !number)
        return Value();
    if (delimiter->empty())
        return Error{Error::Kind::Usage, "the delimiter is empty"};
    if (*number < 0)
        return Error{Error::Kind::Usage, "the number of the part is negative"};
    std::size_t begin = 0;
    for (std::int64_t i = 0; i < *number; ++i) {
        const std::size_t found = text->find(*delimiter, begin);
        if (found == std::string::npos)
            return Value();
        begin = found + delimiter->size();
    }
    return Value(text->substr(begin, text->find(*delimiter, begin) - begin));
}

/// Returns the compiled pattern, from a cache of one: queries apply one pattern to many rows.
Result<const RE2*> compile(std::shared_ptr<RE2>& cache, const std::string& pattern)
{
    if (!cache || cache->pattern() != pattern) {
        RE2::Options options;
        options.set_log_errors(false);
        cache = std::make_shared<RE2>(pattern, options);
    }
    if (!cache->ok())
        return Error{Error::Kind::Usage, "wrong pattern: " + cache->error()};
    return cache.get();
}

/// REGEXP(pattern, text), which is also the operator `text REGEXP pattern`: 1 if a part of the text matches.
Function matchPattern()
{
    return {"regexp", 2, [cache = std::make_shared<std::shared_ptr<RE2>>()](std::span<const Value> values) -> Result<Value> {
                const auto* const pattern = textAt(values, 0);
                const auto* const text = textAt(values, 1);
                if (!pattern || !text)
                    return Value();
                const auto compiled = compile(*cache, *pattern);
                if (!compiled)
                    return compiled.error();
                return Value(std::int64_t{RE2::PartialMatch(*text, **compiled)});
            }};
}

/// REGEXP_EXTRACT(text, pattern): the first group of the first match or, without groups, the whole match; NULL without a match.
Function extractPattern()
{
    return {"regexp_extract", 2, [cache = std::make_shared<std::shared_ptr<RE2>>()](std::span<const Value> values) -> Result<Value> {
                const auto* const text = textAt(values, 0);
                const auto* const pattern = textAt(values, 1);
                if (!pattern || !text)
                    return Value();
                const auto compiled = compile(*cache, *pattern);
                if (!compiled)
                    return compiled.error();
                std::array<re2::StringPiece, 2> groups;
                const int wanted = std::min(1, (*compiled)->NumberOfCapturingGroups());
                if (!(*compiled)->Match(*text, 0, text->size(), RE2::UNANCHORED, groups.data(), wanted + 1))
                    return Value();
                const re2::StringPiece found = groups[static_cast<std::size_t>(wanted)];
                return found.data() ? Value(std::string(found)) : Value();
            }};
}

/// DEMANGLE(name): name of a function as written in its source; NULL if it is not mangled.
Result<Value> demangleName(std::span<const Value> values)
{
    const auto* const name = textAt(values, 0);
    if (!name)
        return Value();
    const std::string text = demangled(*name, Demangling::Full);
    return text != *name ? Value(text) : Value();
}

/// Returns a function without arguments.
Function constant(std::string name, std::int64_t value)
{
    return {std::move(name), 0, [value](std::span<const Value>) -> Result<Value> { return Value(value); }};
}

/// Returns a function of one time; NULL for values that are no integers.
template <typename Compute> Function ofTime(std::string name, Compute compute)
{
    return {std::move(name), 1, [compute](std::span<const Value> values) -> Result<Value> {
                const auto* const time = integerAt(values, 0);
                return time ? Value(compute(*time)) : Value();
            }};
}

/// Returns a time as "YYYY-MM-DDTHH:MM:SS.nnnnnnnnn" in UTC.
std::string isoTime(std::int64_t ns)
{
    constexpr std::int64_t Second = 1'000'000'000;
    const std::int64_t part = (ns % Second + Second) % Second;
    const std::time_t seconds = (ns - part) / Second;
    std::tm date{};
    gmtime_r(&seconds, &date);
    std::array<char, 80> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S.", &date);
    const std::string digits = std::to_string(part);
    return std::string(text.data(), size) + std::string(9 - digits.size(), '0') + digits;
}

} // namespace

std::vector<Function> scalarFunctions(const Recording& recording)
{
    const Timeline& timeline = recording.timeline();
    const TimeRange range = rangeOf(timeline);
    const std::int64_t begin = nanoseconds(range.begin);
    const std::int64_t end = nanoseconds(range.end);
    const bool isAbsolute = hasEpoch(timeline);
    std::vector<Function> functions;
    functions.push_back(extractArgument(recording));
    functions.push_back(fieldOfEvent(recording));
    functions.push_back({"str_split", 3, splitText});
    functions.push_back(matchPattern());
    functions.push_back(extractPattern());
    functions.push_back({"demangle", 1, demangleName});
    functions.push_back(constant("trace_start", begin));
    functions.push_back(constant("trace_end", end));
    functions.push_back(constant("trace_dur", end - begin));
    functions.push_back(ofTime("time_from_start", [begin](std::int64_t time) { return time - begin; }));
    // The time axis counts from the epoch if any clock does, so real time needs no conversion; otherwise it is unknown.
    functions.push_back(ofTime("to_realtime", [isAbsolute](std::int64_t time) { return isAbsolute ? Value(time) : Value(); }));
    functions.push_back(ofTime("abs_time_str", [isAbsolute](std::int64_t time) { return isAbsolute ? Value(isoTime(time)) : Value(); }));
    return functions;
}

} // namespace helio::sql
