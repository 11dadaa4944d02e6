#include "app/cli/command.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/table_options.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/helper/helper_process.h"
#include "core/helper/sandbox_layers.h"
#include "core/profiling/samples/amount_text.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/views.h"
#include "core/timesync/clock_relation.h"
#include "core/trace/recorded_cpus.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace helio {
namespace {

struct InfoOptions {
    TableOptions table{"info", {"text", "json"}};

    void addTo(OptionList& options)
    {
        table.addTo(options, RowFilterHelp);
        options.ignored("--view");
        table.format.addTo(options);
    }
    std::string missing() const { return table.missing(); }
    Status read() { return table.read(); }
};

/// The facts that `info` prints for one trace.
struct TraceInfoText {
    const TimelineTrace* trace = nullptr;
    std::string host;
    TimeRange range{};
    /// Offset in ns that is added to the trace's times in the middle of the trace. At other times, the offset differs if the clock drifts.
    Duration shift{};
    std::size_t cpus = 0;
    /// Phrase for the user about the relation of the trace's clock to the experiment's clock (clockRelation()); empty if only one trace is
    /// open or the trace has no times.
    std::string relation;
    std::map<std::string, std::uint64_t> anomalies; ///< Number of anomalies by kind.
};

/// Returns pairs of sampled event and count, in the order in which the events were requested when recording; omits events without samples.
std::vector<std::pair<std::string, std::string>> countSamples(const SampleReader& samples, const StoreSummary& summary)
{
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    // Number by which the counts are divided for the output, because counts with decimals are stored as integers. All events of a trace
    // have the same divisor.
    std::uint64_t divisor = 1;
    for (const SampleEvent& event : samples.events()) {
        const auto type = static_cast<std::size_t>(event.type);
        if (type >= summary.eventsByType.size() || summary.eventsByType[type] == 0)
            continue;
        const std::uint64_t count = event.isCounted ? event.counted : summary.eventsByType[type];
        divisor = event.divisor;
        const auto same = std::find_if(counts.begin(), counts.end(), [&](const auto& it) { return it.first == event.name; });
        if (same == counts.end())
            counts.emplace_back(event.name, count);
        else
            same->second += count; // Merge counts of event types with the same name.
    }
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& [name, count] : counts)
        texts.emplace_back(name, exactCount(count, divisor));
    return texts;
}

Duration shiftAt(const ClockTransform& clock, HostTimestamp at) { return clock(at).time_since_epoch() - at.time_since_epoch(); }

/// True if the clock drifts, i.e. the offset at the trace's start differs from the offset at its end.
bool drifts(const TraceInfoText& facts)
{
    const ClockTransform& clock = facts.trace->clock;
    const HostRange recorded = facts.trace->facts->summary().range;
    return shiftAt(clock, recorded.begin) != facts.shift || shiftAt(clock, recorded.end) != facts.shift;
}

TraceInfoText factsOf(const Timeline& timeline, const TimelineTrace& t)
{
    TraceInfoText facts;
    facts.trace = &t;
    facts.host = t.host < timeline.hosts.size() ? timeline.hosts[t.host].name : std::string();
    const HostRange recorded = t.facts->summary().range;
    facts.range = t.clock(recorded);
    facts.shift = shiftAt(t.clock, recorded.begin + (recorded.end - recorded.begin) / 2);
    facts.cpus = countRecordedCpus(*t.trace);
    facts.relation = clockRelation(timeline, static_cast<std::uint32_t>(&t - timeline.traces.data()));
    for (const Diagnostic* anomaly : anomaliesOf(timeline, static_cast<std::uint32_t>(&t - timeline.traces.data())))
        facts.anomalies[anomaly->kind] += anomaly->count;
    if (t.host < timeline.hosts.size() && !timeline.hosts[t.host].isSynchronized && t.trace->info().hasTimes)
        ++facts.anomalies[std::string(UnsynchronizedClocks)];
    return facts;
}

void writeTime(JsonWriter& json, std::string_view name, bool isKnown, Timestamp time)
{
    json.key(name);
    if (isKnown)
        json.value(nanoseconds(time));
    else
        json.null();
}

void writeEnvironment(JsonWriter& json, const TraceInfo& info)
{
    json.key("env").beginObject();
    for (const auto& [key, value] : info.environment)
        std::visit([&](const auto& v) { json.member(key, v); }, value);
    json.endObject();
}

