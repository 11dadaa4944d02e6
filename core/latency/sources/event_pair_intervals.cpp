#include "core/latency/intervals/event_rows.h"
#include "core/latency/intervals/interval_source.h"
#include "core/latency/pairs/begin_order.h"
#include "core/latency/pairs/event_pairs.h"

namespace helio {
namespace {

/// Intervals from one event to a later event with the same field value. Each interval is named by that value, and is on the row of the
/// first event's thread.
class EventPairIntervals : public IntervalSource {
public:
    EventPairIntervals(std::shared_ptr<const Timeline> timeline, IntervalKind kind, EventPairLatency pairs)
        : IntervalSource(std::move(kind))
        , m_timeline(std::move(timeline))
        , m_pairs(std::move(pairs))
    {
    }

    std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const override
    {
        std::uint64_t leftOut = 0;
        EventRows rows(*m_timeline);
        AcceptedRows accepted(request.accepts);
        const auto scan = [&](const std::function<void(const EventPair&)>& takePair) {
            leftOut = forEachEventPair(m_timeline, m_pairs, request.range, takePair, stop);
        };
        const auto takeOne = [&](const EventPair& pair) {
            const Row& row = rows.at(pair.trace, pair.tid, pair.cpu, pair.range.begin);
            if (accepted.has(row))
                take({pair.range, row, pair.value});
        };
        forEachByBegin<EventPair>(scan, takeOne, stop);
        return leftOut;
    }
    bool knowsCpus() const override { return true; }
    std::string sampledEvents() const override { return partlyRecordedEvent(*m_timeline, m_pairs); }

private:
    std::shared_ptr<const Timeline> m_timeline;
    EventPairLatency m_pairs;
};

Result<std::unique_ptr<IntervalSource>> parsePairSource(const std::shared_ptr<const Timeline>& timeline, std::string_view id,
                                                        const std::vector<std::string>&)
{
    if (!isEventPairs(id))
        return std::unique_ptr<IntervalSource>();
    auto pairs = parseEventPairs(id);
    if (!pairs)
        return pairs.error();
    if (const Status status = checkEventPairs(*timeline, *pairs); !status)
        return status.error();
    const std::string text = textOf(*pairs);
    IntervalKind kind{text, text, pairs->first.field, 80};
    kind.areOfThreads = true;
    return std::unique_ptr<IntervalSource>(std::make_unique<EventPairIntervals>(timeline, std::move(kind), std::move(*pairs)));
}

} // namespace

extern const IntervalSourceFactory eventPairIntervals;
const IntervalSourceFactory eventPairIntervals{nullptr, parsePairSource};

} // namespace helio
