#include "core/experiment/timeline_composer.h"

#include "core/experiment/correlation_cache.h"
#include "core/experiment/host_alignment.h"
#include "core/experiment/trace_indexer.h"
#include "core/symbol/unwinding/unwinder.h"

#include <algorithm>
#include <ctime>
#include <numeric>
#include <set>
#include <utility>

namespace helio {
namespace {

/// Returns an identifier of a trace's host. A boot id identifies a running kernel, whereas hostnames may be ambiguous.
std::string hostId(const TraceInfo& info)
{
    if (!info.clock.uuid.empty())
        return info.clock.uuid;
    if (!info.hostname.empty())
        return "name:" + info.hostname;
    return "path:" + info.path.string();
}

std::uint32_t hostIndex(std::vector<TimelineHost>& hosts, const TraceInfo& info)
{
    const std::string id = hostId(info);
    const auto it = std::find_if(hosts.begin(), hosts.end(), [&](const TimelineHost& host) { return host.id == id; });
    if (it != hosts.end()) {
        if (it->name.empty() && !info.hostname.empty())
            it->name = it->label = info.hostname;
        return static_cast<std::uint32_t>(it - hosts.begin());
    }
    hosts.push_back({id, info.hostname.empty() ? info.name : info.hostname, info.hostname});
    return static_cast<std::uint32_t>(hosts.size() - 1);
}

/// Makes the hosts' labels unique, because files, filters and the user's settings identify hosts by label. If several hosts have one
/// hostname, for example a machine before and after a reboot, the second is labelled "web#2".
void distinguishLabels(std::vector<TimelineHost>& hosts)
{
    std::set<std::string> taken;
    for (const TimelineHost& host : hosts)
        taken.insert(host.label);
    std::set<std::string> seen;
    for (TimelineHost& host : hosts) {
        const std::string name = host.label;
        for (int number = 2; !seen.insert(host.label).second; ++number)
            if (std::string numbered = name + '#' + std::to_string(number); !taken.contains(numbered))
                host.label = std::move(numbered);
        taken.insert(host.label);
    }
}

std::optional<Duration> findOffset(const TraceInfo& info, const std::map<std::string, Duration>& offsets)
{
    for (const auto& [name, offset] : offsets)
        if (name == info.name || name == info.path.string() || std::filesystem::path(name).lexically_normal() == info.path)
            return offset;
    return {};
}

std::vector<MissingEvents> requirementsOf(const Trace& trace, const Analyses& analyses)
{
    std::vector<MissingEvents> all;
    for (const auto& kind : analyses.all())
        if (!analyses.isOff(kind->id()))
            for (MissingEvents& requirement : kind->missing(trace))
                all.push_back(std::move(requirement));
    return all;
}

void takeClocks(Timeline& timeline, const Correlation& relation)
{
    for (const ClockCorrection& it : relation.clocks) {
        if (it.trace >= timeline.traces.size() || it.reference >= timeline.traces.size() || timeline.traces[it.trace].given)
            continue;
        timeline.traces[it.trace].ownClock = it.clock;
        timeline.traces[it.trace].clockReference = it.reference;
        if (it.note)
            timeline.diagnostics.push_back(*it.note);
    }
}

void takeRows(Timeline& timeline, std::size_t kind, const Correlation& relation)
{
    for (std::size_t trace = 0; trace < timeline.traces.size(); ++trace)
        if (const auto place = static_cast<std::size_t>(rowsOf(timeline, trace, kind)); place < timeline.stores.size()) {
            const auto found = std::ranges::find(relation.rows, trace, &CorrelatorRows::trace);
            timeline.stores[place].store = found != relation.rows.end() ? found->store : nullptr;
            timeline.stores[place].isOfAll = found != relation.rows.end() && found->belongsToAllTraces;
        }
}

/// Groups of hosts whose times are comparable, because correlators or the user related their clocks. Hosts of one group have equal group
/// numbers.
class RelatedHosts {
public:
    explicit RelatedHosts(const Timeline& timeline)
        : m_groups(timeline.hosts.size())
    {
        std::iota(m_groups.begin(), m_groups.end(), 0u);
        for (const TimelineTrace& t : timeline.traces)
            if (t.clockReference)
                relate(t.host, timeline.traces[*t.clockReference].host);
        for (std::uint32_t host = 0; timeline.appliesClocks && host < timeline.hosts.size(); ++host)
            relate(host, rootOf(timeline, host));
        relateGiven(timeline);
    }

