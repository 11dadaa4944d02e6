#include "core/recording/preset.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <simdjson.h>
#include <utility>

namespace helio {
namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

constexpr std::array<const char*, RecordingToolCount> ToolWords{"perf", "lttng", "trace-cmd", "tracefs"};
constexpr std::size_t MostPresetBytes = std::size_t{1} << 20;
constexpr std::size_t MostPresetFiles = 1000;

bool isPresetId(std::string_view id)
{
    const auto isAllowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    return !id.empty() && id.front() != '-' && std::ranges::all_of(id, isAllowed);
}

/// True if the text is a single word for the tools' command lines: no control characters, blanks or commas, and no dash at its begin.
bool isEventWord(std::string_view word)
{
    const auto isAllowed = [](char c) { return static_cast<unsigned char>(c) > ' ' && c != ',' && c != 0x7f; };
    return !word.empty() && word.front() != '-' && std::ranges::all_of(word, isAllowed);
}

/// Reads the members of a JSON object into variables. Keeps the first problem; later calls then do nothing.
class MemberReader {
public:
    explicit MemberReader(dom::object object)
        : m_object(object)
    {
    }

    void text(const char* name, std::string& target, bool isRequired)
    {
        std::string_view value;
        if (const auto error = m_object[name].get(value); error == simdjson::NO_SUCH_FIELD && !isRequired)
            return;
        else if (error)
            fail(name, error == simdjson::NO_SUCH_FIELD ? "is missing" : "is not a text");
        target = value;
    }

    /// Reads a list of words; see isEventWord().
    void words(const char* name, std::vector<std::string>& target)
    {
        dom::array array;
        if (const auto error = m_object[name].get(array); error == simdjson::NO_SUCH_FIELD)
            return;
        else if (error)
            return fail(name, "is not a list");
        for (const dom::element element : array) {
            std::string_view word;
            if (element.get(word) != simdjson::SUCCESS || !isEventWord(word))
                return fail(name, "has an entry that is not a single word");
            target.emplace_back(word);
        }
    }

    void flag(const char* name, bool& target)
    {
        if (const auto error = m_object[name].get(target); error && error != simdjson::NO_SUCH_FIELD)
            fail(name, "is not true or false");
    }

    template <typename Number> void number(const char* name, Number& target, double most)
    {
        double value = 0;
        const auto error = m_object[name].get(value);
        if (error == simdjson::NO_SUCH_FIELD)
            return;
        if (error || !(value >= 0 && value <= most))
            return fail(name, "is not a number from 0 to " + std::to_string(std::int64_t(most)));
        target = static_cast<Number>(value);
    }

    /// Fails if the object has members whose names are not in `known`.
    void expectOnly(std::span<const std::string_view> known)
    {
        for (const auto& [name, value] : m_object)
            if (std::ranges::find(known, name) == known.end())
                fail(std::string(name).c_str(), "is not a member of presets");
    }

    void fail(const char* name, const std::string& what)
    {
        if (m_problem.empty())
            m_problem = '"' + std::string(name) + "\" " + what;
    }