void writeTrace(JsonWriter& json, const TraceInfoText& facts)
{
    const TraceInfo& info = facts.trace->trace->info();
    const StoreSummary& summary = facts.trace->facts->summary();
    json.beginObject();
    json.member("path", info.path.string());
    json.member("format", info.format);
    json.member("reader", info.reader);
    json.member("recognized", wordOf(info.recognition));
    json.member("host", facts.host);
    json.member("uuid", info.uuid);
    json.key("clock").beginObject();
    json.member("name", info.clock.name);
    json.member("offset_ns", info.clock.offset);
    json.member("frequency", info.clock.frequency);
    json.member("absolute", info.clock.isAbsolute);
    if (!info.clock.description.empty())
        json.member("description", info.clock.description);
    json.member("correction_ns", std::int64_t(facts.shift.count()));
    if (!facts.relation.empty())
        json.member("relation", facts.relation);
    json.endObject();
    writeTime(json, "begin_ns", summary.events > 0 && info.hasTimes, facts.range.begin);
    writeTime(json, "end_ns", summary.events > 0 && info.hasTimes, facts.range.end);
    json.member("events", summary.events);
    json.member("lost_events", summary.lostEvents);
    json.member("lost_packets", summary.lostPackets);
    // Gaps include damaged data, for which the number of lost events is unknown.
    json.member("gaps", std::uint64_t(facts.trace->facts->losses().size()));
    json.member("streams", std::uint64_t(facts.trace->trace->streams().size()));
    json.member("cpus", std::uint64_t(facts.cpus));
    json.member("bytes", info.bytes);
    if (const SampleReader* samples = facts.trace->trace->samples()) {
        json.key("samples").beginObject();
        for (const auto& [name, count] : countSamples(*samples, summary))
            json.key(name).written(count);
        json.endObject();
    }
    json.key("anomalies").beginArray();
    for (const auto& [kind, count] : facts.anomalies) {
        json.beginObject();
        json.member("kind", kind);
        json.member("count", count);
        json.endObject();
    }
    json.endArray();
    writeEnvironment(json, info);
    json.endObject();
}

void writeJson(std::string& out, const Timeline& timeline)
{
    JsonWriter json(out);
    json.beginObject();
    json.key("traces").beginArray();
    bool hasEvents = false;
    for (const TimelineTrace& t : timeline.traces) {
        writeTrace(json, factsOf(timeline, t));
        hasEvents = hasEvents || (t.facts->summary().events > 0 && t.trace->info().hasTimes);
    }
    json.endArray();
    writeTime(json, "begin_ns", hasEvents, timeline.range.begin);
    writeTime(json, "end_ns", hasEvents, timeline.range.end);
    json.key("helpers").beginArray();
    for (const std::string& library : usedLibraries())
        json.value(library);
    json.endArray();
    json.endObject();
    out += '\n';
}

std::string lostText(const TraceFacts& facts)
{
    const StoreSummary& summary = facts.summary();
    if (summary.lostPackets)
        return fmt::format("{}, and {} packets", summary.lostEvents, summary.lostPackets);
    const std::size_t gaps = facts.losses().size(); // Gaps include damaged data, for which the number of lost events is unknown.
    if (summary.lostEvents == 0 && gaps > 0)
        return fmt::format("unknown ({} {})", gaps, gaps == 1 ? "gap" : "gaps");
    return std::to_string(summary.lostEvents);
}

class TextInfo {
public:
    TextInfo(std::string& out, TimeStyle times)
        : m_out(out)
        , m_times(times)
    {
    }

    void trace(const TraceInfoText& facts)
    {
        const TraceInfo& info = facts.trace->trace->info();
        const StoreSummary& summary = facts.trace->facts->summary();
        line("trace", info.path.string());
        line("format", info.format + ", read by " + info.reader + ", recognized " + std::string(groundOf(info.recognition)));
        line("host", facts.host.empty() ? "not recorded" : facts.host);
        line("clock", clock(info, facts));
        if (!facts.relation.empty())
            line("related", facts.relation);
        line("events",
             fmt::format("{} in {} streams", summary.events, facts.trace->trace->streams().size())
                 + (facts.cpus > 0 ? fmt::format(", {} CPUs", facts.cpus) : ""));
        if (const SampleReader* samples = facts.trace->trace->samples())
            for (const auto& [name, count] : countSamples(*samples, summary))
                line("samples", fmt::format("{} of {}", count, name));
        line("lost events", lostText(*facts.trace->facts));
        if (summary.events > 0 && info.hasTimes)
            range(facts.range);
        for (const auto& [kind, count] : facts.anomalies)
            line("anomaly", fmt::format("{} {} times", kind, count));
        for (const MissingEvents& need : facts.trace->missing)
            if (isBuiltinView(need.view) && (need.isEssential || !lacksEssentials(facts.trace->missing, need.view)))
                line(need.isSampled ? "sampled" : "not recorded", need.consequence + " (" + need.view + ")" + need.advice().suffix());
        for (const auto& [key, value] : info.environment)
            line("env", key + " = " + (value.index() == 0 ? std::to_string(std::get<0>(value)) : '"' + std::get<1>(value) + '"'));
        m_out += '\n';
    }

