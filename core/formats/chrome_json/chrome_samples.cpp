#include "core/formats/chrome_json/chrome_samples.h"

#include "core/base/json.h"
#include "core/formats/chrome_json/object_splitter.h"
#include "core/trace/stored/sample_recording.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <simdjson.h>

namespace helio::chromejson {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t MostFrames = std::size_t{1} << 20; ///< Maximum number of frames of one call stack.
constexpr std::uint64_t StopStep = 4096; ///< Number of elements of a list between two checks of a stop token.

/// Returns the element at `path`, a JSON pointer; nullopt if there is none.
std::optional<dom::element> elementAt(const dom::element& root, std::string_view path)
{
    dom::element element;
    return root.at_pointer(path).get(element) == simdjson::SUCCESS ? std::optional(element) : std::nullopt;
}

std::vector<dom::element> elementsIn(const std::optional<dom::element>& element)
{
    dom::array array;
    if (!element || element->get_array().get(array) != simdjson::SUCCESS)
        return {};
    return {array.begin(), array.end()};
}

std::optional<std::int64_t> integerAt(const dom::element& root, std::string_view path)
{
    std::int64_t number = 0;
    const auto element = elementAt(root, path);
    return element && element->get_int64().get(number) == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
}

std::string_view textAt(const dom::element& root, std::string_view path)
{
    std::string_view text;
    const auto element = elementAt(root, path);
    return element && element->get_string().get(text) == simdjson::SUCCESS ? text : std::string_view();
}

/// Returns microseconds in ns; nullopt if the element is missing, no number, or does not fit.
std::optional<std::int64_t> timeIn(const std::optional<dom::element>& element)
{
    double number = 0;
    if (!element || !element->is_number() || element->get_double().get(number) != simdjson::SUCCESS)
        return {};
    const double ns = std::round(number * 1000);
    return std::abs(ns) < 4e18 ? std::optional(static_cast<std::int64_t>(ns)) : std::nullopt;
}

} // namespace

Status ChromeSamples::readFrames(std::string_view json, const std::stop_token& stop)
{
    ObjectSplitter splitter(json); // The frames are members of one object, like the members of a trace.
    std::string_view object;
    while (splitter.next(object)) // No frame is an event: this goes to the end of the object.
        ;
    for (const ObjectSplitter::Member& member : splitter.otherMembers()) {
        if (m_frames.size() % StopStep == 0 && stop.stop_requested())
            return Error{Error::Kind::Cancelled, "stopped"};
        m_frames.try_emplace(member.name, Frame{member.value});
    }
    return Done{};
}

std::uint32_t ChromeSamples::addFrame(std::uint32_t caller, const ParsedFrame& frame)
{
    TextStacks& stacks = m_recording.stacks;
    return stacks.call(caller, stacks.addFrame(frame, kindOfModule(frame.module)), m_isCut);
}

/// Returns the call stack whose innermost frame is the element `id` of "stackFrames".
std::uint32_t ChromeSamples::stackOf(std::string_view id)
{
    /// Element whose stack is known once the stack of its caller is.
    struct Open {
        Frame* frame;
        std::string name;
        std::string category;
    };
    std::vector<Open> open; // Innermost first.
    std::uint32_t stack = 0;
    for (std::string caller(id); !caller.empty();) {
        const auto found = m_frames.find(caller);
        if (found == m_frames.end()) {
            report("unknown-frame", "a frame is not in \"stackFrames\"; it and its callers are missing");
            break;
        }
        Frame& frame = found->second;
        if (frame.isKnown) {
            stack = frame.stack;
            break;
        }
        ChromeFrame parsed;
        if (!m_parser.parseFrame(frame.json, parsed))
            report("bad-frame", "an element of \"stackFrames\" is no object; its name is missing");
        frame.isKnown = true; // A frame that is its own caller ends the stack.
        open.push_back({&frame, std::string(parsed.name), std::string(parsed.category)});
        if (open.size() > MostFrames) {
            report("deep-stack", "a stack has more than a million frames; the outermost are missing");
            break;
        }
        caller = parsed.caller;
    }
    for (auto it = open.rbegin(); it != open.rend(); ++it) {
        ParsedFrame frame;
        frame.function = it->name;
        frame.module = it->category;
        it->frame->stack = stack = addFrame(stack, frame);
    }
    return stack;
}

