#include "core/event_model/segment_fields.h"
#include "core/latency/intervals/event_rows.h"
#include "core/latency/intervals/interval_source.h"
#include "core/waits/path/wait_causes.h"

namespace helio {
namespace {

/// Waits of threads, named by the kind of their cause. Details of the individual cause are in the fields.
class WaitIntervals : public IntervalSource {
public:
    WaitIntervals(std::shared_ptr<const Timeline> timeline, IntervalKind kind)
        : IntervalSource(std::move(kind))
        , m_timeline(std::move(timeline))
    {
    }

    std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const override
    {
        const AcceptedThreads chosen(*m_timeline, request.accepts);
        const auto takeOne = [&](const Row& row, const Interval& wait, const WaitCause& cause) {
            SegmentFields fields;
            if (!cause.detail.empty())
                fields.add("detail", cause.detail);
            take({wait.range, chosen.find(row), wordOf(cause.kind), fields.text()});
        };
        eachWait(*m_timeline, chosen.rows(), request.range, takeOne, stop);
        return 0;
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
};

void listWaits(const std::shared_ptr<const Timeline>& timeline, IntervalSources& sources)
{
    if (!hasWaitCauses(*timeline))
        return;
    IntervalKind kind{std::string(WaitKind), "Waits by cause", "Cause", 50};
    kind.areOfThreads = kind.hasFields = true;
    sources.push_back(std::make_unique<WaitIntervals>(timeline, kind));
}

} // namespace

extern const IntervalSourceFactory waitIntervals;
const IntervalSourceFactory waitIntervals{listWaits, nullptr};

} // namespace helio
