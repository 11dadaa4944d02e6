#include "core/analyses/disks/disk_queues.h"
#include "core/analysis/analysis.h"
#include "core/analysis/track_view.h"

namespace helio {
namespace {

constexpr const char* Nothing = "No events were recorded that say what disks were asked for. Record them with: lttng enable-event -k "
                                "'block_rq_*' (perf: -e 'block:block_rq_*').";

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
     .tip = "Requests in the queues of each disk: those that wait for its driver, and those that the driver has",
     .beginsCollapsed = true,
     .order = 17,
     .canHideIdleRows = true,
     .nothing = Nothing},
    curves(disks::ThroughputView, "Disk throughput",
           "How much each disk reads and writes: the bytes of a request go evenly from when the driver gets it until it is "
           "completed",
           18),
    curves(disks::QueuesView, "Disk queues", "How many requests wait for each disk's driver, and how many the driver has", 18),
    curves(disks::BusyView, "Disk use", "How much of the time each disk's driver had something to do: 1 is always", 18)};

class DisksAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "disks"; }
    int version() const override { return 7; }
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
