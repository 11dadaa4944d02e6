#include "widgets/docks/functions/function_lines.h"

#include "core/profiling/samples/collect_calls.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace helio {

namespace {

std::vector<std::optional<CallDurations>> lengthsByLine(const FunctionTable& table, std::vector<CallDurations> all)
{
    const auto keyOf = [](const SampledFunction& function, const std::string& comm) {
        return std::pair(identityOf(function), std::string_view(comm));
    };
    std::map<std::pair<FunctionIdentity, std::string_view>, CallDurations*> known;
    for (CallDurations& it : all)
        known[keyOf(it.function, it.comm)] = &it;
    std::vector<std::optional<CallDurations>> lines;
    for (const FunctionRow& row : table.rows) {
        const auto found = known.find(keyOf(table.functions[static_cast<std::size_t>(row.function)], row.comm));
        lines.push_back(found == known.end() ? std::nullopt : std::optional(std::move(*found->second)));
    }
    return lines;
}

bool weighsWallTime(const CollectedSamples& samples)
{
    const auto kind = samples.filter.kinds.empty() ? std::nullopt : callKind(*samples.timeline, samples.filter.kinds.front());
    return !kind || kind->weighs != CallKind::WeighedTime::OnCpu;
}

} // namespace

FunctionLines FunctionLinesCache::list(const CollectedSamples& samples, const FunctionChoices& choices, WeightBy by, bool expandsInlined,
                                       std::stop_token stop)
{
    FunctionTableOptions options;
    options.by = by;
    options.byComm = choices.hasCommands();
    options.byThread = choices.byThread;
    options.byCpu = choices.byCpu;
    const auto tableOf = [&](const StackProfile& profile, const StackNames& names) {
        return buildGroupedTable(choices.group, profile, names, *samples.timeline, options, stop);
    };
    FunctionLines lines{tableOf(*samples.profile, *samples.names), choices, by, samples.profile->kind, {}, weighsWallTime(samples), {}};
    const bool isNamed = areFinal(*samples.names, *samples.timeline);
    for (const std::string& event : choices.events) {
        FunctionLines::ComparedEvent& beside = lines.events.emplace_back();
        beside.kind.name = event;
        if (!isNamed || stop.stop_requested())
            continue;
        const Collected& other = collected(samples, event, expandsInlined, stop);
        beside.kind = other.profile.kind;
        beside.costs = matchingLineCosts(lines.table, tableOf(other.profile, other.names));
    }
    if (isNamed && areCalls(lines.kind) && choices.group == FunctionGroup::Function && !choices.byThread && !choices.byCpu)
        lines.lengths = lengthsByLine(lines.table, callDurations(*samples.timeline, samples.filter, choices.byCommand, stop));
    return lines;
}

const FunctionLinesCache::Collected& FunctionLinesCache::collected(const CollectedSamples& samples, const std::string& kind,
                                                                   bool expandsInlined, const std::stop_token& stop)
{
    if (m_of.lock() != samples.profile || m_expandsInlined != expandsInlined)
        m_events.clear();
    m_of = samples.profile;
    m_expandsInlined = expandsInlined;
    // Drops incomplete samples, whose collection was stopped, or whose names were not final.
    std::erase_if(m_events, [&](const auto& it) { return it.second.profile.isStopped || !areFinal(it.second.names, *samples.timeline); });
    const auto known = std::ranges::find(m_events, kind, &std::pair<std::string, Collected>::first);
    if (known != m_events.end())
        return known->second;
    SampleFilter filter = samples.filter;
    filter.kinds = samples.kindsOf(kind);
    Collected fresh{collectStacks(*samples.timeline, filter, nullptr, stop), {}};
    fresh.profile.kind.name = kind;
    fresh.names = nameStacks(fresh.profile, *samples.timeline, {expandsInlined}, nullptr, stop);
    return m_events.emplace_back(kind, std::move(fresh)).second;
}

} // namespace helio
