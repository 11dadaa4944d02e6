#include "core/query/rows/messages.h"

#include "core/helper/helper_process.h"
#include "core/helper/sandbox_layers.h"
#include "core/query/rows/recording_kind.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"
#include "core/trace/packed/index_only_trace.h"
#include "core/trace/process/sample_view.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

namespace helio {

namespace {

using Severity = Diagnostic::Severity;

/// Formats a number with thin spaces between thousands: "1 204".
std::string counted(std::uint64_t n)
{
    std::string digits = std::to_string(n);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, "\u2009");
    }
    return digits;
}

std::string plural(std::uint64_t n, const std::string& one, const std::string& many) { return counted(n) + " " + (n == 1 ? one : many); }

std::string sentence(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    if (!text.empty() && text.back() != '.')
        text += '.';
    return text;
}

/// Returns a suffix that names the trace, " (HOST, TRACE)", if there are several traces, else an empty text.
std::string suffix(const Timeline& timeline, const TimelineTrace& it)
{
    if (timeline.traces.size() < 2 || !it.trace)
        return {};
    const std::string host = it.host < timeline.hosts.size() ? timeline.hosts[it.host].shownName() : std::string();
    return " (" + host + (host.empty() ? "" : ", ") + it.trace->info().name + ")";
}

/// True if the text begins with a number, which is then the count, so that no count needs to be appended.
bool saysCount(const std::string& text) { return !text.empty() && text.front() >= '0' && text.front() <= '9'; }

/// Merges messages of the same kind if more than MostOfAKind traces have one: keeps the first message and appends the number of other
/// traces.
std::vector<Message> joinEqual(std::vector<Message> all)
{
    constexpr std::size_t MostOfAKind = 3;
    std::map<std::string, std::vector<const Message*>> byKind;
    for (const Message& it : all)
        byKind[it.kind].push_back(&it);
    std::vector<Message> joined;
    for (const Message& it : all) {
        const auto& alike = byKind[it.kind];
        if (alike.size() > MostOfAKind && alike.front() != &it)
            continue;
        joined.push_back(it);
        if (alike.size() <= MostOfAKind)
            continue;
        joined.back().text += " " + counted(alike.size() - 1) + " more traces have similar problems.";
        for (const Message* other : alike)
            joined.back().severity = std::max(joined.back().severity, other->severity);
        for (std::size_t i = 1; i < alike.size(); ++i)
            joined.back().count += alike[i]->count;
    }
    return joined;
}

/// Returns the folder to which file names in the trace's diagnostics are relative: the trace's folder if the diagnostics come from
/// its facts. Empty if the diagnostics come from the trace's reader, because their file names are absolute.
std::filesystem::path folderOfDiagnostics(const TimelineTrace& it)
{
    const bool areOfFacts = it.trace && it.facts && !it.facts->summary().anomalies.empty();
    return areOfFacts ? it.trace->info().path : std::filesystem::path();
}

/// Adds one message for each kind of diagnostic, with the text and file of the most severe diagnostic. `where` is appended to the text;
/// file names are relative to `base`.
void addDiagnostics(const std::vector<const Diagnostic*>& all, const std::filesystem::path& base, const std::string& where,
                    std::vector<Message>& out)
{
    std::map<std::string, std::pair<const Diagnostic*, std::uint64_t>> byKind;
    for (const Diagnostic* it : all) {
        auto& [first, count] = byKind.try_emplace(it->kind, it, 0).first->second;
        count += it->count;
        if (it->severity > first->severity)
            first = it;
    }
    for (const auto& [kind, entry] : byKind) {
        const auto& [first, count] = entry;
        std::string text = sentence(first->what);
        if (!first->file.empty())
            text = (first->file == "." ? base : base / first->file).string() + ": " + text;
        if (count > 1 && !saysCount(first->what))
            text += " " + counted(count) + " occurrences.";
        out.push_back({first->severity, kind, text + where, count, {}, {}});
    }
}

constexpr std::uint64_t MostPlaces = 1000;

/// Returns the location of a problem as text: the host if there are several hosts, and the trace's name if the host has several traces.
std::string placeOf(const Timeline& timeline, const TimelineTrace& it)
{
    std::string place = timeline.hosts.size() > 1 && it.host < timeline.hosts.size() ? timeline.hosts[it.host].shownName() : std::string();
    if (it.trace && std::ranges::count(timeline.traces, it.host, &TimelineTrace::host) > 1)
        place += (place.empty() ? "" : ", ") + it.trace->info().name;
    return place;
}

