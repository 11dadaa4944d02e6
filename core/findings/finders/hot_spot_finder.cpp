#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/profiling/samples/function_table.h"
#include "core/query/rows/facts.h"

#include <algorithm>
#include <array>

namespace helio {
namespace {

constexpr double HotShare = 0.25; ///< Minimum share of the CPU time that a function itself takes.
constexpr double FaultShare = 0.1; ///< Minimum share of the CPU time that the kernel's handling of page faults takes.
constexpr std::uint64_t LeastSamples = 100; ///< Minimum number of samples: the share of a few samples is chance.

/// Functions with which the kernel begins to handle a page fault.
constexpr std::array<std::string_view, 4> FaultHandlers{"exc_page_fault", "do_user_addr_fault", "do_page_fault", "handle_mm_fault"};

/// Returns the kind of samples that measures CPU time; nullopt if there is none.
std::optional<SampleKind> cpuTimeKind(const Timeline& timeline)
{
    for (const SampleKindFacts& it : sampleKinds(timeline))
        if (it.kind.origin == SampleKind::Origin::Event && (it.kind.isTime || it.kind.spacing > Duration{}))
            return it.kind;
    return {};
}

bool canLookForHotSpots(const FindingScope& scope) { return cpuTimeKind(scope.timeline()).has_value(); }

/// Returns the CPU time that samples stand for.
Duration timeOf(const SampleSum& sum, const SampleKind& kind)
{
    return kind.isTime ? Duration(static_cast<std::int64_t>(sum.weight)) : kind.spacing * static_cast<std::int64_t>(sum.samples);
}

class HotSpots {
public:
    HotSpots(const FindingScope& scope, const SampleKind& kind)
        : m_scope(scope)
        , m_kind(kind)
    {
        SampleFilter filter;
        filter.kinds = {kind.name};
        if (hasTimes(scope.timeline()))
            filter.ranges = {scope.window()};
        if (!scope.isOfAllRows())
            for (const Row& thread : scope.threads())
                filter.threads.push_back(thread.ref);
        m_profile = collectStacks(scope.timeline(), filter, nullptr, scope.stop());
        const StackNames names = nameStacks(m_profile, scope.timeline(), {}, nullptr, scope.stop());
        FunctionTableOptions options;
        options.byComm = false;
        options.by = defaultWeight(kind);
        m_table = buildFunctionTable(m_profile, names, options, scope.stop());
    }

    std::vector<Finding> find() const
    {
        std::vector<Finding> findings;
        if (m_profile.samples < LeastSamples || m_table.rows.empty())
            return findings;
        if (const FunctionRow& first = m_table.rows.front(); shareOf(first.self) >= HotShare && isNamed(first))
            add(findings, first.self, labelOf(first), labelOf(first) + " took " + shareText(shareOf(first.self)) + " of the CPU time",
                "with what it calls, " + shareText(shareOf(first.total)));
        const FunctionRow* faults = nullptr;
        for (const FunctionRow& row : m_table.rows)
            if (std::ranges::find(FaultHandlers, functionOf(row).name) != FaultHandlers.end()
                && (!faults || amountOf(row.total) > amountOf(faults->total)))
                faults = &row;
        if (faults && shareOf(faults->total) >= FaultShare)
            add(findings, faults->total, "page faults", "Page faults took " + shareText(shareOf(faults->total)) + " of the CPU time",
                "below " + labelOf(*faults));
        return findings;
    }

private:
    const SampledFunction& functionOf(const FunctionRow& row) const { return m_table.functions[static_cast<std::size_t>(row.function)]; }
    bool isNamed(const FunctionRow& row) const { return !functionOf(row).name.empty(); }
    std::string labelOf(const FunctionRow& row) const
    {
        const SampledFunction& function = functionOf(row);
        return function.label() + (function.module.empty() ? "" : " (" + function.module + ')');
    }
    std::uint64_t amountOf(const SampleSum& sum) const { return amount(sum, defaultWeight(m_kind)); }
    double shareOf(const SampleSum& sum) const
    {
        const std::uint64_t whole = amountOf(m_table.whole);
        return whole == 0 ? 0 : double(amountOf(sum)) / double(whole);
    }
    void add(std::vector<Finding>& findings, const SampleSum& sum, std::string subject, std::string text, std::string detail) const
    {
        const Duration time = std::min(timeOf(sum, m_kind), m_scope.window().duration());
        if (time < m_scope.threshold())
            return;
        Finding finding;
        finding.subject = std::move(subject);
        finding.text = std::move(text);
        finding.detail = std::move(detail);
        finding.explained = time;
        finding.range = m_profile.range;
        finding.occurrences = sum.samples;
        finding.color = "flame.user";
        findings.push_back(std::move(finding));
    }

    const FindingScope& m_scope;
    SampleKind m_kind;
    StackProfile m_profile;
    FunctionTable m_table;
};

std::vector<Finding> findHotSpots(const FindingScope& scope) { return HotSpots(scope, *cpuTimeKind(scope.timeline())).find(); }

} // namespace

extern const Finder hotSpotFinder;
const Finder hotSpotFinder{"hot-spot", "Hot spots", canLookForHotSpots, findHotSpots, RecordableData::Samples};

} // namespace helio
