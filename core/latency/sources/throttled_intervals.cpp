#include "core/event_model/segment_fields.h"
#include "core/latency/intervals/event_rows.h"
#include "core/latency/intervals/interval_source.h"
#include "core/latency/throttling/throttled.h"

namespace helio {
namespace {

/// Intervals in which a process was throttled: it waited although CPUs were idle (forEachThrottled()).
class ThrottledIntervals : public IntervalSource {
public:
    ThrottledIntervals(std::shared_ptr<const Timeline> timeline, IntervalKind kind)
        : IntervalSource(std::move(kind))
        , m_timeline(std::move(timeline))
    {
    }

    std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const override
    {
        std::map<TrackRef, Row> rows;
        AcceptedRows accepted(request.accepts);
        const auto takeOne = [&](const Row& process, const ThrottledInterval& throttled) {
            const Row& row = rows.try_emplace(process.ref, process).first->second;
            if (!accepted.has(row))
                return;
            SegmentFields fields;
            fields.addNumber("threads", throttled.waiting);
            fields.addNumber("idle_ns", throttled.idle.count());
            fields.addNumber("pid", row.pid);
            fields.add("comm", row.label);
            const std::string name = throttledName(row);
            take({throttled.range, row, name, fields.text()});
        };
        forEachThrottled(*m_timeline, request.range, takeOne, stop);
        return 0;
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
};

void listThrottled(const std::shared_ptr<const Timeline>& timeline, IntervalSources& sources)
{
    if (!canDetectThrottling(*timeline))
        return;
    IntervalKind kind{std::string(ThrottledKind), "CPU throttling", "Process", 60};
    kind.areOfThreads = kind.areNamedByThread = kind.hasFields = true;
    sources.push_back(std::make_unique<ThrottledIntervals>(timeline, kind));
}

} // namespace

extern const IntervalSourceFactory throttledIntervals;
const IntervalSourceFactory throttledIntervals{listThrottled, nullptr};

} // namespace helio