/// Returns the call stack of an event: its member "sf", the id of its innermost frame, or "stack", a list of frames, outermost first.
std::uint32_t ChromeSamples::stackOf(const ChromeEvent& event)
{
    if (event.stack.empty())
        return event.stackFrame.empty() ? 0 : stackOf(event.stackFrame);
    if (!m_parser.parseStack(event, m_names))
        report("bad-stack", "the member \"stack\" of a sample is no list of names; frames are missing");
    if (m_names.size() > MostFrames) {
        report("deep-stack", "a stack has more than a million frames; the innermost are missing");
        m_names.resize(MostFrames);
    }
    std::uint32_t stack = 0;
    for (const std::string& name : m_names) {
        ParsedFrame frame;
        frame.function = name;
        stack = addFrame(stack, frame);
    }
    return stack;
}

bool ChromeSamples::addStack(const ChromeEvent& event, std::uint64_t room, std::string& arguments)
{
    constexpr std::size_t MostShown = 100; // Maximum number of frames of a stack; the outermost ones are left out.
    m_names.clear();
    if (!event.stack.empty()) {
        if (!m_parser.parseStack(event, m_names))
            report("bad-stack", "the member \"stack\" of an event is no list of names; frames are missing");
        if (m_names.size() > MostShown)
            m_names.erase(m_names.begin(), m_names.end() - MostShown);
    } else {
        std::string id(event.stackFrame);
        for (auto found = m_frames.find(id); !id.empty() && m_names.size() < MostShown; found = m_frames.find(id)) {
            ChromeFrame frame;
            if (found == m_frames.end() || !m_parser.parseFrame(found->second.json, frame)) {
                report("unknown-frame", "a frame is not in \"stackFrames\"; it and its callers are missing");
                break;
            }
            m_names.emplace_back(frame.name);
            id = frame.caller;
        }
        std::ranges::reverse(m_names);
    }
    if (m_names.empty())
        return false;
    arguments = R"({"callstack":)";
    JsonWriter json(arguments);
    json.beginArray();
    for (const std::string& name : m_names)
        json.value(std::string_view(name));
    json.endArray();
    const std::size_t size = arguments.size();
    if (size > room - std::min(room, m_stackBytes)) {
        report("many-stacks-of-slices", "call stacks of slices take too much room; further ones are left out", Diagnostic::Severity::Info);
        return false;
    }
    m_stackBytes += size;
    const std::size_t first = event.arguments.find_first_not_of(" \t\r\n", 1);
    if (event.arguments.empty() || first == std::string_view::npos || event.arguments[first] == '}')
        arguments += '}';
    else
        (arguments += ',') += event.arguments.substr(first);
    return true;
}

/// Parses the weight of a sample, which is rounded to an integer; nullopt if it is no number, or negative or too large.
std::optional<std::uint64_t> ChromeSamples::weightIn(std::string_view text)
{
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !(number >= 0 && number <= static_cast<double>(LargestCount)))
        return {};
    const double whole = std::round(number);
    if (whole != number)
        report("rounded", "the weight of a sample has decimals; it is rounded", Diagnostic::Severity::Info);
    return static_cast<std::uint64_t>(whole);
}

