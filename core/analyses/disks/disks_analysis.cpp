#include "core/analyses/disks/disk_queues.h"
#include "core/analysis/analysis.h"
#include "core/analysis/track_view.h"

namespace helio {
namespace {

constexpr const char* Nothing = "No disk requests were recorded. Record them with: lttng enable-event -k 'block_rq_*' (perf: -e "
                                "'block:block_rq_*').";

TrackView curves(std::string_view id, const char* title, const char* tip, int order)
{
    return {.id = std::string(id),
            .title = title,
            .tip = tip,
            .shape = TrackView::Shape::Curves,
            .beginsCollapsed = true,
            .order = order,
            .one = "curve",
            .many = "curves",
            .nothing = Nothing};
}

const TrackView Views[] = {
    {.id = std::string(disks::View),
     .title = "Disks",
     .tip = "Requests of each disk: queued and in flight",
     .beginsCollapsed = true,
     .order = 17,
     .canHideIdleRows = true,
     .nothing = Nothing},
    curves(disks::ThroughputView, "Disk throughput",
           "Bytes read and written by each disk; a request's bytes are spread evenly from issue to completion", 18),
    curves(disks::QueuesView, "Disk queues", "Number of requests queued and in flight at each disk", 18),
    curves(disks::BusyView, "Disk utilization", "Share of time in which each disk had requests in flight; 1 is always busy", 18)};

class DisksAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "disks"; }
    int version() const override { return 9; }
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
