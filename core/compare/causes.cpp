#include "core/compare/causes.h"

#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"
#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <array>

namespace helio {
namespace {

constexpr std::uint32_t User = 1u << static_cast<unsigned>(CodeMode::User);

/// Returns the CPU time in ns that a number of samples represents.
std::int64_t cpuTimeOf(const SampleKind& kind, std::uint64_t samples, std::uint64_t weight)
{
    if (kind.isTime)
        return static_cast<std::int64_t>(std::min<std::uint64_t>(weight, INT64_MAX));
    std::int64_t ns = 0;
    const bool isTooMuch = __builtin_mul_overflow(std::min<std::uint64_t>(samples, INT64_MAX), kind.spacing.count(), &ns);
    return isTooMuch ? INT64_MAX : ns;
}

bool isKernel(const Timeline& timeline, const CollectedNode& node)
{
    const Module* module = moduleAt(timeline, node.store, node.frame.module);
    return module && node.frame.module != ModuleId{} ? module->isKernel() : node.frame.address >> 63 != 0;
}

/// Determines from the stacks of a profile how the kernel was entered. Symbolizes only the outermost kernel functions, which show the
/// kind of entry.
class KernelEntries {
public:
    KernelEntries(const Timeline& timeline, const StackProfile& profile, std::stop_token stop)
        : m_timeline(timeline)
        , m_profile(profile)
    {
        StackProfile alone;
        for (const CollectedStack& stack : profile.stacks)
            for (const std::uint32_t node : outermost(stack.node))
                if (m_places.emplace(node, static_cast<std::uint32_t>(alone.nodes.size())).second) {
                    alone.nodes.push_back(profile.nodes[node]);
                    alone.nodes.back().parent = 0;
                }
        alone.nodes.insert(alone.nodes.begin(), CollectedNode());
        m_names = nameStacks(alone, timeline, {false}, nullptr, std::move(stop));
    }

    /// Returns the kind of kernel entry of a stack (kernelEntryOf()); empty if unknown.
    std::string_view of(const CollectedStack& stack) const
    {
        for (const std::uint32_t node : outermost(stack.node))
            for (const NamedFrame& frame : m_names.framesOf(m_places.at(node) + 1))
                if (const auto how = kernelEntryOf(m_names.functions[static_cast<std::size_t>(frame.function)].name); !how.empty())
                    return how;
        return {};
    }

private:
    /// Number of outermost functions to examine. More than one is needed: on arm64, the name of the second function tells the kind of entry
    /// (el0t_64_sync, el0_svc).
    static constexpr std::size_t Looked = 3;

    /// Returns the outermost kernel functions of a stack, at most Looked, from the outermost inwards.
    std::vector<std::uint32_t> outermost(std::uint32_t node) const
    {
        std::vector<std::uint32_t> path;
        for (; node != 0 && isKernel(m_timeline, m_profile.nodes[node]); node = m_profile.nodes[node].parent)
            path.push_back(node);
        std::ranges::reverse(path);
        path.resize(std::min(path.size(), Looked));
        return path;
    }

