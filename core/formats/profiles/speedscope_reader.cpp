#include "core/formats/profiles/speedscope_reader.h"

#include "core/formats/profiles/json_profile.h"
#include "core/formats/profiles/limits.h"
#include "core/formats/profiles/units.h"

#include <algorithm>
#include <map>

// The schema of the file format is https://www.speedscope.app/file-format-schema.json.

namespace helio::profiles {
namespace {

class SpeedscopeReader {
public:
    explicit SpeedscopeReader(SampleRecording& recording)
        : m_recording(recording)
    {
    }

    Status run(std::string_view text, const std::stop_token& stop)
    {
        auto document = JsonDocument::parse(text, m_recording);
        if (!document)
            return document.error();
        const json::object root = (*document)->root();
        const auto profiles = elementsIn(memberOf(root, "profiles"));
        if (profiles.empty())
            return Error{Error::Kind::Corrupt, "the file has no profiles"};
        if (const auto shared = objectIn(memberOf(root, "shared")))
            for (const json::element& frame : elementsIn(memberOf(*shared, "frames")))
                addFrame(objectIn(frame));
        if (m_frames.empty())
            report("no-frames", "the file has no list of frames; its stacks have no names");
        for (const json::element& element : profiles)
            if (const auto profile = objectIn(element))
                m_recording.hasTimes &= weightUnit(textIn(memberOf(*profile, "unit"))).isTime();
        for (const json::element& element : profiles)
            if (const auto profile = objectIn(element))
                if (auto done = readProfile(*profile, stop); !done)
                    return done;
        if (m_isCut)
            report("many-stacks", "too many different stacks; some frames are missing");
        return Done{};
    }

private:
    void report(const char* kind, const std::string& what, Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        m_recording.events.report(kind, 0, 0, what, severity);
    }

    void addFrame(const std::optional<json::object>& object)
    {
        ParsedFrame frame;
        if (!object)
            report("bad-frame", "a frame is no object; it has no name");
        else
            setFrame(*object, frame);
        const Module::Kind kind = frame.module.empty() ? Module::Kind::Unknown : Module::Kind::File;
        m_frames.push_back(m_recording.stacks.addFrame(frame, kind));
    }

    static void setFrame(const json::object& object, ParsedFrame& frame)
    {
        frame.function = textIn(memberOf(object, "name"));
        frame.file = frame.module = textIn(memberOf(object, "file"));
        if (const auto line = integerIn(memberOf(object, "line")); line && *line > 0 && *line < INT32_MAX)
            frame.line = static_cast<std::uint32_t>(*line);
    }

    /// Sets m_thread to the name of a profile. A name that an earlier profile has already used gets a number, for example "main #2".
    void setThread(std::string_view name)
    {
        m_thread = name.empty() ? "profile" : name;
        if (const int number = ++m_threads[m_thread]; number > 1)
            m_thread += " #" + std::to_string(number);
    }

    Status readProfile(const json::object& profile, const std::stop_token& stop)
    {
        setThread(textIn(memberOf(profile, "name")));
        m_unit = weightUnit(textIn(memberOf(profile, "unit")));
        m_position = inUnits(numberIn(memberOf(profile, "startValue")).value_or(0));
        const std::string_view type = textIn(memberOf(profile, "type"));
        if (type == "sampled")
            return readSamples(profile, stop);
        if (type == "evented")
            return readEvents(profile, stop);
        report("unknown-type", "a profile is neither \"sampled\" nor \"evented\"; it is missing");
        return Done{};
    }

    /// Converts a value of the current profile to ns if the profile's unit is a time, else rounds it to an integer. Returns 0 if it is too
    /// large.
    std::int64_t inUnits(double value)
    {
        const auto number = scaled(value, static_cast<double>(m_unit.factor));
        if (!number)
            report("large-value", "a value is too large; it counts as 0");
        else if (!m_unit.isTime() && static_cast<double>(*number) != value)
            report("rounded", "a weight has decimals; it is rounded", Diagnostic::Severity::Info);
        return number.value_or(0);
    }

