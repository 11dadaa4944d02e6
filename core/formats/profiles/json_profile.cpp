#include "core/formats/profiles/json_profile.h"

#include <cmath>

namespace helio::profiles {
namespace {

// Maximum depth of nested arrays and objects. It is large because old profiles of V8 nest each frame in its caller.
constexpr std::size_t DeepestNesting = 200'000;

} // namespace

std::string completedJson(std::string_view text, std::size_t& end)
{
    std::string open; // Closing brackets that the text before the current position lacks, outermost first.
    bool isInString = false;
    end = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isInString) {
            if (c == '\\')
                ++i;
            isInString = c != '"';
            continue;
        }
        switch (c) {
        case '"': isInString = true; break;
        case '{':
        case '[':
            open += c == '{' ? '}' : ']';
            end = i + 1;
            break;
        case '}':
        case ']':
            if (open.empty() || open.back() != c)
                return {};
            open.pop_back();
            end = i + 1;
            break;
        case ',': end = i; break;
        default: break;
        }
    }
    if (open.empty())
        return {};
    std::string completed(text.substr(0, end));
    completed.append(open.rbegin(), open.rend());
    return completed;
}

Result<std::unique_ptr<JsonDocument>> JsonDocument::parse(std::string_view text, SampleRecording& recording)
{
    auto document = std::make_unique<JsonDocument>();
    const auto read = [&](std::string_view json) {
        json::element root;
        if (const auto error = document->m_parser.allocate(json.size(), DeepestNesting))
            return error;
        if (const auto error = document->m_parser.parse(json.data(), json.size()).get(root))
            return error;
        return root.get_object().get(document->m_root);
    };
    auto error = read(text);
    if (error && error != simdjson::CAPACITY && error != simdjson::MEMALLOC) {
        std::size_t end = 0;
        document->m_completed = completedJson(text, end);
        if (!document->m_completed.empty() && read(document->m_completed) == simdjson::SUCCESS) {
            recording.events.report("truncated", 0, end, "the profile ends early; the rest of it is missing", Diagnostic::Severity::Error);
            error = simdjson::SUCCESS;
        }
    }
    if (error)
        return Error{Error::Kind::Corrupt, "no valid JSON: " + std::string(simdjson::error_message(error))};
    return document;
}

std::optional<double> numberIn(const Element& element)
{
    double number = 0;
    return element && element->is_number() && element->get_double().get(number) == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> integerIn(const Element& element)
{
    std::int64_t number = 0;
    return element && element->get_int64().get(number) == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
}

std::string_view textIn(const Element& element)
{
    std::string_view text;
    return element && element->get_string().get(text) == simdjson::SUCCESS ? text : std::string_view();
}

std::vector<json::element> elementsIn(const Element& element)
{
    json::array array;
    if (!element || element->get_array().get(array) != simdjson::SUCCESS)
        return {};
    return {array.begin(), array.end()};
}

std::optional<json::object> objectIn(const Element& element)
{
    json::object object;
    return element && element->get_object().get(object) == simdjson::SUCCESS ? std::optional(object) : std::nullopt;
}

std::optional<std::int64_t> scaled(double number, double factor)
{
    const double product = std::round(number * factor);
    return std::abs(product) < 9.2e18 ? std::optional(static_cast<std::int64_t>(product)) : std::nullopt;
}

} // namespace helio::profiles
