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

// The readers of profiles in JSON share these functions.

namespace helio::profiles {

namespace json = simdjson::dom;

/// A text in JSON that was parsed as a whole. If the text ends early, it is read as far as its last complete value, and the end is
/// reported.
class JsonDocument {
public:
    /// Errors: Corrupt, with the reason, if the text is not JSON, or is no object.
    static Result<std::unique_ptr<JsonDocument>> parse(std::string_view text, SampleRecording& recording);

    json::object root() const { return m_root; }

private:
    json::parser m_parser;
    std::string m_completed; ///< The text with the brackets that were missing at its end; empty if none were.
    json::object m_root;
};

/// Returns the text up to its last complete value, with brackets that close it; empty if the text lacks none. Sets `end` to the number of
/// bytes of the text that were kept.
std::string completedJson(std::string_view text, std::size_t& end);

/// An element that may be missing.
using Element = std::optional<json::element>;

/// Returns a member of an object; nullopt if the object has no such member.
inline Element memberOf(const json::object& object, std::string_view name)
{
    json::element element;
    return object.at_key(name).get(element) == simdjson::SUCCESS ? Element(element) : Element();
}

std::optional<double> numberIn(const Element& element);
/// Returns an integer; nullopt also for numbers with decimals and for those that do not fit.
std::optional<std::int64_t> integerIn(const Element& element);
/// Returns the text of a string; empty for other elements.
std::string_view textIn(const Element& element);
/// Returns the elements of an array; none for other elements.
std::vector<json::element> elementsIn(const Element& element);
std::optional<json::object> objectIn(const Element& element);

/// Returns `number` units of `factor` ns each in ns, rounded; nullopt if that does not fit.
std::optional<std::int64_t> scaled(double number, double factor);

} // namespace helio::profiles
