#include "core/experiment/clock_evidence.h"
#include "core/experiment/host_alignment.h"
#include "core/experiment/timeline_composer.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace helio {
namespace {

constexpr const char* UnsynchronizedClocks = "unsynchronized-clocks";

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

/// Groups of hosts whose clocks are related: hosts are related if they have the same group number.
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
    /// Relates each host with an offset from the user to the reference host.
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

    std::vector<std::uint32_t> m_groups; ///< Group numbers by host.
};

} // namespace

namespace {

/// Hosts that have times, in one list for each group.
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

/// Names all groups, for a message. Groups of several synchronized hosts are named too, since their times cannot be compared with those of
/// other groups.
std::string namesOf(const Timeline& timeline, const std::vector<std::vector<std::uint32_t>>& groups)
{
    const bool areAlone = std::ranges::all_of(groups, [](const auto& group) { return group.size() == 1; });
    std::string names;
    for (const auto& group : groups) {
        names += names.empty() ? "" : areAlone ? ", " : "; ";
        for (const std::uint32_t host : group)
            names += (host == group.front() ? "" : ", ") + timeline.hosts[host].label;
    }
    return std::to_string(groups.size()) + (areAlone ? " hosts (" : " groups of hosts (") + names + ')';
}

} // namespace

void assessClocks(Timeline& timeline)
{
    std::erase_if(timeline.diagnostics, [](const Diagnostic& it) { return it.kind == UnsynchronizedClocks; });
    const RelatedHosts related(timeline);
    for (TimelineHost& host : timeline.hosts)
        host.isSynchronized = true;
    countCausalityViolations(timeline);
    timeline.range = experimentRange(timeline);
    const std::vector<std::vector<std::uint32_t>> groups = groupsOf(timeline, related);
    if (groups.size() < 2)
        return;
    for (const auto& group : groups)
        for (const std::uint32_t host : group)
            timeline.hosts[host].isSynchronized = related.groupOf(host) == related.groupOf(timeline.reference);
    timeline.diagnostics.push_back(
        {Diagnostic::Severity::Warning,
         UnsynchronizedClocks,
         {},
         0,
         1,
         "the clocks of " + namesOf(timeline, groups)
             + " are not synchronized: times between them mean nothing; --offset TRACE=NS shifts a trace's times"});
}

Diagnostic correlatorFailure(const Correlator& kind, const Error& error)
{
    return {Diagnostic::Severity::Error, "not-related", {}, 0, 1, "relation \"" + std::string(kind.id()) + "\": " + error.what};
}

namespace {

/// Removes the diagnostics that the correlator's previous result added.
void dropDiagnostics(Timeline& timeline, const Correlation& before)
{
    for (const Diagnostic& it : before.diagnostics)
        std::erase_if(timeline.diagnostics, [&](const Diagnostic& other) { return other.kind == it.kind && other.what == it.what; });
}

} // namespace

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
