#include "core/analyses/disks/disk_queues.h"
#include "core/analysis/analysis.h"
#include "core/analysis/track_view.h"

namespace helio {
namespace {

constexpr const char* Nothing = "No disk requests were recorded.";

TrackView curves(std::string_view id, const char* title, const char* nameInGroup, const char* tip)
{
    return {.id = std::string(id),
            .title = title,
            .tip = tip,
            .shape = TrackView::Shape::Curves,
            .group = std::string(disks::View),
            .nameInGroup = nameInGroup,
            .beginsCollapsed = true,
            .order = 18,
            .one = "curve",
            .many = "curves",
            .data = RecordableData::DiskRequests,
            .nothing = Nothing};
}

const TrackView Views[] = {
    {.id = std::string(disks::View),
     .title = "Disks",
     .tip = "Requests of each disk: queued and in flight",
     .group = std::string(disks::View),
     .nameInGroup = "Requests",
     .beginsCollapsed = true,
     .order = 17,
     .one = "disk",
     .many = "disks",
     .share = "Utilization",
     .canHideIdleRows = true,
     .data = RecordableData::DiskRequests,
     .nothing = Nothing},
    curves(disks::ThroughputView, "Disk throughput", "Throughput",
           "Bytes read and written by each disk; a request's bytes are spread evenly from issue to completion"),
    curves(disks::QueuesView, "Disk queues", "Queue", "Number of requests queued and in flight at each disk"),
    curves(disks::BusyView, "Disk utilization", "Utilization", "Share of time in which each disk had requests in flight")};

class DisksAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "disks"; }
    int version() const override { return 10; }
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
