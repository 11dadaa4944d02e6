#include "core/analyses/disks/disk_queues.h"
#include "core/analysis/analysis.h"
#include "core/analysis/track_view.h"

namespace helio {
namespace {

const TrackView Views[] = {{.id = std::string(disks::View),
                            .title = "Disks",
                            .tip = "Requests in the queues of each disk: those that wait for its driver, and those that the driver has",
                            .beginsCollapsed = true,
                            .order = 17,
                            .canRest = true,
                            .nothing =
                                "No events were recorded that say what disks were asked for. Record them with: lttng enable-event -k "
                                "'block_rq_*' (perf: -e 'block:block_rq_*')."}};

class DisksAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "disks"; }
    int version() const override { return 1; }
    std::span<const TrackView> views() const override { return Views; }
    bool appliesTo(const Trace& trace) const override { return disks::hasRequests(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<disks::DiskQueues>(input.trace, sink);
    }
};

} // namespace

extern const BuiltinAnalysis disksAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<DisksAnalysis>(); }};

} // namespace helio