    void line(std::string_view name, const std::string& text)
    {
        fmt::format_to(std::back_inserter(m_out), "{:<13} ", name);
        appendPrintable(m_out, text);
        m_out += '\n';
    }

    void range(TimeRange range)
    {
        std::string text;
        m_times.append(text, nanoseconds(range.begin));
        line("begin", fmt::format("{} ({} ns)", text, nanoseconds(range.begin)));
        text.clear();
        m_times.append(text, nanoseconds(range.end));
        line("end", fmt::format("{} ({} ns)", text, nanoseconds(range.end)));
        text.clear();
        appendDuration(text, range.duration().count());
        line("duration", text);
    }

private:
    /// True if the view is empty because essential events are missing. Other missing events then need not be printed.
    static bool lacksEssentials(const std::vector<MissingEvents>& missing, const std::string& view)
    {
        return std::any_of(missing.begin(), missing.end(),
                           [&](const MissingEvents& need) { return need.isEssential && need.view == view; });
    }

    static std::string clock(const TraceInfo& info, const TraceInfoText& facts)
    {
        if (!info.hasTimes)
            return "none: " + info.clock.description;
        std::string text = fmt::format("{}, {} Hz, offset {} ns", info.clock.name.empty() ? "unnamed" : info.clock.name,
                                       info.clock.frequency, info.clock.offset);
        if (!info.clock.isAbsolute)
            text += ", no wall-clock reference";
        if (facts.shift != Duration{})
            text += fmt::format(", shifted by {} ns{}", facts.shift.count(), drifts(facts) ? " in the middle of the trace" : "");
        if (!info.clock.isAbsolute && !info.clock.description.empty())
            text += ": " + info.clock.description;
        return text;
    }

    std::string& m_out;
    TimeStyle m_times;
};

void writeText(std::string& out, const Timeline& timeline)
{
    TextInfo text(out, TimeStyle(hasEpoch(timeline)));
    for (const TimelineTrace& t : timeline.traces)
        text.trace(factsOf(timeline, t));
    if (timeline.traces.size() > 1) {
        const std::size_t count = timeline.hosts.size();
        const std::string hosts =
            hasHostNames(timeline) ? fmt::format("{} host{}", count, count == 1 ? "" : "s") : std::string("hosts not recorded");
        text.line("experiment", fmt::format("{} traces, {}", timeline.traces.size(), hosts));
        text.range(timeline.range);
    }
    if (const auto hosts = unsynchronizedHosts(timeline); !hosts.empty())
        text.line("clocks",
                  fmt::format("not synchronized: {} cannot be related to {}; their times are not comparable. Use --offset TRACE=NS "
                              "or --sync FILE",
                              fmt::join(hosts, ", "), timeline.hosts[timeline.reference].shownName()));
    for (const Diagnostic& note : timeline.diagnostics)
        if (note.severity == Diagnostic::Severity::Info)
            text.line("note", note.file.empty() ? note.what : note.file + ": " + note.what);
    if (const std::string used = sandboxText(usedLibraries(), kernelSandbox()); !used.empty())
        text.line("note", used);
}

int run(const InfoOptions& options)
{
    const auto opened = openExperiment(options.table.traces, options.table.reading, options.table.selection);
    if (!opened)
        return failWith(opened.error());
    Output output;
    if (options.table.format.output == OutputFormat::Json)
        writeJson(output.buffer(), *opened->timeline);
    else
        writeText(output.buffer(), *opened->timeline);
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command infoCommand;
const Command infoCommand{10, "info", "Summarize each trace: format, host, clock, event counts, losses, time span",
                          callOf<InfoOptions, run>,
                          R"(heliograph info TRACE
heliograph info TRACE --json | jq '.traces[].events'
)"};

} // namespace helio