    std::uint32_t groupOf(std::uint32_t host) const { return m_groups[host]; }

private:
    /// Puts each host for which the user gave an offset into the group of the reference host.
    void relateGiven(const Timeline& timeline)
    {
        for (const TimelineTrace& t : timeline.traces)
            if (t.given && t.trace->info().hasTimes)
                relate(t.host, timeline.reference);
    }

    void relate(std::uint32_t a, std::uint32_t b)
    {
        const std::uint32_t from = m_groups[a];
        const std::uint32_t to = m_groups[b];
        std::ranges::replace(m_groups, from, to);
    }

    std::vector<std::uint32_t> m_groups; ///< Group of each host, indexed by host. Hosts of one group have synchronized clocks.
};

void addPlaces(Timeline& timeline)
{
    for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace) {
        timeline.stores.insert(timeline.stores.end(), timeline.analyses->all().size(), {trace, {}, false});
        timeline.stores.insert(timeline.stores.end(), timeline.correlatorRegistry->all().size(), {trace, {}, false, true});
    }
}

/// Applies the user's offsets on top of the known clocks of the traces.
void setOffsets(Timeline& timeline, const std::map<std::string, Duration>& offsets)
{
    for (TimelineTrace& t : timeline.traces)
        if (const auto given = findOffset(t.trace->info(), offsets))
            t.given = given;
}

/// Returns the hosts that have times, in one list for each group of related hosts.
std::vector<std::vector<std::uint32_t>> groupsOf(const Timeline& timeline, const RelatedHosts& related)
{
    std::set<std::uint32_t> hosts;
    for (const TimelineTrace& t : timeline.traces)
        if (t.trace->info().hasTimes)
            hosts.insert(t.host);
    std::vector<std::vector<std::uint32_t>> groups;
    for (const std::uint32_t host : hosts) {
        const auto isOfIt = [&](const auto& group) { return related.groupOf(group.front()) == related.groupOf(host); };
        const auto found = std::ranges::find_if(groups, isOfIt);
        (found == groups.end() ? groups.emplace_back() : *found).push_back(host);
    }
    return groups;
}

/// Returns the number of the groups and the names of their hosts, for a message. Groups of several synchronized hosts are also named,
/// because their times cannot be compared with the times of other groups.
std::string namesOf(const Timeline& timeline, const std::vector<std::vector<std::uint32_t>>& groups)
{
    const bool areAlone = std::ranges::all_of(groups, [](const auto& group) { return group.size() == 1; });
    std::string names;
    for (const auto& group : groups) {
        names += names.empty() ? "" : areAlone ? ", " : "; ";
        for (const std::uint32_t host : group)
            names += (host == group.front() ? "" : ", ") + timeline.hosts[host].label;
    }
    const std::string what = hasHostNames(timeline) ? "hosts (" : "recordings (";
    return std::to_string(groups.size()) + (areAlone ? " " : " groups of ") + what + names + ')';
}

/// Returns the clock's name for a message, and what its times count from if they count from the Unix epoch.
std::string nameOf(const ClockInfo& clock) { return clock.name + (clock.isAbsolute ? ", anchored to the wall clock" : ""); }

/// Adds a message for each trace whose clock is another one than that of the other traces of its host.
void noteOtherClocks(Timeline& timeline)
{
    for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace)
        if (const auto other = findOtherClock(timeline, trace)) {
            const TraceInfo& info = timeline.traces[trace].trace->info();
            const TraceInfo& with = timeline.traces[*other].trace->info();
            timeline.diagnostics.push_back({Diagnostic::Severity::Warning, std::string(UnsynchronizedClocks), info.path.string(), 0, 1,
                                            "its clock (" + nameOf(info.clock) + ") is not related to the clock of " + with.name + " ("
                                                + nameOf(with.clock) + "); their times are not comparable"});
        }
}

/// ClockInfo::name of a recording whose times are times of day in local time, without a date, e.g. of `strace -tt`.
constexpr std::string_view TimeOfDayClock = "time of day";
constexpr std::string_view MissingDate = "missing-date"; ///< Kind of the message about such a recording.

/// Returns the offset in ns from times of day to the wall clock, on the local day that is `days` after the day of `at`. It is that of the
/// time of day `begin` in ns, because the day may have a change to or from summer time. nullopt if there is no such day.
std::optional<Duration> offsetOfDay(Timestamp at, int days, std::int64_t begin)
{
    constexpr std::int64_t Second = 1'000'000'000;
    const auto seconds = static_cast<std::time_t>(nanoseconds(at) / Second);
    std::tm local{};
    if (!localtime_r(&seconds, &local))
        return {};
    const std::int64_t second = std::clamp<std::int64_t>(begin / Second, 0, 1'000'000);
    local.tm_mday += days;
    local.tm_hour = static_cast<int>(second / 3600); // mktime() handles hours beyond the end of the day.
    local.tm_min = static_cast<int>(second / 60 % 60);
    local.tm_sec = static_cast<int>(second % 60);
    local.tm_isdst = -1;
    std::int64_t offset = 0;
    if (__builtin_mul_overflow(std::int64_t(std::mktime(&local)) - second, Second, &offset))
        return {};
    return Duration(offset);
}