    const std::string& problem() const { return m_problem; }

private:
    dom::object m_object;
    std::string m_problem;
};

constexpr std::array<std::string_view, 16> Members{
    "order",         "title",   "summary", "tools",       "kernel_events", "lttng_events",  "system_calls",      "user_events",
    "user_contexts", "preload", "samples", "call_stacks", "is_ring",       "whole_machine", "events_per_second", "bytes_per_event"};

void readSamples(dom::object object, MemberReader& outer, RecordingPreset& preset)
{
    dom::object samples;
    if (const auto error = object["samples"].get(samples); error == simdjson::NO_SUCH_FIELD)
        return;
    else if (error)
        return outer.fail("samples", "is not an object");
    MemberReader reader(samples);
    SamplingRecipe recipe;
    reader.text("event", recipe.event, false);
    reader.number("frequency", recipe.frequency, 100'000);
    reader.number("period", recipe.period, 1e9);
    if (!recipe.event.empty() && !isEventWord(recipe.event))
        reader.fail("event", "is not a single word");
    if ((recipe.frequency == 0) == (recipe.period == 0))
        reader.fail("frequency", "or \"period\" must be given, and not both");
    if (!reader.problem().empty())
        outer.fail("samples", "is wrong: " + reader.problem());
    preset.samples = std::move(recipe);
}

/// Reads at most MostPresetBytes of a file.
Result<std::string> readPresetFile(const fs::path& path)
{
    std::error_code failure;
    if (!fs::is_regular_file(path, failure) || fs::file_size(path, failure) > MostPresetBytes || failure)
        return Error{Error::Kind::Unreadable, "is not a file, or larger than 1 MiB"};
    std::ifstream file(path, std::ios::binary);
    std::string text(MostPresetBytes, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || file.bad())
        return Error{Error::Kind::Unreadable, "cannot be read"};
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

} // namespace

const char* wordOf(RecordingTool tool) { return ToolWords.at(static_cast<std::size_t>(tool)); }

std::optional<RecordingTool> recordingToolOf(std::string_view word)
{
    const auto found = std::ranges::find(ToolWords, word);
    return found == ToolWords.end() ? std::nullopt : std::optional(static_cast<RecordingTool>(found - ToolWords.begin()));
}

Result<RecordingPreset> readPreset(std::string_view id, std::string_view json)
{
    const auto corrupt = [](std::string what) { return Error{Error::Kind::Corrupt, std::move(what)}; };
    if (!isPresetId(id))
        return corrupt("the file name has other characters than letters, digits, - and _");
    dom::parser parser;
    dom::element root;
    if (const auto error = parser.parse(json.data(), json.size()).get(root))
        return corrupt(std::string("is not valid JSON: ") + simdjson::error_message(error));
    dom::object object;
    if (root.get(object) != simdjson::SUCCESS)
        return corrupt("is not a JSON object");
    MemberReader reader(object);
    RecordingPreset preset{std::string(id), {}, {}, 1000, {}};
    std::vector<std::string> tools;
    reader.expectOnly(Members);
    reader.number("order", preset.order, 1e6);
    reader.text("title", preset.title, true);
    reader.text("summary", preset.summary, false);
    reader.words("tools", tools);
    reader.words("kernel_events", preset.kernelEvents);
    reader.words("lttng_events", preset.lttngEvents);
    reader.words("system_calls", preset.systemCalls);
    reader.words("user_events", preset.userEvents);
    reader.words("user_contexts", preset.userContexts);
    reader.words("preload", preset.preloads);
    readSamples(object, reader, preset);
    reader.flag("call_stacks", preset.hasCallStacks);
    reader.flag("is_ring", preset.isRing);
    reader.flag("whole_machine", preset.needsMachine);
    reader.number("events_per_second", preset.eventsPerSecond, 1e12);
    reader.number("bytes_per_event", preset.bytesPerEvent, 1e9);
    for (const std::string& word : tools) {
        const auto tool = recordingToolOf(word);
        tool ? preset.tools.push_back(*tool) : reader.fail("tools", "has \"" + word + "\", which is not perf, lttng, trace-cmd or tracefs");
    }
    if (preset.tools.empty())
        reader.fail("tools", "is missing or empty");
    const auto hasNoGroup = [](const std::string& event) { return event.find(':') == std::string::npos; };
    if (std::ranges::any_of(preset.kernelEvents, hasNoGroup))
        reader.fail("kernel_events", "has an event that is not GROUP:NAME");
    const bool records = !preset.kernelEvents.empty() || !preset.lttngEvents.empty() || !preset.userEvents.empty() || preset.samples;
    if (!records)
        reader.fail("kernel_events", "or other events or samples must be given");
    if (!reader.problem().empty())
        return corrupt(reader.problem());
    return preset;
}

const RecordingPreset* RecordingPresets::find(std::string_view id) const
{
    const auto found = std::ranges::find(all, id, &RecordingPreset::id);
    return found == all.end() ? nullptr : &*found;
}

fs::path userPresetFolder()
{
    const char* const configuration = std::getenv("XDG_CONFIG_HOME");
    if (configuration && fs::path(configuration).is_absolute())
        return fs::path(configuration) / "heliograph" / "record";
    const char* const home = std::getenv("HOME");
    return home && *home ? fs::path(home) / ".config" / "heliograph" / "record" : fs::path();
}

RecordingPresets findPresets(const fs::path& folder)
{
    RecordingPresets presets;
    const auto add = [&](const fs::path& name, std::string_view text, const fs::path& file) {
        auto preset = readPreset(name.stem().native(), text);
        if (!preset) {
            presets.problems.push_back({file.empty() ? name : file, preset.error().what});
            return;
        }
        preset->file = file;
        const auto same = std::ranges::find(presets.all, preset->id, &RecordingPreset::id);
        same == presets.all.end() ? presets.all.push_back(std::move(*preset)) : void(*same = std::move(*preset));
    };
    for (const EmbeddedFile& file : builtinPresetFiles())
        add(file.name, file.text, {});
    std::vector<fs::path> files;
    std::error_code failure;
    if (!folder.empty())
        for (fs::directory_iterator it(folder, failure); !failure && it != fs::directory_iterator() && files.size() < MostPresetFiles;
             it.increment(failure))
            if (it->path().extension() == ".json")
                files.push_back(it->path());
    std::ranges::sort(files);
    for (const fs::path& file : files) {
        const auto text = readPresetFile(file);
        text ? add(file.filename(), *text, file) : presets.problems.push_back({file, text.error().what});
    }
    std::ranges::sort(presets.all, {}, [](const RecordingPreset& preset) { return std::pair(preset.order, preset.id); });
    return presets;
}

} // namespace helio