Status ChromeSamples::readSamples(std::string_view json, const std::stop_token& stop)
{
    ObjectSplitter splitter(json);
    std::string_view object;
    ChromeEventParser parser; // Not m_parser: it parses frames while the strings of `event` are in use.
    ChromeEvent event;
    for (std::uint64_t count = 0; splitter.next(object); ++count) {
        if (count % StopStep == 0 && stop.stop_requested())
            return Error{Error::Kind::Cancelled, "stopped"};
        if (!parser.parse(object, 0, event) || !event.time) {
            report("bad-sample", "an element of \"samples\" is not valid JSON, or has no time; it is missing");
            continue;
        }
        const auto weight = event.weight.empty() ? std::optional<std::uint64_t>(1) : weightIn(event.weight);
        if (!weight || *weight > LargestSum - m_sum) {
            report("bad-weight", "the weight of a sample is negative, too large or no number; the sample is missing");
            continue;
        }
        m_sum += *weight;
        Written sample{event.name, *weight, !event.weight.empty()};
        const auto cpu = std::from_chars(event.cpu.data(), event.cpu.data() + event.cpu.size(), sample.cpu);
        if (cpu.ec != std::errc() || sample.cpu < 0 || sample.cpu > UINT16_MAX)
            sample.cpu = -1;
        const std::uint32_t thread =
            event.process.empty() ? m_threads.withId(event.thread) : m_threads.indexOf(event.process, event.thread);
        sample.stack = stackOf(event);
        m_fields.clear();
        write(*event.time, thread, sample, m_fields);
    }
    return Done{};
}

bool ChromeSamples::take(std::int64_t time, std::uint32_t thread, const ChromeEvent& event)
{
    if (event.name == "Profile" || event.name == "ProfileChunk") {
        if (event.name == "Profile")
            beginProfile(thread, event);
        else
            takeChunk(thread, event);
        return true;
    }
    if (event.stackFrame.empty() && event.stack.empty())
        return false;
    Written sample;
    sample.stack = stackOf(event);
    m_fields.assign(1, {"name", event.name});
    m_fields.push_back({"cat", event.category});
    m_fields.push_back({"args", event.arguments});
    m_fields.push_back({"id", event.id});
    write(time, thread, sample, m_fields);
    return true;
}

void ChromeSamples::beginProfile(std::uint32_t thread, const ChromeEvent& event)
{
    dom::parser parser;
    dom::element arguments;
    const simdjson::padded_string text(event.arguments);
    const auto start =
        parser.parse(text).get(arguments) == simdjson::SUCCESS ? timeIn(elementAt(arguments, "/data/startTime")) : std::nullopt;
    if (!start)
        return report("no-start", "a profile of V8 has no start time; its samples are missing");
    const auto [profile, isNew] = m_profiles.try_emplace({m_threads.thread(thread).process, std::string(event.id)});
    if (!isNew)
        return report("same-profile", "two profiles of V8 have the same id; samples of the second one are missing");
    profile->second.thread = thread;
    profile->second.time = *start;
}

void ChromeSamples::takeChunk(std::uint32_t thread, const ChromeEvent& event)
{
    const auto found = m_profiles.find({m_threads.thread(thread).process, std::string(event.id)});
    if (found == m_profiles.end())
        return report("no-profile", "a part of a profile of V8 comes without the begin of the profile; its samples are missing");
    Profile& profile = found->second;
    dom::parser parser;
    dom::element arguments;
    const simdjson::padded_string text(event.arguments);
    if (parser.parse(text).get(arguments) != simdjson::SUCCESS)
        return report("bad-profile", "a part of a profile of V8 is not valid JSON; its samples are missing");
    for (const dom::element& node : elementsIn(elementAt(arguments, "/data/cpuProfile/nodes"))) {
        const auto id = integerAt(node, "/id");
        if (!id) {
            report("no-id", "a node has no id; its samples are missing");
            continue;
        }
        const auto parent = integerAt(node, "/parent");
        const auto caller = parent ? profile.stacks.find(*parent) : profile.stacks.end();
        if (parent && caller == profile.stacks.end())
            report("unknown-node", "the caller of a node is missing; outer frames are missing");
        std::uint32_t stack = caller == profile.stacks.end() ? 0 : caller->second;
        const std::string_view name = textAt(node, "/callFrame/functionName");
        if (parent || name != "(root)") { // The root node is the caller of all code; it gets no frame.
            ParsedFrame frame;
            const std::string function = javaScriptFunction(name, integerAt(node, "/callFrame/lineNumber").value_or(-1),
                                                            integerAt(node, "/callFrame/columnNumber").value_or(-1));
            frame.function = function;
            frame.module = textAt(node, "/callFrame/url");
            stack = addFrame(stack, frame);
        }
        profile.stacks.try_emplace(*id, stack);
    }
    if (const auto end = timeIn(elementAt(arguments, "/data/endTime")))
        profile.end = *end;
    const auto samples = elementsIn(elementAt(arguments, "/data/cpuProfile/samples"));
    const auto deltas = elementsIn(elementAt(arguments, "/data/timeDeltas"));
    if (samples.size() != deltas.size())
        report("sample-count", "a profile of V8 has different numbers of samples and times; those without a partner are missing");
    for (std::size_t i = 0; i < std::min(samples.size(), deltas.size()); ++i) {
        const auto delta = timeIn(deltas[i]);
        if (!delta || __builtin_add_overflow(profile.time, *delta, &profile.time))
            report("bad-time", "the time of a sample is missing or does not fit; it has the time of the sample before it");
        std::int64_t id = 0;
        const auto node = samples[i].get_int64().get(id) == simdjson::SUCCESS ? profile.stacks.find(id) : profile.stacks.end();
        if (node == profile.stacks.end())
            report("unknown-node", "the node of a sample is missing; the sample has no stack");
        profile.samples.push_back({profile.time, node == profile.stacks.end() ? 0 : node->second});
    }
}

