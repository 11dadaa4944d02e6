#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Events of the Trace Event Format, as Chrome, and many other programs, write them. Source: "Trace Event Format", the document of the
// Chromium project.

namespace helio::chromejson {

/// An event. Members that it lacks are empty.
/// Ownership: the strings are valid until the parser parses the next event.
struct ChromeEvent {
    char phase = 0; ///< The member "ph"; 0 if missing.
    std::string_view name;
    std::string_view category;
    std::string_view process; ///< The member "pid": a number or any text.
    std::string_view thread; ///< The member "tid".
    std::optional<std::int64_t> time; ///< The member "ts" in ns; nullopt if it is missing or invalid.
    std::optional<std::int64_t> duration; ///< The member "dur" in ns; nullopt if it is missing, invalid or negative.
    std::string_view id; ///< The member "id", or "global" or "local" in "id2", which identifies asynchronous events, flows and objects.
    std::string_view arguments; ///< The member "args" as JSON.
    std::string_view argumentName; ///< The member "name" of the arguments, which names threads and processes.
    std::vector<std::pair<std::string_view, double>> numbers; ///< Arguments that are numbers, which are the series of a counter.
};

class ChromeEventParser {
public:
    ChromeEventParser();
    ~ChromeEventParser();
    ChromeEventParser(const ChromeEventParser&) = delete;
    ChromeEventParser& operator=(const ChromeEventParser&) = delete;

    /// Parses the text of an event. Returns false if it is not valid JSON.
    bool parse(std::string_view object, ChromeEvent& event);

private:
    struct Json;
    std::unique_ptr<Json> m_json;
};

/// Parses microseconds such as "12", "-12.345" or "1.2e3" into ns, exactly unless there is an exponent. nullopt if it is no number, or does
/// not fit.
std::optional<std::int64_t> readMicroseconds(std::string_view number);

} // namespace helio::chromejson
