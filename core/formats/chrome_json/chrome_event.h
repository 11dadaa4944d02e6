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
    char scope = 0; ///< The member "s" of instants: 'g' (global), 'p' (process) or 't' (thread), the owner of the instant; 0 if missing.
    /// True if the member "bp" (binding point) is "e": the end of a flow belongs to the slice that encloses it; false if it belongs to the
    /// next slice.
    bool bindsToEnclosing = false;
    bool isFlowIn = false; ///< The member "flow_in" of a slice: true if a flow with the id `bindId` leads to the slice.
    bool isFlowOut = false; ///< The member "flow_out" of a slice: true if a flow with the id `bindId` leaves the slice.
    bool isLocalId = false; ///< True if `id` comes from "local" in the member "id2": the id is unique only within its process.
    std::string_view name;
    std::string_view category;
    std::string_view process; ///< The member "pid": a number or any text.
    std::string_view thread; ///< The member "tid".
    std::optional<std::int64_t> time; ///< The member "ts" in ns; nullopt if it is missing or invalid.
    std::optional<std::int64_t> duration; ///< The member "dur" in ns; nullopt if it is missing, invalid or negative.
    /// The member "tts" in ns: CPU time that the thread has used until the event; nullopt if it is missing or invalid.
    std::optional<std::int64_t> threadTime;
    /// The member "tdur" in ns: CPU time that the thread used during a complete event; nullopt if it is missing, invalid or negative.
    std::optional<std::int64_t> threadDuration;
    std::string_view id; ///< The member "id", or "global" or "local" in "id2", which identifies asynchronous events, flows and objects.
    std::string_view idScope; ///< The member "scope": events with the same id but different scopes are unrelated. Empty if missing.
    std::string_view bindId; ///< The member "bind_id": id of the flow for `isFlowIn` and `isFlowOut`; empty if missing.
    /// The member "sf": key of the event's innermost stack frame in the trace's member "stackFrames"; empty if missing.
    std::string_view stackFrame;
    /// The member "stack" as JSON text: list of the event's stack frames, outermost first; empty if it is missing or no list.
    std::string_view stack;
    std::string_view weight; ///< The member "weight" of a sample: a number as text; empty if missing.
    std::string_view cpu; ///< The member "cpu" of a sample: CPU number as text; empty if missing.
    std::string_view arguments; ///< The member "args" as JSON text; empty if it is missing or no object.
};

/// A member of "args" whose value is a number, or a string that contains a number. In counter events, each is one series.
struct ChromeNumber {
    std::string name;
    bool isReal = false; ///< True if the value is in `real`, false if it is in `integer`.
    std::int64_t integer = 0;
    double real = 0;
};

/// Members of "args" that the trace format itself defines. Members that are missing are empty.
struct ChromeArguments {
    std::string name; ///< The argument "name" of process_name and thread_name events: name of the process or thread.
    std::string labels; ///< The argument "labels" of process_labels events: text that is shown after the process's name.
    std::string step; ///< The argument "step" of the phases T and p: name of a step of an asynchronous operation.
    std::optional<std::int64_t> sortIndex; ///< The argument "sort_index": sort key of a process or thread; nullopt if missing.
    std::vector<ChromeNumber> numbers;
};

/// An element of the trace's member "stackFrames": a function that is called from a stack. Members that it lacks are empty.
/// Ownership: the strings are valid until the parser parses the next text.
struct ChromeFrame {
    std::string_view name;
    std::string_view category; ///< Name of the library or of the kind of code.
    std::string_view caller; ///< The member "parent": key of the caller's element.
};

class ChromeEventParser {
public:
    ChromeEventParser();
    ~ChromeEventParser();
    ChromeEventParser(const ChromeEventParser&) = delete;
    ChromeEventParser& operator=(const ChromeEventParser&) = delete;

    /// Parses the JSON text of one event. `readable`: number of bytes after the end of `object` that are readable memory; if there are 64
    /// or more, the text is not copied. Returns false if `object` is not valid JSON. The contents of "args" are not checked.
    bool parse(std::string_view object, std::size_t readable, ChromeEvent& event);

    /// Parses the member "args" of the event that parse() returned last. Returns false if it is not valid JSON.
    bool parseArguments(const ChromeEvent& event, ChromeArguments& arguments);

    /// Parses the JSON text of an element of "stackFrames". Returns false if it is not valid JSON.
    bool parseFrame(std::string_view object, ChromeFrame& frame);

    /// Sets `frames` to the names in the member "stack" of an event. Returns false if it is not valid JSON, or an element is no name.
    bool parseStack(const ChromeEvent& event, std::vector<std::string>& frames);

private:
    struct Json;
    std::unique_ptr<Json> m_json;
};

/// Parses microseconds such as "12", "-12.345" or "1.2e3" into ns, exactly unless there is an exponent. nullopt if it is no number, or does
/// not fit.
std::optional<std::int64_t> readMicroseconds(std::string_view number);

} // namespace helio::chromejson