void addLosses(const Timeline& timeline, std::vector<Message>& out)
{
    struct Sum {
        std::uint64_t events = 0;
        std::uint64_t packets = 0;
        std::uint64_t gaps = 0;
        std::vector<TimeRange> places{};
    };
    std::map<std::pair<std::uint32_t, std::int32_t>, Sum> sums;
    for (const LossRange& loss : losses(timeline, {Timestamp::min(), Timestamp::max()})) {
        Sum& sum = sums[{loss.trace, loss.cpu}];
        if (++sum.gaps <= MostPlaces)
            sum.places.push_back(loss.range);
        sum.events += loss.events;
        sum.packets += loss.packets;
    }
    for (auto& [key, sum] : sums) {
        std::ranges::sort(sum.places, {}, &TimeRange::begin);
        const auto& [trace, cpu] = key;
        std::string text = sum.events > 0 ? plural(sum.events, "event was lost", "events were lost")
            : sum.packets > 0             ? plural(sum.packets, "packet is missing or unreadable", "packets are missing or unreadable")
                                          : "An unknown number of events was lost";
        if (cpu >= 0)
            text += " on CPU " + std::to_string(cpu);
        const TimelineTrace& it = timeline.traces[trace];
        const std::string place = placeOf(timeline, it);
        if (!place.empty())
            text += " of " + place;
        text += sum.gaps > 1 ? ", in " + plural(sum.gaps, "gap", "gaps") : "";
        const bool hasStates = findTrack(timeline, trace, TrackRole::Cpu, [](TrackRef, const Track&) { return true; }).isValid();
        text += hasStates ? ". States there are unknown." : ".";
        out.push_back({Severity::Error, "lost-events", text, std::max(sum.events, sum.gaps), sum.places, {}});
    }
}

/// True if another trace of the same host, overlapping in time, has the events that a trace lacks: for example, a kernel trace has the
/// scheduler events that a user-space trace lacks.
bool isMadeUpFor(const Timeline& timeline, const TimelineTrace& lacking, const MissingEvents& need)
{
    return std::ranges::any_of(timeline.traces, [&](const TimelineTrace& other) {
        if (&other == &lacking || other.host != lacking.host || !other.facts || !lacking.facts)
            return false;
        const auto& a = other.facts->summary().range;
        const auto& b = lacking.facts->summary().range;
        // Tracers give the same event different names, so compare what the user loses without the events (`consequence`).
        const auto isSame = [&](const MissingEvents& it) { return it.consequence == need.consequence; };
        return a.begin < b.end && b.begin < a.end && std::ranges::none_of(other.missing, isSame);
    });
}

/// True if the trace is a recording of samples. Missing states of threads then cause no warning, because the user did not want to
/// record states.
bool isProfile(const TimelineTrace& it)
{
    const SampleReader* reader = it.trace ? it.trace->samples() : nullptr;
    return reader && std::ranges::any_of(reader->events(), [](const SampleEvent& event) { return !isTracepoint(event.name); });
}

/// True if the trace is a recording of slices by an application. Missing states of threads then cause no warning, because only a tracer of
/// the kernel records states.
bool isOfSlices(const Timeline& timeline, const TimelineTrace& it)
{
    return it.trace && it.trace->info().text("domain") != "kernel"
        && promisesCalls(timeline, static_cast<std::uint32_t>(&it - timeline.traces.data()));
}

/// Adds one message for each missing requirement. Names the hosts that lack it, unless all hosts lack it.
void addMissing(const Timeline& timeline, std::vector<Message>& out)
{
    struct Lack {
        const MissingEvents* need;
        std::vector<std::string> hosts;
        bool isWarning = false;
    };
    std::map<std::string, Lack> lacks;
    for (const TimelineTrace& it : timeline.traces)
        for (const MissingEvents& need : it.missing) {
            // Leave out requirements of XML analyses and plug-ins, because their views report them.
            if ((!need.view.empty() && !isBuiltinView(need.view)) || isMadeUpFor(timeline, it, need))
                continue;
            std::string names;
            for (const std::string& name : need.anyOf)
                names += (names.empty() ? "" : " or ") + name;
            const char* how = need.isSampled ? " was only sampled, not fully recorded" : " was not recorded";
            Lack& lack = lacks.try_emplace(need.consequence + ": " + names + how, Lack{&need, {}, false}).first->second;
            // Only missing events of basic views are warnings; other views need special recordings.
            lack.isWarning |=
                need.isEssential && !isProfile(it) && !isOfSlices(timeline, it) && viewDescription(timeline, need.view).isBasic;
            const std::string host = it.host < timeline.hosts.size() ? timeline.hosts[it.host].shownName() : std::string();
            if (std::ranges::find(lack.hosts, host) == lack.hosts.end())
                lack.hosts.push_back(host);
        }
    for (const auto& [text, lack] : lacks) {
        const std::string unable = lack.need->unable.empty() ? "" : " (" + lack.need->unable + " cannot record it)";
        std::string where;
        if (lack.hosts.size() < timeline.hosts.size())
            for (const std::string& host : lack.hosts)
                where += (where.empty() ? " on " : ", ") + host;
        out.push_back({lack.isWarning ? Severity::Warning : Severity::Info,
                       "missing-events",
                       sentence(text + where + unable),
                       1,
                       {},
                       lack.need->command});
    }
}

std::vector<const TraceInfo*> infosOf(const Timeline* timeline)
{
    std::vector<const TraceInfo*> infos;
    if (timeline)
        for (const TimelineTrace& it : timeline->traces)
            if (it.trace)
                infos.push_back(&it.trace->info());
    return infos;
}

} // namespace

