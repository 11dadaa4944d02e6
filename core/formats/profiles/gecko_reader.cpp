#include "core/formats/profiles/gecko_reader.h"

#include "core/formats/profiles/gecko_markers.h"
#include "core/formats/profiles/gecko_table.h"
#include "core/formats/profiles/json_profile.h"
#include "core/formats/profiles/limits.h"
#include "core/formats/profiles/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>

// Sources: "Gecko profile format" and "Processed profile format" in the documentation of github.com/firefox-devtools/profiler.

namespace helio::profiles {
namespace {

constexpr int MostNestedProcesses = 16;
constexpr double NsPerMillisecond = 1e6;
constexpr std::int64_t MostInterval = 10'000'000'000; ///< Maximum sampling interval in ns.
constexpr std::uint32_t RootFrame = ~0u; // Stands for Gecko's frame "(root)", the caller of all code, which is not shown.

/// Returns the process ID or thread ID in `element`, which is a JSON number or a string with the number; -1 if it is neither.
std::int32_t idIn(const Element& element)
{
    std::int32_t id = -1;
    const auto number = integerIn(element);
    if (number)
        return *number >= 0 && *number <= INT32_MAX ? static_cast<std::int32_t>(*number) : -1;
    const std::string_view text = textIn(element);
    const auto end = std::from_chars(text.data(), text.data() + text.size(), id);
    return end.ec == std::errc() && end.ptr == text.data() + text.size() && id >= 0 ? id : -1;
}

/// Removes a colon and a number from the end of `text`, for example ":12" from "a.js:12". Returns false if `text` does not end so.
bool takeNumber(std::string_view& text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == text.size()
        || text.find_first_not_of("0123456789", colon + 1) != std::string_view::npos)
        return false;
    text = text.substr(0, colon);
    return true;
}

/// Parses a frame as Gecko's profiler prints it: "function (file:line:column)", "function (in library)" or any other text. Line and column
/// are ignored, because they are the place where the function begins, not the sampled place.
ParsedFrame frameIn(std::string_view text)
{
    ParsedFrame frame;
    frame.function = text;
    const std::size_t open = text.ends_with(')') ? text.rfind(" (") : std::string_view::npos;
    if (open == std::string_view::npos || open == 0)
        return frame;
    std::string_view place = text.substr(open + 2, text.size() - open - 3);
    if (place.starts_with("in "))
        frame.module = place.substr(3);
    else if (takeNumber(place)) {
        takeNumber(place);
        frame.file = frame.module = place;
    } else
        return frame; // The text in parentheses is not a source location, for example in "operator() (int)".
    frame.function = text.substr(0, open);
    return frame;
}

/// A shared library or program that a process of the profile loaded.
struct Library {
    std::string_view path;
    std::string_view buildId; ///< Build-id in hex digits; empty if not recorded.
    ModuleId module = UnknownModule; ///< Module of frames that have only an address; UnknownModule before the first such frame.
};

/// Columns of the tables of functions and of resources, which are libraries, web pages or add-ons.
struct FunctionColumns {
    std::vector<Element> names; ///< Indices in the string table, like `files` and `resourceNames`.
    std::vector<Element> files;
    std::vector<Element> resources; ///< Indices in `libraries` and `resourceNames`.
    std::vector<Element> libraries; ///< Indices in the list of libraries.
    std::vector<Element> resourceNames;
};

class GeckoReader {
public:
    explicit GeckoReader(SampleRecording& recording)
        : m_recording(recording)
        , m_markers(recording)
    {
        m_recording.setHasPids(true);
        m_recording.isAbsolute = true;
    }

    Status run(std::string_view text, const std::stop_token& stop)
    {
        auto document = JsonDocument::parse(text, m_recording);
        if (!document)
            return document.error();
        json::object root = (*document)->root();
        if (const auto profile = objectIn(memberOf(root, "profile"))) // Firefox' old performance panel nests the profile in this member.
            root = *profile;
        if (auto done = readProcess(root, stop, 0); !done)
            return done;
        if (m_threads == 0)
            return Error{Error::Kind::Corrupt, "the profile has no threads"};
        if (m_isCut)
            report("many-stacks", "too many different stacks; some frames are missing");
        return Done{};
    }

private:
    void report(const char* kind, const std::string& what, Diagnostic::Severity severity = Diagnostic::Severity::Warning,
                std::uint64_t count = 1)
    {
        m_recording.events.report(kind, 0, 0, what, severity, count);
    }

