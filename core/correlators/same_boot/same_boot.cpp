#include "core/correlation/correlator.h"
#include "core/experiment/timeline.h"

#include <optional>
#include <string>

namespace helio {
namespace {

bool isKernelTrace(const TraceInfo& info) { return info.text("domain") == "kernel"; }

/// Returns the difference between two offsets; 0 on overflow, because files may contain any offset.
Duration difference(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_sub_overflow(a, b, &result) ? Duration{} : Duration(result);
}

/// Returns the index of the kernel trace that has the same clock as the trace of `info`; nullopt if there is none.
std::optional<std::uint32_t> kernelTraceOf(const Timeline& timeline, const TraceInfo& info)
{
    if (info.clock.uuid.empty() || isKernelTrace(info))
        return {};
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i)
        if (const TraceInfo& other = timeline.traces[i].trace->info(); isKernelTrace(other) && other.clock.uuid == info.clock.uuid)
            return i;
    return {};
}

Diagnostic correctionNote(const TraceInfo& info, Duration correction)
{
    return {Diagnostic::Severity::Info,
            "clock-correction",
            info.path.string(),
            0,
            1,
            "same clock as the kernel trace, but with another offset to the epoch: its times are shifted by "
                + std::to_string(correction.count()) + " ns to match (--no-sync keeps them raw)"};
}

/// Aligns user-space traces with the kernel trace of the same boot. Both tracers read the same clock, but measure its offset to the epoch
/// separately, with differences of ns to µs. Therefore all traces get the kernel trace's offset.
class SameBoot final : public Correlator {
public:
    std::string_view id() const override { return "same-boot"; }
    When when() const override { return When::Opened; }

    bool appliesTo(const Timeline& timeline) const override { return timeline.traces.size() > 1; }

    Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest&, std::stop_token) const override
    {
        Correlation found;
        for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
            const TraceInfo& info = timeline.traces[i].trace->info();
            const auto kernel = kernelTraceOf(timeline, info);
            if (!kernel)
                continue;
            const Duration correction = difference(timeline.traces[*kernel].trace->info().clock.offset, info.clock.offset);
            if (correction != Duration{})
                found.clocks.push_back({i, ClockTransform(correction), *kernel, correctionNote(info, correction)});
        }
        return found;
    }
};

} // namespace

extern const BuiltinCorrelator sameBootRelation{[]() -> std::shared_ptr<const Correlator> { return std::make_shared<SameBoot>(); }};

} // namespace helio