    Status readSamples(const json::object& profile, const std::stop_token& stop)
    {
        const auto samples = elementsIn(memberOf(profile, "samples"));
        const auto weights = elementsIn(memberOf(profile, "weights"));
        if (samples.size() != weights.size())
            report("sample-count", "a profile has not as many weights as samples; the rest is missing");
        for (std::size_t i = 0; i < std::min(samples.size(), weights.size()); ++i) {
            if (i % StopStep == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            std::uint32_t stack = 0;
            std::size_t depth = 0;
            json::array frames;
            const bool isList = samples[i].get_array().get(frames) == simdjson::SUCCESS;
            if (!isList)
                report("bad-sample", "a sample is no list of frames; it has no stack");
            else
                for (const json::element frame : frames) {
                    if (++depth > MostFrames) {
                        report("deep-stack", "a stack has more than a million frames; the innermost are missing");
                        break;
                    }
                    stack = m_recording.stacks.call(stack, frameAt(frame), m_isCut);
                }
            // A sample without frames is a time in which nothing was sampled.
            advance(inUnits(numberIn(weights[i]).value_or(0)), stack, !isList || depth > 0);
        }
        return Done{};
    }

    /// Returns the frame for `element`, an index into the list of frames in the file; m_unknown if the index is invalid.
    std::uint32_t frameAt(const json::element& element)
    {
        const auto index = integerIn(element);
        if (index && *index >= 0 && static_cast<std::uint64_t>(*index) < m_frames.size())
            return m_frames[static_cast<std::size_t>(*index)];
        report("unknown-frame", "a frame is missing; it has no name");
        if (!m_unknown)
            m_unknown = m_recording.stacks.addFrame({}, Module::Kind::Unknown);
        return *m_unknown;
    }

    Status readEvents(const json::object& profile, const std::stop_token& stop)
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> open; // Frames that have not ended yet, with their stacks, outermost first.
        std::size_t count = 0;
        const auto advanceTo = [&](double at) {
            const std::int64_t position = inUnits(at);
            if (position < m_position)
                report("backward-time", "an event is earlier than the event before it");
            else
                advance(position - m_position, open.empty() ? 0 : open.back().second, !open.empty());
        };
        for (const json::element& element : elementsIn(memberOf(profile, "events"))) {
            if (++count % StopStep == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            const auto event = objectIn(element);
            const auto at = event ? numberIn(memberOf(*event, "at")) : std::nullopt;
            const auto frame = event ? memberOf(*event, "frame") : std::nullopt;
            if (!at || !frame) {
                report("bad-event", "an event has no time or no frame; it is left out");
                continue;
            }
            advanceTo(*at);
            const std::uint32_t index = frameAt(*frame);
            const std::string_view type = textIn(memberOf(*event, "type"));
            if (type == "O" && open.size() < MostFrames)
                open.emplace_back(index, m_recording.stacks.call(open.empty() ? 0 : open.back().second, index, m_isCut));
            else if (type == "C" && !open.empty() && open.back().first == index)
                open.pop_back();
            else
                report("unmatched-event", "an event does not close the innermost open frame, or is of an unknown type; it is left out");
        }
        if (!open.empty()) {
            report("open-frames", "frames are not closed; they last until the end of the profile", Diagnostic::Severity::Info);
            advanceTo(
                numberIn(memberOf(profile, "endValue")).value_or(static_cast<double>(m_position) / static_cast<double>(m_unit.factor)));
        }
        return Done{};
    }

    /// Moves m_position forward by `weight`. If `isRecorded`, adds a sample with the stack `stack` and this weight.
    void advance(std::int64_t weight, std::uint32_t stack, bool isRecorded)
    {
        std::int64_t end = 0;
        if (weight < 0 || static_cast<std::uint64_t>(weight) > LargestSum - m_sum || __builtin_add_overflow(m_position, weight, &end))
            return report("large-value", "a weight is negative or too large; its record is missing");
        if (weight > 0 && isRecorded) {
            m_sum += static_cast<std::uint64_t>(weight);
            NewSample sample;
            sample.name = m_unit.isTime() ? "time" : m_unit.name.empty() ? "samples" : m_unit.name;
            sample.time = m_recording.hasTimes ? m_position : 0;
            sample.period = static_cast<std::uint64_t>(weight);
            sample.hasPeriod = true;
            sample.isCounted = m_unit.name.empty();
            sample.isSummed = !sample.isCounted;
            sample.hasForwardPeriod = m_recording.hasTimes;
            sample.unit = m_unit.name;
            sample.stack = stack;
            sample.command = m_thread;
            m_recording.add(sample, {});
            m_recording.end = std::max(m_recording.end, end);
        }
        m_position = end;
    }

    SampleRecording& m_recording;
    std::vector<std::uint32_t> m_frames; ///< For each frame of the file, its index in SampleRecording::stacks.
    std::optional<std::uint32_t> m_unknown; ///< Frame without a name, for invalid frame indices; nullopt before the first one.
    std::map<std::string, int> m_threads; ///< Number of profiles read so far, keyed by profile name.
    std::string m_thread; ///< Thread name of the current profile's samples.
    WeightUnit m_unit; ///< Unit of the current profile's values.
    std::int64_t m_position = 0; ///< Current position in the current profile: in ns if its unit is a time, else in its unit.
    std::uint64_t m_sum = 0;
    bool m_isCut = false; ///< True if stacks were cut because there were too many different ones.
};

} // namespace

bool isSpeedscope(std::string_view text)
{
    text = text.substr(0, MostSearched);
    return text.substr(0, text.find_first_not_of(" \t\r\n") + 1).ends_with('{')
        && text.find("speedscope.app/file-format-schema.json") != std::string_view::npos;
}

Status readSpeedscope(std::string_view text, SampleRecording& recording, const std::stop_token& stop)
{
    return SpeedscopeReader(recording).run(text, stop);
}

} // namespace helio::profiles