    const Timeline& m_timeline;
    const StackProfile& m_profile;
    /// Number of each examined kernel function, from 0, keyed by the function's node in the profile. The function's node in m_names is this
    /// number plus 1, because node 0 is the root.
    std::map<std::uint32_t, std::uint32_t> m_places;
    StackNames m_names;
};

/// Returns the numbers and weights of samples in the kernel, keyed by the kind of kernel entry.
std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> kernelSamples(const Timeline& timeline, const StackProfile& profile,
                                                                             const std::stop_token& stop)
{
    const KernelEntries entries(timeline, profile, stop);
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> sums;
    for (const CollectedStack& stack : profile.stacks) {
        const std::string_view how = entries.of(stack);
        auto& [samples, weight] = sums[how.empty() ? "sampled" : std::string(how)];
        samples += stack.samples;
        weight += stack.weight;
    }
    return sums;
}

/// Adds the causes that samples show: user code, and the kernel by kind of entry. `filter` selects the samples. `limit` is the maximum
/// total in ns. Returns the remainder of the limit.
std::int64_t addSampled(const Timeline& timeline, const Row& leader, const SampleKind& kind, SampleFilter filter, std::int64_t limit,
                        TimesByCause& causes, const std::stop_token& stop)
{
    const auto add = [&](StateCategory meaning, const std::string& detail, std::uint64_t samples, std::uint64_t weight) {
        const std::int64_t ns = std::min(limit, cpuTimeOf(kind, samples, weight));
        if (ns > 0)
            causes[{stateThatMeans(timeline, leader.ref, meaning), detail}] += ns;
        limit -= ns;
    };
    filter.kinds = {kind.name};
    filter.modes = User;
    const StackProfile user = collectStacks(timeline, filter, nullptr, stop);
    add(StateCategory::OnCpuUser, "sampled", user.samples, user.weight);
    filter.modes = ~User;
    for (const auto& [how, sum] : kernelSamples(timeline, collectStacks(timeline, filter, nullptr, stop), stop))
        add(StateCategory::OnCpuKernel, how, sum.first, sum.second);
    return limit;
}

/// Adds the causes of a run without scheduler events. CPU time comes from the samples of the run's first thread. The remaining wall time
/// becomes off-CPU time without a recorded reason. CPU time is limited to the wall time, because samples can add up to slightly more.
void addSampledWall(const Timeline& timeline, const ProcessRun& run, const SampleKind& kind, TimesByCause& causes,
                    const std::stop_token& stop)
{
    SampleFilter filter;
    filter.ranges = {sampledRange(timeline, run)};
    filter.threads = {run.leader.ref};
    const std::int64_t rest = addSampled(timeline, run.leader, kind, filter, run.range.duration().count(), causes, stop);
    if (rest > 0)
        causes[{stateThatMeans(timeline, run.leader.ref, StateCategory::OffCpu), std::string(NotSampled)}] += rest;
}

/// Maps a row that a guest recorded to the row that also shows steal time as a state. Returns other rows unchanged.
class StealTimeRows {
public:
    explicit StealTimeRows(const Timeline& timeline)
        : m_timeline(timeline)
    {
        for (const auto& [recorded, shown] : guestRowPairs(timeline))
            m_shown.emplace(recorded, shown);
    }

    Row operator()(const Row& row) const
    {
        const auto found = m_shown.find(row.ref);
        return found == m_shown.end() ? row : rowOf(m_timeline, found->second).value_or(row);
    }

private:
    const Timeline& m_timeline;
    std::map<TrackRef, TrackRef> m_shown;
};

/// Sums the times of a thread's states. Looks up texts only once for each state and value.
class StateSums {
public:
    StateSums(const Timeline& timeline, Row row)
        : m_timeline(timeline)
        , m_row(std::move(row))
    {
    }

    void add(TimeRange range, const std::stop_token& stop)
    {
        m_rest += range.duration().count();
        forEachRowInterval(
            m_timeline, m_row, range,
            [&](const Interval& interval) {
                m_sums[{interval.state, interval.value}] += interval.range.duration().count();
                m_rest -= interval.range.duration().count();
                m_isKnown = m_isKnown || meaningOf(m_timeline, m_row.ref, interval.state) != StateCategory::Unknown;
            },
            stop);
    }

    bool isKnown() const { return m_isKnown; } ///< True if the row has any state other than unknown.

    /// Adds the sums to `causes`. `who`: name of the thread if it belongs to another process; it is prepended to the details. Empty for
    /// threads of the process itself.
    template <typename Accepts> void addTo(TimesByCause& causes, const std::string& who, const Accepts& accepts) const
    {
        for (const auto& [key, ns] : m_sums) {
            const StateKind& kind = stateKind(m_timeline, m_row.ref, key.first);
            if (accepts(kind.meaning))
                causes[{kind, joined(who, valueText(m_timeline, m_row.ref, key.second))}] += ns;
        }
        if (m_rest > 0 && accepts(StateCategory::Unknown))
            causes[{stateThatMeans(m_timeline, m_row.ref, StateCategory::Unknown), who}] += m_rest;
    }

private:
    static std::string joined(const std::string& who, const std::string& what)
    {
        return who.empty() || what.empty() ? who + what : who + ": " + what;
    }

