#include "core/formats/profiles/pprof_reader.h"

#include "core/formats/profiles/limits.h"
#include "core/formats/profiles/units.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <numeric>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <unordered_map>

// The protobuf field numbers in this file are those of profile.proto in github.com/google/pprof.

namespace helio::profiles {
namespace {

using Message = protozero::pbf_reader;
using enum protozero::pbf_wire_type;

constexpr std::uint32_t LargestField = 15; // Largest field number in the message Profile (doc_url).
constexpr std::size_t MostLines = 256; // Maximum number of functions (message Line) of one location.
constexpr std::size_t MostSampleTypes = 100;
constexpr std::size_t MostLabels = 256; // Maximum number of labels of one sample.

constexpr std::uint32_t number(std::uint32_t tag) { return protozero::tag_and_type(tag, varint); }
constexpr std::uint32_t bytes(std::uint32_t tag) { return protozero::tag_and_type(tag, length_delimited); }

std::string_view bytesIn(Message& message)
{
    const auto view = message.get_view();
    return {view.data(), view.size()};
}

/// True if `text` can be a message ValueType: it has no fields except the numbers 1 and 2, which are indices into the string table.
bool isValueType(std::string_view text)
{
    Message message(text.data(), text.size());
    while (message.next()) {
        if (message.tag_and_type() != number(1) && message.tag_and_type() != number(2))
            return false;
        message.skip();
    }
    return true;
}

bool isBuildId(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

struct Mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0; ///< First address after the mapping; 0 if not recorded.
    std::uint64_t fileOffset = 0;
    std::string_view file;
    std::string_view buildId;
    ModuleId module = UnknownModule; ///< Module of frames that have only an address; UnknownModule before the first such frame.
};

struct Function {
    std::string_view name;
    std::string_view file;
};

/// Name and unit of one value of each sample. A sample has one value per sample type, e.g. a number of samples and a CPU time.
struct SampleType {
    std::uint64_t nameIndex = 0; ///< Index of the name in the string table.
    std::string_view name;
    std::string_view unit;
};

class PprofReader {
public:
    PprofReader(std::string_view text, SampleRecording& recording, const std::stop_token& stop)
        : m_text(text)
        , m_recording(recording)
        , m_stop(stop)
    {
        m_recording.hasTimes = false;
    }

