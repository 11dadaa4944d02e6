#include "core/compare/causes.h"

#include "core/query/rows/composed.h"
#include "core/query/rows/interval_walk.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/sampled_use.h"
#include "core/query/samples/sample_stacks.h"
#include "core/query/samples/stack_names.h"

#include <algorithm>
#include <array>
#include <map>

namespace helio {
namespace {

constexpr std::uint32_t User = 1u << static_cast<unsigned>(CodeMode::User);

/// The ns on a CPU that samples stand for.
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

/// How the kernel was entered in the stacks of a profile. Names the outermost functions alone, not what they called.
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

    /// Empty: nobody knows.
    std::string_view of(const CollectedStack& stack) const
    {
        for (const std::uint32_t node : outermost(stack.node))
            for (const NamedFrame& frame : m_names.framesOf(m_places.at(node) + 1))
                if (const auto how = kernelEntryOf(m_names.functions[static_cast<std::size_t>(frame.function)].name); !how.empty())
                    return how;
        return {};
    }

private:
    static constexpr std::size_t Looked = 3; ///< On arm64 the second function names the kind of entry: el0t_64_sync, el0_svc.

    /// The outermost functions of the kernel in a stack, from the outside.
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
    std::map<std::uint32_t, std::uint32_t> m_places; ///< By node.
    StackNames m_names;
};

/// The samples outside of user code, by how the kernel was entered.
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

/// Without scheduler events: what the samples of a run say it was on a CPU for; the rest it was not on one, nobody recorded why. Samples
/// can claim a little more than there was.
void addSampled(const Timeline& timeline, const ProcessRun& run, const SampleKind& kind, Causes& causes, const std::stop_token& stop)
{
    std::int64_t left = run.range.duration().count();
    const auto stateOf = [&](Meaning meaning) { return stateThatMeans(timeline, run.leader.ref, meaning); };
    const auto add = [&](const StateKind& state, const std::string& detail, std::uint64_t samples, std::uint64_t weight) {
        const std::int64_t ns = std::min(left, cpuTimeOf(kind, samples, weight));
        if (ns > 0)
            causes[{state, detail}] += ns;
        left -= ns;
    };
    SampleFilter filter;
    filter.ranges = {sampledRange(timeline, run)};
    filter.kinds = {kind.name};
    filter.threads = {run.leader.ref};
    filter.modes = User;
    const StackProfile user = collectStacks(timeline, filter, nullptr, stop);
    add(stateOf(Meaning::OnCpuUser), "sampled", user.samples, user.weight);
    filter.modes = ~User;
    for (const auto& [how, sum] : kernelSamples(timeline, collectStacks(timeline, filter, nullptr, stop), stop))
        add(stateOf(Meaning::OnCpuKernel), how, sum.first, sum.second);
    if (left > 0)
        causes[{stateOf(Meaning::OffCpu), std::string(NotSampled)}] += left;
}

/// Of threads of virtual machines' guests the rows that know what was stolen of them, which is a state of its own there.
class KnowingRows {
public:
    explicit KnowingRows(const Timeline& timeline)
        : m_timeline(timeline)
    {
        for (const auto& [recorded, shown] : rowsOfInside(timeline))
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

} // namespace

Causes causesOf(const Timeline& timeline, std::span<const ProcessRun> runs, std::stop_token stop)
{
    Causes causes;
    const KnowingRows knowing(timeline);
    const std::optional<SampleKind> sampled = cpuTimeKind(timeline);
    for (const ProcessRun& run : runs) {
        const Row row = knowing(run.leader);
        // Texts are looked up once for each state and value.
        std::map<std::pair<State, std::uint32_t>, std::int64_t> sums;
        std::int64_t covered = 0;
        bool isKnown = false;
        eachInterval(
            timeline, row, run.range,
            [&](const Interval& interval) {
                sums[{interval.state, interval.value}] += interval.range.duration().count();
                covered += interval.range.duration().count();
                isKnown = isKnown || meaningOf(timeline, row.ref, interval.state) != Meaning::Unknown;
            },
            stop);
        if (!isKnown && sampled) {
            addSampled(timeline, run, *sampled, causes, stop);
            continue;
        }
        for (const auto& [key, ns] : sums)
            causes[{stateKind(timeline, row.ref, key.first), valueText(timeline, row.ref, key.second)}] += ns;
        if (const std::int64_t rest = run.range.duration().count() - covered; rest > 0)
            causes[{stateThatMeans(timeline, row.ref, Meaning::Unknown), {}}] += rest;
    }
    return causes;
}

std::string_view kernelEntryOf(std::string_view function)
{
    struct Entry {
        std::string_view begin; ///< Of the function's name.
        std::string_view name;
    };
    // In this order: "asm_exc_page_fault" is an exception, too.
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