    /// Reads the threads of a process from its profile, then the profiles of other processes that are nested in it ("processes").
    Status readProcess(const json::object& profile, const std::stop_token& stop, int level)
    {
        const auto meta = objectIn(memberOf(profile, "meta"));
        const auto start = meta ? numberIn(memberOf(*meta, "startTime")) : std::nullopt;
        if (!start)
            report("no-start", "a process has no start time; its times count from 0");
        m_start = start ? scaled(*start, NsPerMillisecond).value_or(0) : 0;
        m_categories.clear();
        if (meta)
            for (const json::element& category : elementsIn(memberOf(*meta, "categories"))) {
                const auto object = objectIn(category);
                m_categories.push_back(object ? textIn(memberOf(*object, "name")) : std::string_view());
            }
        if (const auto interval = meta ? numberIn(memberOf(*meta, "interval")) : std::nullopt; interval && m_recording.interval == 0)
            m_recording.interval = std::clamp<std::int64_t>(scaled(*interval, NsPerMillisecond).value_or(0), 0, MostInterval);
        m_libraries.clear();
        m_sharesStrings = m_sharesFunctions = m_sharesFrames = m_sharesStacks = false;
        for (const json::element& library : elementsIn(memberOf(profile, "libs")))
            addLibrary(objectIn(library));
        for (const json::element& element : elementsIn(memberOf(profile, "threads")))
            if (const auto thread = objectIn(element)) // Old versions have strings here, for threads of other processes.
                if (auto done = readThread(*thread, objectIn(memberOf(profile, "shared")), stop); !done)
                    return done;
        for (const json::element& element : elementsIn(memberOf(profile, "processes"))) {
            const auto process = objectIn(element);
            if (!process || level == MostNestedProcesses)
                report("bad-process", "the profile of a process is no object, or nested too deeply; it is missing");
            else if (auto done = readProcess(*process, stop, level + 1); !done)
                return done;
        }
        return Done{};
    }

    void addLibrary(const std::optional<json::object>& object)
    {
        Library library;
        if (object) {
            library.path = textIn(memberOf(*object, "path"));
            if (library.path.empty())
                library.path = textIn(memberOf(*object, "name"));
            library.buildId = textIn(memberOf(*object, "codeId"));
        }
        m_libraries.push_back(library);
    }

    Status readThread(const json::object& thread, const std::optional<json::object>& shared, const std::stop_token& stop)
    {
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "stopped"};
        ++m_threads;
        // Returns a table of the thread. In new profiles, all threads may share the table: it is then a member of "shared".
        const auto table = [&](std::string_view name) {
            const Element own = memberOf(thread, name);
            return own || !shared ? own : memberOf(*shared, name);
        };
        const auto isShared = [&](std::string_view name) { return shared && !memberOf(thread, name); };
        // True if a table must be converted for the thread: the table, or one to which it refers, is the thread's own, or belongs to
        // another thread. A table is only shared if all tables to which it refers are.
        const auto isOther = [](bool& wasShared, bool shares) { return !std::exchange(wasShared, shares) || !shares; };
        if (isOther(m_sharesStrings, isShared("stringArray") && isShared("stringTable"))) {
            m_strings.clear();
            for (const std::string_view name : {"stringArray", "stringTable"})
                if (m_strings.empty())
                    std::ranges::transform(elementsIn(table(name)), std::back_inserter(m_strings),
                                           [](const json::element& text) { return textIn(text); });
        }
        if (isOther(m_sharesFunctions, m_sharesStrings && isShared("funcTable") && isShared("resourceTable")))
            takeFunctions(GeckoTable(table("funcTable")), GeckoTable(table("resourceTable")));
        if (isOther(m_sharesFrames, m_sharesFunctions && isShared("frameTable")))
            makeFrames(GeckoTable(table("frameTable")));
        if (isOther(m_sharesStacks, m_sharesFrames && isShared("stackTable")))
            makeStacks(GeckoTable(table("stackTable")));
        setThread(thread);
        if (auto done = readSamples(memberOf(thread, "samples"), stop); !done)
            return done;
        const TrackContext context{m_sample.pid > 0 ? m_sample.pid : -1, m_sample.tid, TrackContext::HostNamespace, m_name, -1};
        const auto first = m_markers.write(memberOf(thread, "markers"), {context, m_start, m_strings, m_categories}, stop);
        if (!first)
            return first.error();
        if (*first && !m_isNamed)
            addName(**first);
        return Done{};
    }

    /// Sets the process ID, the thread ID and the thread name that the samples of the current thread get.
    void setThread(const json::object& thread)
    {
        m_sample = {};
        m_isNamed = false;
        m_sample.pid = idIn(memberOf(thread, "pid"));
        m_sample.tid = idIn(memberOf(thread, "tid"));
        m_name = textIn(memberOf(thread, "name"));
        if (const std::string_view process = textIn(memberOf(thread, "processName")); m_name == "GeckoMain" && !process.empty())
            m_name = process;
        if (m_name.empty())
            m_name = "thread";
        if (m_sample.tid <= 0) {
            m_sample.tid = -1;
            m_sample.command = m_name;
        }
    }