void ChromeSamples::finish()
{
    m_fields.clear();
    for (auto& [key, profile] : m_profiles) {
        auto& samples = profile.samples;
        std::ranges::stable_sort(samples, {}, &ProfileSample::time); // V8's differences of times may be negative.
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const std::int64_t time = samples[i].time;
            const std::int64_t next = i + 1 < samples.size() ? samples[i + 1].time : profile.end.value_or(time);
            const std::uint64_t weight = next > time ? static_cast<std::uint64_t>(next) - static_cast<std::uint64_t>(time) : 0;
            if (weight > LargestSum - m_sum) {
                report("large-time", "the time between two samples is too large; the first one is missing");
                continue;
            }
            m_sum += weight;
            write(time, profile.thread, {"time", weight, true, true, samples[i].stack}, m_fields);
        }
        if (!profile.end && !samples.empty())
            report("no-end", "a profile of V8 does not say when it ended; its last sample has no duration", Diagnostic::Severity::Info);
    }
    m_profiles.clear();
    if (m_isCut)
        report("many-stacks", "too many different stacks; some frames are missing");
}

void ChromeSamples::write(std::int64_t time, std::uint32_t thread, const Written& sample, std::span<const StoredField> fields)
{
    m_begin = std::min(m_begin.value_or(time), time);
    TrackContext context = m_threads.contextOf(thread);
    context.cpu = sample.cpu;
    StoredSample stored{sample.weight, sample.stack};
    if (context.pidNamespace != TrackContext::HostNamespace) {
        // Samples are told apart by their TID, which an earlier thread has, too: tell this thread apart by its name.
        const std::string& process = m_threads.processOfThread(thread).id;
        m_command = context.name.empty() ? "thread" : context.name;
        m_command += " (" + (process.empty() ? "no pid" : process) + '/' + std::to_string(context.tid) + ')';
        context.tid = -1;
        stored.command = m_command;
    }
    m_name = sample.isTime ? "v8_sample" : "sample";
    if (!sample.name.empty() && !sample.isTime) // The prefix avoids names that have a meaning for other code, e.g. "sched_switch".
        (m_name += ':') += sample.name;
    SampleEvent* const kind = addTrackSample(m_recording, time, context, m_name, stored, sample.hasWeight, fields);
    if (!kind)
        return report("many-types", "too many kinds of events; events of further kinds are missing");
    if (kind->name.empty()) {
        kind->name = sample.name.empty() ? "samples" : sample.name;
        kind->isCounted = sample.name.empty();
        kind->isSummed = kind->isTime = kind->hasForwardPeriods = sample.isTime;
        kind->unit = sample.isTime ? "ns" : "";
    }
    if (kind->isCounted)
        kind->counted += sample.weight;
}

} // namespace helio::chromejson
