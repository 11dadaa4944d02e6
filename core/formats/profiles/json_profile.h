#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <vector>

// Functions shared by the readers of profile formats that are JSON.

namespace helio::profiles {

namespace json = simdjson::dom;

/// A completely parsed JSON document. A truncated document is read up to its last complete value.
class JsonDocument {
public:
    /// Parses `text`. Adds a diagnostic to `recording` if the text is truncated.
    /// Errors: Corrupt if the text is not JSON or if its root is not an object.
    static Result<std::unique_ptr<JsonDocument>> parse(std::string_view text, SampleRecording& recording);

    json::object root() const { return m_root; }

private:
    json::parser m_parser;
    std::string m_completed; ///< Truncated text with the missing closing brackets added; empty if the text was complete.
    json::object m_root;
};

/// Completes a truncated JSON text: returns the text up to its last complete value, with the missing closing brackets added. Empty if no
/// brackets are missing or brackets do not match. Sets `end` to the number of bytes that were kept of `text`.
std::string completedJson(std::string_view text, std::size_t& end);

/// A JSON element; nullopt if it is missing, e.g. because an object has no such member.
using Element = std::optional<json::element>;

/// Returns the member `name` of an object; nullopt if the object has no such member.
inline Element memberOf(const json::object& object, std::string_view name)
{
    json::element element;
    return object.at_key(name).get(element) == simdjson::SUCCESS ? Element(element) : Element();
}

std::optional<double> numberIn(const Element& element);
/// Returns the integer in `element`; nullopt if the element is missing or not an integer, or does not fit into std::int64_t.
std::optional<std::int64_t> integerIn(const Element& element);
/// Returns the text of the string in `element`; empty if the element is missing or not a string.
std::string_view textIn(const Element& element);
/// Returns the elements of the array in `element`; empty if the element is missing or not an array.
std::vector<json::element> elementsIn(const Element& element);
std::optional<json::object> objectIn(const Element& element);

/// Returns `number` * `factor`, rounded; nullopt if the result does not fit into std::int64_t. Converts e.g. microseconds to ns with the
/// factor 1000.
std::optional<std::int64_t> scaled(double number, double factor);

} // namespace helio::profiles