    std::string_view stringAt(const std::vector<Element>& column, std::size_t row) const
    {
        const auto index = indexAt(column, row);
        return index && *index < m_strings.size() ? m_strings[*index] : std::string_view();
    }

    void takeFunctions(const GeckoTable& functions, const GeckoTable& resources)
    {
        m_functions = {functions.column("name"), functions.column("fileName"), functions.column("resource"), resources.column("lib"),
                       resources.column("name")};
    }

    /// Sets m_frames from the frame table of the current thread.
    void makeFrames(const GeckoTable& frames)
    {
        m_frames.clear();
        const auto line = frames.column("line");
        const auto lineAt = [&](std::size_t row) {
            return static_cast<std::uint32_t>(std::min<std::size_t>(indexAt(line, row).value_or(0), INT32_MAX));
        };
        const auto location = frames.column("location");
        for (std::size_t row = 0; row < location.size(); ++row) {
            ParsedFrame frame = frameIn(stringAt(location, row));
            frame.line = lineAt(row);
            m_frames.push_back(frame.function == "(root)" ? RootFrame : addFrame(frame));
        }
        if (!m_frames.empty())
            return;
        const auto function = frames.column("func");
        const auto depth = frames.column("inlineDepth");
        const auto address = frames.column("address");
        for (std::size_t row = 0; row < function.size(); ++row) {
            const std::size_t it = indexAt(function, row).value_or(m_functions.names.size());
            ParsedFrame frame;
            frame.function = stringAt(m_functions.names, it);
            frame.file = stringAt(m_functions.files, it);
            frame.line = lineAt(row);
            frame.isInlined = indexAt(depth, row).value_or(0) > 0;
            const auto from = indexAt(m_functions.resources, it);
            const auto inLibrary = from ? indexAt(m_functions.libraries, *from) : std::nullopt;
            Library* const known = inLibrary && *inLibrary < m_libraries.size() ? &m_libraries[*inLibrary] : nullptr;
            frame.module = known ? known->path : from ? stringAt(m_functions.resourceNames, *from) : frame.file;
            const auto at = indexAt(address, row);
            // "0x…" means that the profiler had no symbols. Keep the address: a file with the same build-id may have the symbols.
            const bool isNameless = known && !known->buildId.empty() && at && frame.function.starts_with("0x") && !frame.isInlined;
            m_frames.push_back(isNameless ? m_recording.stacks.addAddress(moduleOf(*known), *at) : addFrame(frame));
        }
    }

    std::uint32_t addFrame(const ParsedFrame& frame) { return m_recording.stacks.addFrame(frame, kindOfModule(frame.module)); }

    ModuleId moduleOf(Library& library)
    {
        if (library.module == UnknownModule) {
            Module module;
            module.kind = kindOfModule(library.path);
            module.path = library.path;
            module.buildId = library.buildId;
            std::ranges::transform(module.buildId, module.buildId.begin(),
                                   [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; });
            module.isLoadRelative = true;
            library.module = m_recording.stacks.addModule(std::move(module));
        }
        return library.module;
    }

    /// Sets m_stacks from the stack table of the current thread. An entry of the table has a frame and the index of its caller's entry
    /// ("prefix").
    void makeStacks(const GeckoTable& stacks)
    {
        m_stacks.clear();
        const auto prefix = stacks.column("prefix");
        const auto frame = stacks.column("frame");
        for (std::size_t row = 0; row < frame.size(); ++row) {
            const auto caller = indexAt(prefix, row);
            const auto index = indexAt(frame, row);
            if ((caller && *caller >= row) || !index || *index >= m_frames.size()) {
                report("bad-stack", "a stack has no frame, or comes before its caller; its frames are missing");
                m_stacks.push_back(0);
                continue;
            }
            const std::uint32_t from = caller ? m_stacks[*caller] : 0;
            const bool isRoot = m_frames[*index] == RootFrame;
            m_stacks.push_back(isRoot ? from : m_recording.stacks.call(from, m_frames[*index], m_isCut));
        }
    }