    Status run()
    {
        splitProfile();
        if (m_isStopped)
            return Error{Error::Kind::Cancelled, "stopped"};
        if (m_types.empty())
            return Error{Error::Kind::Corrupt, "the profile ends before its sample types (field 1), or has none"};
        for (const std::string_view text : m_mappingTexts)
            takeMapping(text);
        for (const std::string_view text : m_functionTexts)
            takeFunction(text);
        for (const std::string_view text : m_locationTexts)
            takeLocation(text);
        std::vector<std::size_t> order(m_types.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_partition(order, [&](std::size_t i) { return m_defaultType > 0 && m_types[i].nameIndex == m_defaultType; });
        for (const std::size_t type : order)
            readSamples(type);
        if (m_isStopped)
            return Error{Error::Kind::Cancelled, "stopped"};
        addFacts();
        return Done{};
    }

private:
    void report(const char* kind, std::string_view at, const std::string& what,
                Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        m_recording.events.report(kind, 0, static_cast<std::uint64_t>(at.data() - m_text.data()), what, severity);
    }

    /// Counts steps of the work. Returns true if the reader was asked to stop, which is checked every StopStep steps.
    bool isStopped(std::size_t steps = 1)
    {
        m_steps += steps;
        if (m_steps >= StopStep) {
            m_steps = 0;
            m_isStopped |= m_stop.stop_requested();
        }
        return m_isStopped;
    }

    /// Calls `take(Message&)` for each field of a message, until the reader is stopped. `take` must read the field and return true, or
    /// return false to skip it. If the message is invalid, adds a diagnostic and stops.
    template <typename Take> void eachField(std::string_view text, const Take& take)
    {
        try {
            Message message(text.data(), text.size());
            while (!isStopped() && message.next())
                if (!take(message))
                    message.skip();
        } catch (const protozero::exception&) {
            report("invalid-message", text, "a message is cut or invalid; the rest of it is missing", Diagnostic::Severity::Error);
        }
    }

    /// Calls `take` with each number in the current field, a repeated field: it contains one number or several packed numbers.
    template <typename Take> void eachNumber(Message& message, const Take& take)
    {
        if (message.wire_type() == varint)
            return take(message.get_uint64());
        for (const std::uint64_t value : message.get_packed_uint64()) {
            if (isStopped())
                return;
            take(value);
        }
    }

    /// Collects the fields of the message Profile. They may be in any order, so submessages are decoded later, except sample types.
    void splitProfile()
    {
        std::vector<std::string_view> types;
        std::string_view periodType;
        eachField(m_text, [&](Message& message) {
            switch (message.tag_and_type()) {
            case bytes(1): types.push_back(bytesIn(message)); return true;
            case bytes(2): m_sampleTexts.push_back(bytesIn(message)); return true;
            case bytes(3): m_mappingTexts.push_back(bytesIn(message)); return true;
            case bytes(4): m_locationTexts.push_back(bytesIn(message)); return true;
            case bytes(5): m_functionTexts.push_back(bytesIn(message)); return true;
            case bytes(6): m_strings.push_back(bytesIn(message)); return true;
            case number(9): m_time = message.get_int64(); return true;
            case number(10): m_duration = message.get_int64(); return true;
            case bytes(11): periodType = bytesIn(message); return true;
            case number(12): m_period = message.get_int64(); return true;
            case number(13):
            case bytes(13): eachNumber(message, [&](std::uint64_t index) { m_comments.push_back(index); }); return true;
            case number(14): m_defaultType = message.get_uint64(); return true;
            default: return false;
            }
        });
        for (const std::string_view text : types)
            m_types.push_back(sampleTypeIn(text));
        m_periodType = sampleTypeIn(periodType);
        if (m_types.size() > MostSampleTypes) {
            report("many-sample-types", m_text, "more than 100 sample types; further ones are missing");
            m_types.resize(MostSampleTypes);
        }
    }

    std::string_view stringAt(std::uint64_t index)
    {
        if (index < m_strings.size())
            return m_strings[index];
        if (index > 0)
            report("unknown-string", m_text, "the string table (field 6) is too short; some names are missing");
        return {};
    }

    SampleType sampleTypeIn(std::string_view text)
    {
        SampleType type;
        eachField(text, [&](Message& message) {
            switch (message.tag_and_type()) {
            case number(1): type.nameIndex = message.get_uint64(); return true;
            case number(2): type.unit = stringAt(message.get_uint64()); return true;
            default: return false;
            }
        });
        type.name = stringAt(type.nameIndex);
        return type;
    }

    void takeMapping(std::string_view text)
    {
        std::uint64_t id = 0;
        Mapping mapping;
        eachField(text, [&](Message& message) {
            switch (message.tag_and_type()) {
            case number(1): id = message.get_uint64(); return true;
            case number(2): mapping.begin = message.get_uint64(); return true;
            case number(3): mapping.end = message.get_uint64(); return true;
            case number(4): mapping.fileOffset = message.get_uint64(); return true;
            case number(5): mapping.file = stringAt(message.get_uint64()); return true;
            case number(6): mapping.buildId = stringAt(message.get_uint64()); return true;
            default: return false;
            }
        });
        m_mappings.insert_or_assign(id, mapping);
    }

    void takeFunction(std::string_view text)
    {
        std::uint64_t id = 0;
        Function function;
        std::string_view systemName;
        eachField(text, [&](Message& message) {
            switch (message.tag_and_type()) {
            case number(1): id = message.get_uint64(); return true;
            case number(2): function.name = stringAt(message.get_uint64()); return true;
            case number(3): systemName = stringAt(message.get_uint64()); return true;
            case number(4): function.file = stringAt(message.get_uint64()); return true;
            default: return false;
            }
        });
        if (function.name.empty())
            function.name = systemName;
        m_functions.insert_or_assign(id, function);
    }

    /// Decodes a message Location and adds its frames to m_locations: one frame per inlined function, and one for the function that
    /// contains the location.
    void takeLocation(std::string_view text)
    {
        std::uint64_t id = 0;
        std::uint64_t address = 0;
        Mapping* mapping = nullptr;
        std::vector<std::string_view> lines;
        eachField(text, [&](Message& message) {
            switch (message.tag_and_type()) {
            case number(1): id = message.get_uint64(); return true;
            case number(2): mapping = mappingWith(message.get_uint64()); return true;
            case number(3): address = message.get_uint64(); return true;
            case bytes(4): lines.push_back(bytesIn(message)); return true;
            default: return false;
            }
        });
        if (lines.size() > MostLines) {
            report("many-lines", text, "a location has more than 256 functions; the innermost are missing");
            lines.erase(lines.begin(), lines.end() - MostLines);
        }
        std::vector<std::uint32_t>& frames = m_locations[id];
        frames.clear();
        for (std::size_t i = 0; i < lines.size(); ++i)
            frames.push_back(frameOf(lines[i], mapping, i + 1 < lines.size()));
        if (lines.empty())
            frames.push_back(mapping ? addressIn(*mapping, address) : m_recording.stacks.addFrame({}, Module::Kind::Unknown));
    }

    Mapping* mappingWith(std::uint64_t id)
    {
        const auto found = m_mappings.find(id);
        return found == m_mappings.end() ? nullptr : &found->second;
    }

    std::uint32_t frameOf(std::string_view line, const Mapping* mapping, bool isInlined)
    {
        ParsedFrame frame;
        frame.isInlined = isInlined;
        eachField(line, [&](Message& message) {
            switch (message.tag_and_type()) {
            case number(1): {
                const auto found = m_functions.find(message.get_uint64());
                if (found == m_functions.end()) {
                    report("unknown-function", line, "a function is missing; its frames have no name");
                    return true;
                }
                frame.function = found->second.name;
                frame.file = found->second.file;
                return true;
            }
            case number(2): {
                const std::int64_t at = message.get_int64();
                frame.line = at > 0 && at <= INT32_MAX ? static_cast<std::uint32_t>(at) : 0;
                return true;
            }
            default: return false;
            }
        });
        if (mapping)
            frame.module = mapping->file;
        return m_recording.stacks.addFrame(frame, kindOfModule(frame.module));
    }

    /// Returns a frame for an address without a function in the profile. Symbols in the mapped file may later give its name.
    std::uint32_t addressIn(Mapping& mapping, std::uint64_t address)
    {
        const Module::Kind kind = kindOfModule(mapping.file);
        if (mapping.module == UnknownModule) {
            Module module;
            module.kind = kind;
            module.path = mapping.file;
            if (isBuildId(mapping.buildId))
                std::ranges::transform(mapping.buildId, std::back_inserter(module.buildId),
                                       [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; });
            mapping.module = m_recording.stacks.addModule(std::move(module));
        }
        // An address outside of the mapping is taken as an offset in the mapped file.
        const bool isMapped = address >= mapping.begin && (mapping.end == 0 || address < mapping.end);
        const bool isOffset = (kind == Module::Kind::File || kind == Module::Kind::Vdso) && isMapped;
        return m_recording.stacks.addAddress(mapping.module, isOffset ? address - mapping.begin + mapping.fileOffset : address);
    }

    void readSamples(std::size_t type)
    {
        const WeightUnit unit = weightUnit(m_types[type].unit);
        std::uint64_t sum = 0;
        for (const std::string_view text : m_sampleTexts) {
            if (isStopped(1 + m_frames.size())) // The frames of the preceding sample were as many steps.
                return;
            std::int64_t value = 0;
            std::size_t values = 0;
            m_frames.clear();
            m_fields.clear();
            m_numbers.clear();
            eachField(text, [&](Message& message) {
                switch (message.tag_and_type()) {
                case number(1):
                case bytes(1): eachNumber(message, [&](std::uint64_t id) { addFrames(id, text); }); return true;
                case number(2):
                case bytes(2):
                    eachNumber(message, [&](std::uint64_t it) { value = values++ == type ? static_cast<std::int64_t>(it) : value; });
                    return true;
                case bytes(3): takeLabel(bytesIn(message)); return true;
                default: return false;
                }
            });
            if (values != m_types.size())
                report("value-count", text, "a sample has fewer or more values than the profile has sample types");
            addSample(m_types[type], unit, value, sum, text);
        }
    }

    void addFrames(std::uint64_t location, std::string_view text)
    {
        const auto found = m_locations.find(location);
        if (found == m_locations.end()) {
            report("unknown-location", text, "a location is missing; its frames have no name");
            if (!m_unknownFrame)
                m_unknownFrame = m_recording.stacks.addFrame({}, Module::Kind::Unknown);
            m_frames.push_back(*m_unknownFrame);
        } else if (m_frames.size() + found->second.size() <= MostFrames)
            m_frames.insert(m_frames.end(), found->second.begin(), found->second.end());
        else
            report("deep-stack", text, "a stack has more than a million frames; the outermost are missing");
    }

    /// Decodes a message Label and adds it to m_fields, the fields of the current sample.
    void takeLabel(std::string_view text)
    {
        StoredField field;
        bool isText = false;
        eachField(text, [&](Message& message) {
            switch (message.tag_and_type()) {
            case number(1): field.name = stringAt(message.get_uint64()); return true;
            case number(2):
                field.text = stringAt(message.get_uint64());
                isText = true;
                return true;
            case number(3): field.number = message.get_int64(); return true;
            default: return false;
            }
        });
        if (!isText) {
            field.kind = StoredField::Kind::Integer;
            field.text = m_numbers.emplace_back(std::to_string(field.number));
        }
        if (m_fields.size() >= MostLabels)
            return report("many-labels", text, "a sample has more than 256 labels; further ones are missing");
        const auto isSame = [&](const StoredField& other) { return other.name == field.name; };
        if (!field.name.empty() && std::ranges::none_of(m_fields, isSame))
            m_fields.push_back(field);
    }

    void addSample(const SampleType& type, const WeightUnit& unit, std::int64_t value, std::uint64_t& sum, std::string_view text)
    {
        if (value < 0)
            return report("negative-value", text, "a sample has a negative value, as in a difference of two profiles; it is not shown");
        std::uint64_t weight = 0;
        if (__builtin_mul_overflow(static_cast<std::uint64_t>(value), unit.factor, &weight) || weight > LargestSum - sum)
            return report("large-value", text, "a value is too large; the sample is missing");
        if (weight == 0)
            return;
        sum += weight;
        bool isCut = false;
        NewSample sample;
        sample.name = type.name.empty() ? "samples" : type.name;
        sample.period = weight;
        sample.hasPeriod = true;
        sample.isCounted = unit.name.empty();
        sample.isSummed = !sample.isCounted;
        sample.unit = unit.name;
        sample.stack = m_recording.stacks.stackOf(m_frames, isCut);
        if (isCut)
            report("many-stacks", text, "too many different stacks; some frames are missing");
        if (!m_recording.add(sample, m_fields))
            report("many-events", text, "too many sample types and labels; some samples are missing");
    }

    void addFacts()
    {
        auto& facts = m_recording.facts;
        if (m_time != 0)
            facts.emplace_back("time_nanos", m_time);
        if (m_duration != 0)
            facts.emplace_back("duration_nanos", m_duration);
        if (!m_periodType.name.empty()) {
            facts.emplace_back("period_type", std::string(m_periodType.name) + '/' + std::string(m_periodType.unit));
            facts.emplace_back("period", m_period);
        }
        for (const std::uint64_t comment : m_comments)
            facts.emplace_back("comment", std::string(stringAt(comment)));
    }

    const std::string_view m_text;
    SampleRecording& m_recording;
    const std::stop_token& m_stop;
    std::size_t m_steps = 0; ///< Number of steps since the last check of m_stop.
    bool m_isStopped = false;
    std::vector<SampleType> m_types;
    std::vector<std::string_view> m_sampleTexts; ///< Encoded Sample messages of the profile, each decoded once per sample type.
    std::vector<std::string_view> m_mappingTexts;
    std::vector<std::string_view> m_locationTexts;
    std::vector<std::string_view> m_functionTexts;
    std::vector<std::string_view> m_strings;
    std::vector<std::uint64_t> m_comments;
    SampleType m_periodType;
    std::int64_t m_time = 0; ///< Time of the recording in ns since the Unix epoch; 0 if not recorded.
    std::int64_t m_duration = 0;
    std::int64_t m_period = 0;
    std::uint64_t m_defaultType = 0; ///< SampleType::nameIndex of the default sample type; 0 if not recorded.
    std::unordered_map<std::uint64_t, Mapping> m_mappings;
    std::unordered_map<std::uint64_t, Function> m_functions;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> m_locations; ///< Frames by location id, innermost first.
    std::optional<std::uint32_t> m_unknownFrame; ///< Frame of all locations that the profile lacks; nullopt if there is none so far.
    std::vector<std::uint32_t> m_frames; ///< Frames of the current sample, innermost first.
    std::vector<StoredField> m_fields; ///< Labels of the current sample.
    std::deque<std::string> m_numbers; ///< Texts of the labels with numbers; m_fields contains views of them.
};

} // namespace

bool isPprof(std::string_view head)
{
    bool hasTypes = false;
    try {
        Message message(head.data(), head.size());
        while (message.next()) {
            const std::uint32_t tag = message.tag();
            const bool isNumber = (tag >= 7 && tag <= 10) || tag == 12 || tag == 14 || tag == 15;
            if (tag > LargestField || (tag != 13 && message.wire_type() != (isNumber ? varint : length_delimited)))
                return false;
            if (tag == 1 && !isValueType(bytesIn(message)))
                return false;
            hasTypes |= tag == 1;
            if (tag != 1)
                message.skip();
        }
    } catch (const protozero::exception&) {
        // Ignore the error: `head` may end within a message.
    }
    return hasTypes;
}

Status readPprof(std::string_view text, SampleRecording& recording, const std::stop_token& stop)
{
    return PprofReader(text, recording, stop).run();
}

} // namespace helio::profiles
