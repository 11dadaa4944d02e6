#include "core/profiling/samples/function_table.h"

#include "core/base/flat_index.h"
#include "core/profiling/samples/call_path.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace helio {
namespace {

/// Identity of a row, as numbers for fast comparison.
struct RowKey {
    std::uint32_t function = 0;
    std::uint32_t module = 0; ///< Module, represented by the index of its first function; 0 if not grouped by module.
    std::uint32_t comm = 0; ///< Command name, represented by the index of the first thread with this name; 0 if not grouped by command.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::uint32_t host = 0; ///< Host of the thread or process; see FunctionRow::host.
    bool operator==(const RowKey&) const = default;
};

/// Finds the distinct functions on the path from the root to each node of a profile. Paths with the same functions share one set, so that
/// deep recursion costs no more than its first calls.
class FunctionsAbove {
public:
    FunctionsAbove(const StackProfile& profile, const CallPaths& paths)
        : m_profile(profile)
        , m_paths(paths)
        , m_reached(profile.nodes.size())
        , m_sets(1)
    {
        m_reached[0].isKnown = true;
    }

    /// Sets `functions` to the distinct functions on the path from the root to a node, in the order in which the path first reaches them.
    /// Returns the innermost function of the path; nullopt if the path has no functions.
    std::optional<std::uint32_t> of(std::uint32_t node, std::vector<std::uint32_t>& functions)
    {
        reach(node);
        functions.clear();
        for (std::uint32_t set = m_reached[node].set; set != 0; set = m_sets[set].parent)
            functions.push_back(m_sets[set].function);
        std::ranges::reverse(functions);
        return functions.empty() ? std::nullopt : std::optional(m_reached[node].own);
    }

private:
    struct Reached {
        std::uint32_t set = 0;
        /// Innermost function of the node's call stack; meaningless if `set` is 0, because the call stack then has no function.
        std::uint32_t own = 0;
        bool isKnown = false;
    };
    /// Set of functions: the set `parent` plus one more function. Set 0 is empty.
    struct Set {
        std::uint32_t parent = 0;
        std::uint32_t function = 0;
    };

    void reach(std::uint32_t node)
    {
        m_chain.clear();
        for (; !m_reached[node].isKnown; node = m_profile.nodes[node].parent)
            m_chain.push_back(node);
        Reached at = m_reached[node];
        at.isKnown = true;
        for (std::size_t i = m_chain.size(); i-- > 0;) {
            m_frames.clear();
            m_paths.appendFramesOf(m_chain[i], m_frames);
            for (const CallPaths::Step& step : m_frames)
                at = {with(at.set, step.function), step.function, true};
            m_reached[m_chain[i]] = at;
        }
    }

    std::uint32_t with(std::uint32_t set, std::uint32_t function)
    {
        for (std::uint32_t known = set; known != 0; known = m_sets[known].parent)
            if (m_sets[known].function == function)
                return set;
        m_sets.push_back({set, function});
        return static_cast<std::uint32_t>(m_sets.size() - 1);
    }

    const StackProfile& m_profile;
    const CallPaths& m_paths;
    /// For each node of the profile: the set of functions on its path (index into m_sets) and its innermost function; set by reach().
    std::vector<Reached> m_reached;
    std::vector<Set> m_sets;
    std::vector<std::uint32_t> m_chain; ///< Buffer of nodes, kept as a member to reuse its memory.
    std::vector<CallPaths::Step> m_frames;
};

class TableBuilder {
public:
    TableBuilder(const StackProfile& profile, const StackNames& names, const FunctionTableOptions& options)
        : m_profile(profile)
        , m_names(names)
        , m_options(options)
        , m_treeOptions(withoutBase(options.tree))
        , m_paths(profile, names, m_treeOptions)
        , m_above(profile, m_paths)
        , m_commOfProcess(processNames(profile.threads))
    {
        std::map<std::string_view, std::uint32_t> modules;
        for (std::uint32_t i = 0; i < names.functions.size(); ++i)
            m_moduleOf.push_back(modules.emplace(names.functions[i].module, i).first->second);
        std::map<std::string_view, std::uint32_t> comms;
        for (std::uint32_t i = 0; i < profile.threads.size(); ++i)
            m_commOf.push_back(comms.emplace(profile.threads[i].comm, i).first->second);
    }

    FunctionTable build(const std::stop_token& stop)
    {
        FunctionTable table;
        table.functions = m_names.functions;
        table.whole = sumOf(m_profile);
        table.isStopped = m_profile.isStopped;
        for (std::size_t i = 0; i < m_profile.stacks.size(); ++i) {
            if (i % 1024 == 0 && stop.stop_requested()) {
                table.isStopped = true;
                break;
            }
            add(m_profile.stacks[i]);
        }
        table.rows = std::move(m_rows);
        sort(table);
        return table;
    }

private:
    /// Returns the options without a base frame, because rows are functions only.
    static CallTreeOptions withoutBase(CallTreeOptions options)
    {
        options.base = CallTreeOptions::Base::None;
        options.mergesNamesakes = options.mergesModules = false;
        return options;
    }

    void add(const CollectedStack& stack)
    {
        const SampleSum sum = sumOf(stack);
        ++m_round;
        if (m_paths.isPlain())
            addPlain(stack, sum);
        else if (!m_paths.pathOf(stack, m_path))
            return;
        else
            addPath(stack, sum);
        // A stack without recorded frames counts for the unknown function.
        if (stack.node == 0)
            addTo(rowOf(stack, 0), sum, true);
    }