/// Returns the offset that puts times of day on the only day on which they overlap with `range`; nullopt if there is none or several.
std::optional<Duration> findDay(HostRange times, TimeRange range)
{
    constexpr int MostDays = 400;
    std::optional<Duration> found;
    for (int day = -1; day < MostDays; ++day) {
        const auto offset = offsetOfDay(range.begin, day, nanoseconds(times.begin));
        if (!offset || sumOf(Duration(nanoseconds(times.begin)), *offset).count() > nanoseconds(range.end))
            break;
        if (sumOf(Duration(nanoseconds(times.end)), *offset).count() < nanoseconds(range.begin))
            continue;
        if (found)
            return {};
        found = offset;
    }
    return found;
}

/// Adds a message for each trace with times of day, without a date, that overlap with the wall-clock times of another trace on some day.
/// The message says how to set this day.
void noteMissingDates(Timeline& timeline)
{
    for (const TimelineTrace& t : timeline.traces) {
        const TraceInfo& info = t.trace->info();
        if (info.clock.name != TimeOfDayClock || t.given || t.claimed == HostRange{})
            continue;
        for (const TimelineTrace& other : timeline.traces) {
            const TraceInfo& with = other.trace->info();
            const auto range = with.clock.isAbsolute && with.hasTimes ? traceRange(other) : std::nullopt;
            const auto offset = range ? findDay(t.claimed, *range) : std::nullopt;
            if (!offset)
                continue;
            timeline.diagnostics.push_back({Diagnostic::Severity::Info, std::string(MissingDate), info.path.string(), 0, 1,
                                            "the times have no date; if the computer had the time zone of this one, they overlap with "
                                                + with.name + " by --offset " + info.name + "=" + std::to_string(offset->count())});
            break;
        }
    }
}

/// Removes the diagnostics that the correlator's previous result added.
void dropDiagnostics(Timeline& timeline, const Correlation& before)
{
    const auto drop = [&](const Diagnostic& it) {
        std::erase_if(timeline.diagnostics,
                      [&](const Diagnostic& other) { return other.kind == it.kind && other.what == it.what && other.file == it.file; });
    };
    for (const Diagnostic& it : before.diagnostics)
        drop(it);
    for (const ClockCorrection& it : before.clocks)
        if (it.note)
            drop(*it.note);
}

/// Removes the clocks that the correlator's previous result added.
void dropClocks(Timeline& timeline, const Correlation& before)
{
    for (const ClockCorrection& it : before.clocks)
        if (it.trace < timeline.traces.size()) {
            timeline.traces[it.trace].ownClock = {};
            timeline.traces[it.trace].clockReference.reset();
        }
}

} // namespace

void setTrace(TimelineTrace& t, std::shared_ptr<const Trace> trace, const Analyses& analyses)
{
    t.missing = requirementsOf(*trace, analyses);
    t.claimed = claimedRange(*trace);
    if (trace->samples() && !t.unwound)
        t.unwound = std::make_shared<UnwoundStacks>();
    t.trace = std::move(trace);
}

void runOpeningCorrelators(Timeline& timeline)
{
    // The user's offsets are added to the clocks that the correlators find, see setOffsets(). takeClocks() takes no clocks of traces with
    // an offset.
    std::vector<std::optional<Duration>> given;
    for (TimelineTrace& t : timeline.traces)
        given.push_back(std::exchange(t.given, std::nullopt));
    const auto kinds = timeline.correlatorRegistry->all();
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        if (kinds[kind]->when() != Correlator::When::Opened || !kinds[kind]->appliesTo(timeline))
            continue;
        if (kind < timeline.relations.size() && timeline.relations[kind])
            dropClocks(timeline, *timeline.relations[kind]);
        if (auto relation = kinds[kind]->make(timeline, {}, {}))
            addCorrelation(timeline, kind, std::make_shared<const Correlation>(std::move(*relation)));
        else
            timeline.diagnostics.push_back(correlatorFailure(*kinds[kind], relation.error()));
    }
    for (std::size_t i = 0; i < given.size(); ++i)
        timeline.traces[i].given = given[i];
    alignHosts(timeline);
}

