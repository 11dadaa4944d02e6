#include "core/analyses/locks/locks.h"
#include "core/analysis/analysis.h"
#include "core/analysis/track_view.h"

namespace helio {
namespace {

const TrackView Views[] = {
    {.id = std::string(locks::View),
     .title = "Locks",
     .tip = "Who waits for which lock of the kernel or futex, and who waits for and holds which mutex of a program",
     .beginsCollapsed = true,
     .order = 19,
     .number = "TID",
     .canHideIdleRows = true,
     .nothing =
         "No events were recorded that say who waits for locks. Record them with: perf lock record (kernel 5.19 and later), of a "
         "program's mutexes, LD_PRELOAD=liblttng-ust-pthread-wrapper.so and lttng enable-event -u 'lttng_ust_pthread:*', or, of those "
         "that are contended, lttng enable-event -k --syscall futex and sched_switch."}};

class LocksAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "locks"; }
    int version() const override { return 4; }
    std::span<const std::string_view> uses() const override { return Uses; }
    std::span<const TrackView> views() const override { return Views; }
    bool appliesTo(const Trace& trace) const override { return locks::hasLocks(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<locks::Locks>(input.trace, input.needed.empty() ? nullptr : input.needed[0].get(), sink);
    }

private:
    static constexpr std::string_view Uses[] = {"kernel"};
};

} // namespace

extern const BuiltinAnalysis locksAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<LocksAnalysis>(); }};

} // namespace helio
