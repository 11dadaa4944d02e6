#include "core/experiment/timeline_composer.h"

#include <algorithm>
#include <set>

namespace helio {
namespace {

constexpr const char* UnsynchronizedClocks = "unsynchronized-clocks";

void takeClocks(Timeline& timeline, const Relation& relation)
{
    for (const TraceClock& it : relation.clocks) {
        if (it.trace >= timeline.traces.size() || it.reference >= timeline.traces.size() || timeline.traces[it.trace].isClockGiven)
            continue;
        timeline.traces[it.trace].clock = it.clock;
        timeline.traces[it.trace].clockReference = it.reference;
        if (it.note)
            timeline.diagnostics.push_back(*it.note);
    }
}

void takeRows(Timeline& timeline, std::size_t kind, const Relation& relation)
{
    for (const RelationRows& rows : relation.rows)
        if (const auto place = static_cast<std::size_t>(rowsOf(timeline, rows.trace, kind)); rows.trace < timeline.traces.size())
            timeline.stores[place].store = rows.store;
}

std::set<std::uint32_t> relatedHosts(const Timeline& timeline)
{
    std::set<std::uint32_t> related;
    for (const TimelineTrace& t : timeline.traces) {
        if (t.isClockGiven && t.trace->info().hasTimes)
            related.insert(t.host);
        if (t.clockReference && timeline.traces[*t.clockReference].host != t.host)
            related.insert({t.host, timeline.traces[*t.clockReference].host});
    }
    return related;
}

} // namespace

void judgeClocks(Timeline& timeline)
{
    std::erase_if(timeline.diagnostics, [](const Diagnostic& it) { return it.kind == UnsynchronizedClocks; });
    for (TimelineHost& host : timeline.hosts)
        host.isSynchronized = true;
    const std::set<std::uint32_t> related = relatedHosts(timeline);
    std::set<std::uint32_t> unrelated;
    for (const TimelineTrace& t : timeline.traces)
        if (t.trace->info().hasTimes && !related.contains(t.host))
            unrelated.insert(t.host);
    if (unrelated.size() < 2)
        return;
    std::string names;
    for (const std::uint32_t host : unrelated) {
        timeline.hosts[host].isSynchronized = false;
        names += (names.empty() ? "" : ", ") + timeline.hosts[host].label;
    }
    timeline.diagnostics.push_back({Diagnostic::Severity::Warning, UnsynchronizedClocks, {}, 0, 1,
                                    "the clocks of " + std::to_string(unrelated.size()) + " hosts (" + names
                                        + ") are not synchronized: times between hosts mean nothing; --offset TRACE=NS shifts a trace's times"});
}

void addRelation(Timeline& timeline, std::size_t kind, std::shared_ptr<const Relation> relation, bool takesClocks)
{
    if (takesClocks)
        takeClocks(timeline, *relation);
    takeRows(timeline, kind, *relation);
    timeline.diagnostics.insert(timeline.diagnostics.end(), relation->diagnostics.begin(), relation->diagnostics.end());
    timeline.relations.resize(std::max(timeline.relations.size(), kind + 1));
    timeline.relations[kind] = std::move(relation);
}

} // namespace helio
