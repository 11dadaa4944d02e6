#include "core/profiling/samples/function_groups.h"

#include "core/experiment/timeline.h"
#include "core/profiling/samples/stack_names.h"
#include "core/query/rows/timeline_access.h"
#include "core/trace/process/recorded_names.h"

#include <map>
#include <string_view>
#include <tuple>

namespace helio {
namespace {

/// Returns `names` with each function replaced by its source file ("initprm.c") or, if `withLines`, its source line ("initprm.c:38"). Each
/// module has files of its own. If the lines of some code are unknown, its name is empty and SampledFunction::problem has the reason.
/// SampledFunction::place is the full path of the file, because several files may have the same name.
///
/// Threads: any but the UI thread, because debug information is read.
/// Cost: some microseconds for each address.
StackNames nameBySource(const StackProfile& profile, const StackNames& names, const Timeline& timeline, bool withLines,
                        std::stop_token stop = {});

class SourceNamer {
public:
    SourceNamer(const StackNames& functions, const Timeline& timeline, bool withLines)
        : m_functions(functions)
        , m_timeline(timeline)
        , m_withLines(withLines)
    {
        m_names.functions.emplace_back();
        m_names.firstFrame.push_back(0);
        m_names.doubts = functions.doubts;
        m_names.isComplete = functions.isComplete;
    }

    StackNames name(const StackProfile& profile, const std::stop_token& stop)
    {
        for (std::uint32_t node = 0; node < profile.nodes.size(); ++node) {
            m_names.isComplete = m_names.isComplete && !stop.stop_requested();
            if (node > 0)
                addFrames(profile.nodes[node], node, stop);
            m_names.firstFrame.push_back(static_cast<std::uint32_t>(m_names.frames.size()));
        }
        return std::move(m_names);
    }

private:
    void addFrames(const CollectedNode& node, std::uint32_t index, const std::stop_token& stop)
    {
        const auto before = m_functions.framesOf(index);
        if (node.text != 0)
            return addText(m_functions.functions[std::size_t(before.front().function)]);
        const SampledFunction& outermost =
            before.empty() ? m_functions.functions[0] : m_functions.functions[std::size_t(before.back().function)];
        const Symbol symbol = stop.stop_requested() ? Symbol() : symbolOf(node);
        if (symbol.frames.empty())
            return add({}, outermost, false);
        // If functions inlined into the node have no frames of their own in `before`, the node gets the source line of the innermost
        // inlined code.
        const std::size_t count = before.size() > 1 ? symbol.frames.size() : 1;
        for (std::size_t i = 0; i < count; ++i)
            add(symbol.frames[i].source, outermost, count > 1 && symbol.frames[i].isInlined);
    }

    /// Adds a node that is not code and therefore has no line.
    void addText(const SampledFunction& text)
    {
        const auto [place, isNew] = m_texts.try_emplace(text.name, FunctionId(m_names.functions.size()));
        if (isNew)
            m_names.functions.push_back(text);
        m_names.frames.push_back({place->second, false});
    }

    Symbol symbolOf(const CollectedNode& node) const
    {
        const Module* module = moduleAt(m_timeline, node.store, node.frame.module);
        const std::uint64_t call = node.frame.isReturnAddress && node.frame.address > 0 ? 1 : 0;
        if (module && module->names) {
            const RecordedName name = module->names->at(node.frame.address - call);
            SymbolFrame frame;
            frame.source = {std::string(name.file), name.line};
            return {{frame}, 0, 0, SymbolProblem::None};
        }
        if (!m_timeline.symbolizer || node.frame.module == ModuleId{} || !module)
            return {};
        return m_timeline.symbolizer->resolve(*module, node.frame.address - call);
    }

    void add(const SourceLine& source, const SampledFunction& of, bool isInlined)
    {
        const bool isKnown = !source.file.empty() && (!m_withLines || source.line > 0);
        const auto key = std::tuple(isKnown ? source.file : std::string(), isKnown && m_withLines ? source.line : 0u, of.module);
        const auto [place, isNew] = m_places.try_emplace(key, FunctionId(m_names.functions.size()));
        if (isNew) {
            SampledFunction named = of;
            named.name = isKnown ? source.file.substr(source.file.rfind('/') + 1) : std::string();
            named.place = isKnown ? source.file : of.place;
            named.linkageName.clear();
            named.distinctName.clear();
            named.unit.clear();
            if (isKnown && m_withLines)
                named.name += ':' + std::to_string(source.line);
            named.problem = isKnown ? std::string() : of.problem.empty() ? "no source lines available" : of.problem;
            named.isInlined = false;
            m_names.functions.push_back(std::move(named));
        }
        m_names.frames.push_back({place->second, isInlined});
    }

    const StackNames& m_functions;
    const Timeline& m_timeline;
    bool m_withLines;
    std::map<std::tuple<std::string, std::uint32_t, std::string>, FunctionId> m_places;
    std::map<std::string, FunctionId> m_texts;
    StackNames m_names;
};

StackNames nameBySource(const StackProfile& profile, const StackNames& names, const Timeline& timeline, bool withLines,
                        std::stop_token stop)
{
    return SourceNamer(names, timeline, withLines).name(profile, stop);
}

/// Identity of a row of a function table. Rows for the same function in the tables of different events have equal identities.
using LineIdentity = std::tuple<std::string_view, std::uint32_t, std::int32_t, std::int32_t, std::int32_t, std::string_view,
                                FunctionIdentity, std::string_view>;

LineIdentity identityOf(const FunctionTable& table, const FunctionRow& row)
{
    const SampledFunction& function = table.functions[static_cast<std::size_t>(row.function)];
    // Leave out the name of a process: it comes from a thread, and the tables of two events may take it from different threads.
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
    // Identities do not contain the reason for a missing name, which may differ between traces.
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
