#include "core/profiling/samples/function_groups.h"

#include "core/experiment/timeline.h"
#include "core/profiling/samples/source_names.h"

#include <map>
#include <string_view>
#include <tuple>

namespace helio {
namespace {

/// Identity of a line, equal in the tables of all events.
using LineIdentity = std::tuple<std::string_view, std::uint32_t, std::int32_t, std::int32_t, std::int32_t, std::string_view,
                                FunctionIdentity, std::string_view>;

LineIdentity identityOf(const FunctionTable& table, const FunctionRow& row)
{
    const SampledFunction& function = table.functions[static_cast<std::size_t>(row.function)];
    // The name of a process may be that of a thread without samples of both events.
    const bool isOfProcess = row.pid >= 0 && row.tid < 0;
    return {
        isOfProcess ? std::string_view() : row.comm, row.host, row.pid, row.tid, row.cpu, row.module, identityOf(function), function.place};
}

} // namespace

FunctionTableOptions groupedBy(FunctionGroup group, FunctionTableOptions options)
{
    options.bySymbol = hasSymbols(group);
    options.byModule = hasModules(group);
    options.byThread = options.byThread || group == FunctionGroup::Thread;
    options.byProcess = group == FunctionGroup::Process;
    return options;
}

FunctionTable buildGroupedTable(FunctionGroup group, const StackProfile& profile, const StackNames& names, const Timeline& timeline,
                                const FunctionTableOptions& options, std::stop_token stop)
{
    const FunctionTableOptions how = groupedBy(group, options);
    if (group != FunctionGroup::File && group != FunctionGroup::Line)
        return buildFunctionTable(profile, names, how, std::move(stop));
    const StackNames sources = nameBySource(profile, names, timeline, group == FunctionGroup::Line, stop);
    return buildFunctionTable(profile, sources, how, std::move(stop));
}

bool areFinal(const StackNames& names, const Timeline& timeline) { return names.isComplete || !timeline.symbolizer; }

std::vector<LineCost> matchingLineCosts(const FunctionTable& table, const FunctionTable& other)
{
    std::map<LineIdentity, LineCost> costs;
    // The reason why a function has no name may differ between traces.
    for (const FunctionRow& row : other.rows) {
        LineCost& cost = costs[identityOf(other, row)];
        cost.self += row.self;
        cost.total += row.total;
    }
    std::vector<LineCost> beside;
    beside.reserve(table.rows.size());
    for (const FunctionRow& row : table.rows) {
        const auto found = costs.find(identityOf(table, row));
        beside.push_back(found == costs.end() ? LineCost() : found->second);
    }
    return beside;
}

} // namespace helio