std::vector<const Diagnostic*> anomaliesOf(const Timeline& timeline, std::uint32_t trace)
{
    std::vector<const Diagnostic*> all;
    const auto add = [&all](std::span<const Diagnostic> diagnostics) {
        for (const Diagnostic& it : diagnostics)
            all.push_back(&it);
    };
    const TimelineTrace& it = timeline.traces[trace];
    // Add the trace's own diagnostics only if its facts have no anomalies, because the anomalies include the diagnostics.
    if (it.facts && !it.facts->summary().anomalies.empty())
        add(it.facts->summary().anomalies);
    else if (it.trace)
        add(it.trace->diagnostics());
    forEachStoreOf(timeline, trace, [&](StoreIndex, const Store& store) {
        if (&store != it.facts.get())
            add(store.summary().anomalies);
    });
    return all;
}

std::vector<Message> damages(const Timeline& timeline)
{
    std::vector<Message> out;
    for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace) {
        const TimelineTrace& it = timeline.traces[trace];
        bool isDamaged = it.facts && it.facts->isDamaged();
        forEachStoreOf(timeline, trace, [&](StoreIndex, const Store& store) { isDamaged = isDamaged || store.isDamaged(); });
        addDiagnostics(anomaliesOf(timeline, trace), folderOfDiagnostics(it), suffix(timeline, it), out);
        if (isDamaged)
            out.push_back({Severity::Warning,
                           "damaged-store",
                           "The index is damaged; reload the trace to rebuild it" + suffix(timeline, it) + ".",
                           1,
                           {},
                           {}});
    }
    std::vector<Message> all;
    addLosses(timeline, all);
    std::ranges::move(joinEqual(std::move(out)), std::back_inserter(all));
    return all;
}

std::vector<Message> damagesOf(const Timeline& timeline, std::uint32_t trace, const std::vector<Diagnostic>& diagnostics)
{
    std::vector<Message> out;
    std::vector<const Diagnostic*> all;
    for (const Diagnostic& it : diagnostics)
        all.push_back(&it);
    addDiagnostics(all, {}, suffix(timeline, timeline.traces[trace]), out);
    return out;
}

RecordingAdvice adviseRecording(RecordableData data, const Timeline* timeline, const Timeline* other)
{
    std::vector<const TraceInfo*> infos = infosOf(timeline);
    const std::vector<const TraceInfo*> others = infosOf(other);
    infos.insert(infos.end(), others.begin(), others.end());
    return adviseRecording(data, infos);
}

std::string adviseRecordingOf(const Timeline& timeline, std::string_view view)
{
    const MissingEvents* first = nullptr;
    for (const TimelineTrace& it : timeline.traces)
        for (const MissingEvents& need : it.missing)
            if (need.view == view && !need.command.empty() && (!first || (need.isEssential && !first->isEssential)))
                first = &need;
    if (first)
        return first->advice().sentences();
    const TrackView shown = viewDescription(timeline, view);
    const auto infos = infosOf(&timeline);
    return (shown.events.empty() ? adviseRecording(shown.data, infos) : adviseRecordingEvents(shown.events, infos)).sentences();
}

std::vector<Message> missingRecordings(const Timeline& timeline)
{
    std::vector<Message> out;
    for (const TimelineTrace& it : timeline.traces) {
        const auto* const packed = dynamic_cast<const IndexOnlyTrace*>(it.trace.get());
        if (!packed)
            continue;
        if (const PartialFolder* const rest = packed->rest(); rest && !rest->problem().empty())
            out.push_back({Severity::Error, "connection", rest->problem() + ". What was not transferred yet is missing.", 1, {}, {}});
        const SampleReader* const samples = packed->samples();
        const bool lacksCallers = samples && std::ranges::any_of(samples->events(), &SampleEvent::hasUserState);
        const PartialFolder* const rest = packed->rest();
        std::string text = packed->info().path.string();
        text += rest ? " is read from the index on " + rest->machine() : std::string(" is an index without its recording");
        text += ": it has no single events, and no ";
        text += lacksCallers ? "fields, packets or callers of samples (their stacks must be unwound)." : "fields or packets.";
        if (!rest)
            text += " The recording was " + packed->recordedPath().string() + ".";
        out.push_back({Severity::Info, "index-only", std::move(text), 1, {}, {}});
    }
    return out;
}

std::vector<Message> messages(const Timeline& timeline)
{
    std::vector<Message> out = damages(timeline);
    std::vector<const Diagnostic*> whole;
    for (const Diagnostic& it : timeline.diagnostics)
        whole.push_back(&it);
    addDiagnostics(whole, {}, {}, out);
    for (Message& it : out)
        if (it.kind == UnsynchronizedClocks)
            it.text += " Set the offsets in the Clocks dock.";
    addMissing(timeline, out);
    std::ranges::move(missingRecordings(timeline), std::back_inserter(out));
    if (const auto libraries = usedLibraries(); !libraries.empty())
        out.push_back({Severity::Info, "helper-programs", sandboxText(libraries, kernelSandbox()), libraries.size(), {}, {}});
    std::ranges::stable_sort(out, [](const Message& a, const Message& b) { return a.severity > b.severity; });
    return out;
}

} // namespace helio
