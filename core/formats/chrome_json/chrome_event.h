#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Events of the Trace Event Format, as Chrome, and many other programs, write them. Source: "Trace Event Format", the document of the
// Chromium project.

namespace helio::chromejson {

/// An event. Members that it lacks are empty.
/// Ownership: the strings are valid until the parser parses the next event.
struct ChromeEvent {
    char phase = 0; ///< The member "ph"; 0 if missing.
    char scope = 0; ///< The member "s" of instants: 'g' (global), 'p' (process) or 't' (thread); 0 if missing.
    bool bindsToEnclosing = false; ///< True if "bp" is "e": the end of a flow belongs to the slice that is open at its time.
    bool isFlowIn = false; ///< The member "flow_in": a flow with the id `bindId` leads to the slice.
    bool isFlowOut = false; ///< The member "flow_out".
    bool isLocalId = false; ///< True if `id` is "local" in "id2": it identifies something within its process only.
    std::string_view name;
    std::string_view category;
    std::string_view process; ///< The member "pid": a number or any text.
    std::string_view thread; ///< The member "tid".
    std::optional<std::int64_t> time; ///< The member "ts" in ns; nullopt if it is missing or invalid.
    std::optional<std::int64_t> duration; ///< The member "dur" in ns; nullopt if it is missing, invalid or negative.
    std::string_view id; ///< The member "id", or "global" or "local" in "id2", which identifies asynchronous events, flows and objects.
    std::string_view idScope; ///< The member "scope", which distinguishes equal ids.
    std::string_view bindId; ///< The member "bind_id".
    std::string_view stackFrame; ///< The member "sf": key of the innermost frame in the member "stackFrames" of the trace.
    std::string_view cpu; ///< The member "cpu" of samples.
    std::string_view arguments; ///< The member "args" as JSON; empty if it is no object.
};

/// An argument that is a number, or a text that contains one: a series of a counter.
struct ChromeNumber {
    std::string name;
    bool isReal = false; ///< True if the value is `real`, false if it is `integer`.
    std::int64_t integer = 0;
    double real = 0;
};

/// Arguments with a meaning for the format.
struct ChromeArguments {
    std::string name; ///< "name", which names threads and processes.
    std::string labels; ///< "labels" of a process.
    std::string step; ///< "step" of an asynchronous operation.
    std::optional<std::int64_t> sortIndex; ///< "sort_index" of a thread or process.
    std::vector<ChromeNumber> numbers;
};

class ChromeEventParser {
public:
    ChromeEventParser();
    ~ChromeEventParser();
    ChromeEventParser(const ChromeEventParser&) = delete;
    ChromeEventParser& operator=(const ChromeEventParser&) = delete;

    /// Parses the text of an event. `readable`: number of bytes behind `object` that may be read; with 64 or more, the text is not copied.
    /// Returns false if it is not valid JSON. The arguments are not checked.
    bool parse(std::string_view object, std::size_t readable, ChromeEvent& event);

    /// Parses the arguments of the event that was parsed last. Returns false if they are not valid JSON.
    bool parseArguments(const ChromeEvent& event, ChromeArguments& arguments);

private:
    struct Json;
    std::unique_ptr<Json> m_json;
};

/// Parses microseconds such as "12", "-12.345" or "1.2e3" into ns, exactly unless there is an exponent. nullopt if it is no number, or does
/// not fit.
std::optional<std::int64_t> readMicroseconds(std::string_view number);

} // namespace helio::chromejson