    const Timeline& m_timeline;
    const Row m_row;
    std::map<std::pair<State, std::uint32_t>, std::int64_t> m_sums;
    std::int64_t m_rest = 0; ///< Time in ns that no recorded state covers.
    bool m_isKnown = false;
};

/// Adds the wall time of run number `index` to `causes`. Each moment of the run counts for one thread (see SideRuns::timed); the causes are
/// the states of this thread.
void addWallTime(const SideRuns& side, std::size_t index, const StealTimeRows& knowing, const std::optional<SampleKind>& sampled,
                 TimesByCause& causes, const std::stop_token& stop)
{
    const ProcessRun& run = side.runs[index];
    for (const TimedThread& it : side.timed[index]) {
        StateSums sums(side.timeline, knowing(it.thread));
        for (const TimeRange& range : it.ranges)
            sums.add(range, stop);
        if (side.basis == BreakdownBasis::FirstThread && !sums.isKnown() && sampled)
            return addSampledWall(side.timeline, run, *sampled, causes, stop);
        const auto isOfThread = [&](const Row& leader) { return processOf(it.thread) == processOf(leader); };
        const bool isOfRun = isOfThread(run.leader) || std::ranges::any_of(run.children, isOfThread);
        sums.addTo(causes, isOfRun ? std::string() : it.thread.label, [](StateCategory) { return true; });
    }
}

} // namespace

TimesByCause computeTimesByCause(const SideRuns& side, std::stop_token stop)
{
    TimesByCause causes;
    const StealTimeRows knowing(side.timeline);
    const std::optional<SampleKind> sampled = cpuTimeKind(side.timeline);
    std::optional<ThreadsOfProcesses> threads;
    if (side.basis == BreakdownBasis::RecordedCpuTime)
        threads.emplace(side.timeline);
    for (std::size_t i = 0; i < side.runs.size() && !stop.stop_requested(); ++i) {
        const ProcessRun& run = side.runs[i];
        if (!isCpuTime(side.basis)) {
            addWallTime(side, i, knowing, sampled, causes, stop);
        } else if (threads) {
            for (const Row& thread : threads->of(run)) {
                StateSums sums(side.timeline, knowing(thread));
                sums.add(run.range.clippedTo(thread.life), stop);
                sums.addTo(causes, {}, isOnCpu);
            }
        } else if (sampled) {
            SampleFilter filter;
            filter.ranges = {sampledRange(side.timeline, run)};
            (run.isOneThread ? filter.threads : filter.processes) = {run.leader.ref};
            for (const Row& child : run.children)
                filter.processes.push_back(child.ref);
            addSampled(side.timeline, run.leader, *sampled, filter, INT64_MAX, causes, stop);
        }
    }
    return causes;
}

std::string_view kernelEntryOf(std::string_view function)
{
    struct Entry {
        std::string_view begin; ///< Text at the beginning of the kernel function's name.
        std::string_view name;
    };
    // The first match is used. Order matters: "asm_exc_page_fault" also has the prefix of an exception.
    static constexpr std::array<Entry, 40> Entries{{
        {"asm_exc_page_fault", "page fault"},
        {"exc_page_fault", "page fault"},
        {"async_page_fault", "page fault"},
        {"page_fault", "page fault"},
        {"do_page_fault", "page fault"},
        {"el0_da", "page fault"},
        {"el0_ia", "page fault"},
        {"el1_abort", "page fault"},
        {"entry_SYSCALL", "system call"},
        {"entry_SYSENTER", "system call"},
        {"entry_INT80", "system call"},
        {"do_syscall", "system call"},
        {"do_int80", "system call"},
        {"do_fast_syscall", "system call"},
        {"system_call", "system call"},
        {"x64_sys_call", "system call"},
        {"__x64_sys_", "system call"},
        {"__arm64_sys_", "system call"},
        {"invoke_syscall", "system call"},
        {"el0_svc", "system call"},
        {"do_el0_svc", "system call"},
        {"ret_from_fork", "kernel thread"},
        {"asm_sysvec_", "interrupt"},
        {"sysvec_", "interrupt"},
        {"asm_common_interrupt", "interrupt"},
        {"common_interrupt", "interrupt"},
        {"apic_timer_interrupt", "interrupt"},
        {"reschedule_interrupt", "interrupt"},
        {"call_function_interrupt", "interrupt"},
        {"call_function_single_interrupt", "interrupt"},
        {"ret_from_intr", "interrupt"},
        {"asm_exc_nmi", "interrupt"},
        {"exc_nmi", "interrupt"},
        {"end_repeat_nmi", "interrupt"},
        {"el0_irq", "interrupt"},
        {"el1_irq", "interrupt"},
        {"el0t_64_irq", "interrupt"},
        {"el1h_64_irq", "interrupt"},
        {"asm_exc_", "exception"},
        {"exc_", "exception"},
    }};
    for (const Entry& entry : Entries)
        if (function.starts_with(entry.begin))
            return entry.name;
    return {};
}

} // namespace helio