    Status readSamples(const Element& element, const std::stop_token& stop)
    {
        const GeckoTable samples(element);
        const auto stack = samples.column("stack");
        const auto time = samples.column("time");
        const auto delta = samples.column("timeDeltas");
        const auto weights = samples.column("weight");
        const auto object = objectIn(element);
        const auto weightType = object ? textIn(memberOf(*object, "weightType")) : std::string_view();
        setWeights(weightType == "tracing-ms" ? "milliseconds" : weightType == "samples" ? "count" : weightType, !weights.empty());
        double milliseconds = 0;
        for (std::size_t row = 0; row < stack.size(); ++row) {
            if (row % StopStep == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            const auto number = row < time.size() ? numberIn(time[row]) : row < delta.size() ? numberIn(delta[row]) : std::nullopt;
            if (!number) {
                report("no-time", "a sample has no time; it is missing");
                continue;
            }
            milliseconds = row < time.size() ? *number : milliseconds + *number;
            const auto ns = scaled(milliseconds, NsPerMillisecond);
            if (!ns || __builtin_add_overflow(m_start, *ns, &m_sample.time)) {
                report("bad-time", "the time of a sample does not fit; the sample is missing");
                continue;
            }
            if (!m_isNamed)
                addName(m_sample.time);
            const auto index = indexAt(stack, row);
            if (index && *index >= m_stacks.size())
                report("unknown-stack", "the stack of a sample is missing");
            m_sample.stack = index && *index < m_stacks.size() ? m_stacks[*index] : 0;
            addSample(row < weights.size() ? numberIn(weights[row]) : std::nullopt);
        }
        return Done{};
    }

    void setWeights(std::string_view unit, bool hasWeights)
    {
        m_unit = weightUnit(unit.empty() ? "count" : unit);
        m_sample.unit = m_unit.name;
        m_sample.name = m_unit.isTime() ? "time" : m_unit.name.empty() ? "samples" : m_unit.name;
        m_sample.hasPeriod = hasWeights;
        m_sample.isCounted = hasWeights && m_unit.name.empty();
        m_sample.isSummed = hasWeights && !m_sample.isCounted;
    }

    /// Adds a record that names the current thread at `time` in ns, the time of its first sample or marker.
    void addName(std::int64_t time)
    {
        m_isNamed = true;
        if (m_sample.tid < 0)
            return;
        ProcessRecord record;
        record.time = hostTime(time);
        record.pid = m_sample.pid;
        record.tid = m_sample.tid;
        record.name = m_name;
        m_recording.records.push_back(std::move(record));
    }

    void addSample(const std::optional<double>& weight)
    {
        const auto period = m_sample.hasPeriod ? scaled(weight.value_or(0), static_cast<double>(m_unit.factor)) : 1;
        if (!period || *period < 0 || static_cast<std::uint64_t>(*period) > LargestSum - m_sum)
            return report("bad-weight", "the weight of a sample is negative or too large; the sample is missing");
        m_sample.period = static_cast<std::uint64_t>(*period);
        m_sum += m_sample.period;
        m_recording.add(m_sample, {});
    }

    SampleRecording& m_recording;
    GeckoMarkers m_markers;
    std::size_t m_threads = 0; ///< Number of threads read so far, in all processes.
    bool m_isCut = false; ///< True if stacks were cut because there were too many different ones.
    std::uint64_t m_sum = 0;
    std::int64_t m_start = 0; ///< Start of the current process in ns since the Unix epoch.
    std::vector<Library> m_libraries; ///< Libraries of the current process, in the order of the profile.
    std::vector<std::string_view> m_strings; ///< String table of the current thread.
    std::vector<std::uint32_t> m_frames; ///< For each row of the current thread's frame table, its frame in SampleRecording::stacks.
    bool m_sharesStrings = false; ///< True if m_strings is a string table that all threads of the current process share.
    FunctionColumns m_functions; ///< Functions of the current thread.
    bool m_sharesFunctions = false; ///< True if all threads of the current process share the functions in m_functions.
    bool m_sharesFrames = false; ///< True if all threads of the current process share the frame table in m_frames.
    bool m_sharesStacks = false; ///< True if all threads of the current process share the stack table in m_stacks.
    std::vector<std::uint32_t> m_stacks; ///< For each row of the current thread's stack table, its stack in SampleRecording::stacks.
    NewSample m_sample; ///< Current sample; its pid, tid and command stay the same for all samples of a thread.
    WeightUnit m_unit; ///< Unit of the sample weights of the current thread.
    std::string_view m_name; ///< Name of the current thread.
    bool m_isNamed = false; ///< True if addName() was called for the current thread.
    std::vector<std::string_view> m_categories; ///< Names of the categories of markers in the current process.
};

} // namespace

bool isGecko(std::string_view text)
{
    text = text.substr(0, MostSearched);
    const auto has = [&](std::string_view name) { return text.find(name) != std::string_view::npos; };
    return text.substr(0, text.find_first_not_of(" \t\r\n") + 1).ends_with('{')
        && (has("\"preprocessedProfileVersion\"") || (has("\"stackTable\"") && has("\"frameTable\"")));
}

Status readGecko(std::string_view text, SampleRecording& recording, const std::stop_token& stop)
{
    return GeckoReader(recording).run(text, stop);
}

} // namespace helio::profiles