Timeline composeTimeline(const std::vector<std::shared_ptr<const Trace>>& traces, const ExperimentOptions& options)
{
    Timeline timeline;
    if (options.analyses)
        timeline.analyses = options.analyses;
    if (options.relations)
        timeline.correlatorRegistry = options.relations;
    for (const auto& trace : traces) {
        TimelineTrace& t = timeline.traces.emplace_back();
        t.host = hostIndex(timeline.hosts, trace->info());
        setTrace(t, trace, *timeline.analyses);
    }
    distinguishLabels(timeline.hosts);
    addPlaces(timeline);
    timeline.appliesClocks = options.synchronize;
    runOpeningCorrelators(timeline);
    setOffsets(timeline, options.offsets);
    timeline.clockSettings = options.clocks;
    alignHosts(timeline);
    assessClocks(timeline);
    timeline.answers = std::make_shared<CorrelationCache>();
    timeline.symbolizer = Symbolizer::make(options.symbols);
    return timeline;
}

std::size_t placeOf(const Timeline& timeline, std::size_t trace, std::size_t analysis)
{
    return trace * (timeline.analyses->all().size() + timeline.correlatorRegistry->all().size()) + analysis;
}

StoreIndex rowsOf(const Timeline& timeline, std::size_t trace, std::size_t relation)
{
    return StoreIndex{static_cast<std::uint32_t>(placeOf(timeline, trace, timeline.analyses->all().size() + relation))};
}

std::optional<TimeRange> traceRange(const TimelineTrace& t)
{
    const bool isIndexed = t.facts && t.facts->isComplete();
    if (isIndexed && t.facts->summary().events == 0)
        return {};
    const HostRange own = isIndexed ? t.facts->summary().range : t.claimed;
    return own == HostRange{} ? std::nullopt : std::optional(t.clock(own));
}

TimeRange experimentRange(const Timeline& timeline)
{
    std::optional<TimeRange> all;
    const bool hasTimes =
        std::any_of(timeline.traces.begin(), timeline.traces.end(), [](const TimelineTrace& t) { return t.trace->info().hasTimes; });
    for (const TimelineTrace& t : timeline.traces) {
        if (hasTimes && !t.trace->info().hasTimes)
            continue; // Skip a trace without times: all its events have the time 0.
        if (const auto range = traceRange(t))
            all = all ? TimeRange{std::min(all->begin, range->begin), std::max(all->end, range->end)} : *range;
    }
    return all.value_or(TimeRange{});
}

void assessClocks(Timeline& timeline)
{
    std::erase_if(timeline.diagnostics, [](const Diagnostic& it) { return it.kind == UnsynchronizedClocks || it.kind == MissingDate; });
    const RelatedHosts related(timeline);
    for (TimelineHost& host : timeline.hosts)
        host.isSynchronized = true;
    countCausalityViolations(timeline);
    timeline.range = experimentRange(timeline);
    noteOtherClocks(timeline);
    noteMissingDates(timeline);
    const std::vector<std::vector<std::uint32_t>> groups = groupsOf(timeline, related);
    if (groups.size() < 2)
        return;
    for (const auto& group : groups)
        for (const std::uint32_t host : group)
            timeline.hosts[host].isSynchronized = related.groupOf(host) == related.groupOf(timeline.reference);
    timeline.diagnostics.push_back(
        {Diagnostic::Severity::Warning,
         std::string(UnsynchronizedClocks),
         {},
         0,
         1,
         "the clocks of " + namesOf(timeline, groups) + " are not synchronized; their times are not comparable"});
}

Diagnostic correlatorFailure(const Correlator& kind, const Error& error)
{
    return {Diagnostic::Severity::Error, "not-related", {}, 0, 1, "correlator \"" + std::string(kind.id()) + "\": " + error.what};
}

void addCorrelation(Timeline& timeline, std::size_t kind, std::shared_ptr<const Correlation> relation)
{
    timeline.relations.resize(std::max(timeline.relations.size(), kind + 1));
    if (timeline.relations[kind])
        dropDiagnostics(timeline, *timeline.relations[kind]);
    if (timeline.appliesClocks)
        takeClocks(timeline, *relation);
    takeRows(timeline, kind, *relation);
    timeline.diagnostics.insert(timeline.diagnostics.end(), relation->diagnostics.begin(), relation->diagnostics.end());
    const bool changesClocks = relation->comparisons || !relation->clocks.empty();
    timeline.relations[kind] = std::move(relation);
    if (changesClocks)
        alignHosts(timeline);
}

} // namespace helio