    void addPlain(const CollectedStack& stack, const SampleSum& sum)
    {
        const auto own = m_above.of(stack.node, m_functions);
        for (const std::uint32_t function : m_functions)
            addTo(rowOf(stack, function), sum, false);
        if (own)
            addTo(rowOf(stack, *own), sum, true);
    }

    void addPath(const CollectedStack& stack, const SampleSum& sum)
    {
        for (std::size_t step = 0; step < m_path.size(); ++step)
            addTo(rowOf(stack, m_path[step].function), sum, m_paths.ownStep() == step);
    }

    void addTo(std::uint32_t row, const SampleSum& sum, bool isSelf)
    {
        if (isSelf)
            m_rows[row].self += sum;
        if (m_lastRound[row] == m_round)
            return;
        m_lastRound[row] = m_round;
        m_rows[row].total += sum;
    }

    std::uint32_t rowOf(const CollectedStack& stack, std::uint32_t function)
    {
        const SampledThread& thread = m_profile.threads[stack.thread];
        RowKey key;
        key.function = m_options.bySymbol ? function : 0;
        key.module = m_options.byModule ? m_moduleOf[function] : 0;
        const bool isOfProcess = m_options.byProcess && thread.pid >= 0;
        const bool isOfThread = m_options.byThread || (m_options.byProcess && !isOfProcess);
        key.comm = m_options.byComm && !isOfProcess ? m_commOf[stack.thread] : 0;
        key.pid = isOfProcess ? thread.pid : -1;
        key.tid = isOfThread ? thread.tid : -1;
        key.host = isOfProcess || isOfThread ? thread.host : 0;
        key.cpu = m_options.byCpu ? stack.cpu : -1;
        const std::uint64_t hash = mixed(std::uint64_t(key.function) << 32 | key.module,
                                         mixed(std::uint64_t(key.comm) << 32 | std::uint32_t(key.tid),
                                               std::uint64_t(std::uint32_t(key.pid)) << 32 | std::uint32_t(key.cpu))
                                             + key.host);
        const std::uint32_t index = m_index.findOrAdd(hash, [&](std::uint32_t i) { return m_keys[i] == key; });
        if (index == m_keys.size()) {
            m_keys.push_back(key);
            m_lastRound.push_back(0);
            FunctionRow& row = m_rows.emplace_back();
            row.function = FunctionId{key.function};
            row.module = m_options.byModule ? m_names.functions[function].module : std::string();
            row.comm = !m_options.byComm ? std::string() : isOfProcess ? m_commOfProcess[{thread.host, thread.pid}] : thread.comm;
            row.pid = m_options.byThread || m_options.byProcess ? thread.pid : -1;
            row.tid = key.tid;
            row.cpu = key.cpu;
            row.host = key.host;
        }
        return index;
    }

    void sort(FunctionTable& table) const
    {
        const auto weightOf = [&](const FunctionRow& row) { return amount(m_options.byTotal ? row.total : row.self, m_options.by); };
        const auto otherOf = [&](const FunctionRow& row) { return amount(m_options.byTotal ? row.self : row.total, m_options.by); };
        std::stable_sort(table.rows.begin(), table.rows.end(), [&](const FunctionRow& a, const FunctionRow& b) {
            if (weightOf(a) != weightOf(b))
                return weightOf(a) > weightOf(b);
            if (otherOf(a) != otherOf(b))
                return otherOf(a) > otherOf(b);
            const auto name = [&](const FunctionRow& row) -> const std::string& {
                return table.functions[static_cast<std::size_t>(row.function)].label();
            };
            return std::tie(a.comm, a.module, name(a), a.pid, a.tid, a.cpu, a.host)
                < std::tie(b.comm, b.module, name(b), b.pid, b.tid, b.cpu, b.host);
        });
    }

    const StackProfile& m_profile;
    const StackNames& m_names;
    const FunctionTableOptions& m_options;
    /// Options of m_paths, which keeps a reference to them. The paths have no base step, i.e. they begin with a function instead of a
    /// thread or CPU.
    const CallTreeOptions m_treeOptions;
    CallPaths m_paths;
    FunctionsAbove m_above;
    std::map<std::pair<std::uint32_t, std::int32_t>, std::string> m_commOfProcess; ///< Names of processes from processNames().
    std::vector<std::uint32_t> m_functions; ///< Buffer of function indices, kept for its capacity.
    std::vector<CallPaths::Step> m_path; ///< Buffer of a path's steps, kept for its capacity.
    std::vector<std::uint32_t> m_moduleOf; ///< First function of the same module, indexed by function.
    std::vector<std::uint32_t> m_commOf; ///< First thread with the same command name, indexed by thread.
    FlatIndex m_index;
    std::vector<RowKey> m_keys;
    std::vector<FunctionRow> m_rows; ///< Rows in the order of m_keys.
    /// For each row: m_round of the last stack that was added to the row's total, so that a recursive function counts a stack only once.
    std::vector<std::uint64_t> m_lastRound;
    std::uint64_t m_round = 0;
};

} // namespace

FunctionTable buildFunctionTable(const StackProfile& profile, const StackNames& names, const FunctionTableOptions& options,
                                 std::stop_token stop)
{
    return TableBuilder(profile, names, options).build(stop);
}

} // namespace helio
