#include "core/latency/intervals/event_rows.h"
#include "core/latency/intervals/interval_source.h"
#include "core/query/segments/state_intervals.h"

namespace helio {
namespace {

/// Intervals from a thread's wake-up until it runs, named by the thread or by its priority.
class WakeupIntervals : public IntervalSource {
public:
    WakeupIntervals(std::shared_ptr<const Timeline> timeline, IntervalKind kind, bool isByPriority)
        : IntervalSource(std::move(kind))
        , m_timeline(std::move(timeline))
        , m_isByPriority(isByPriority)
    {
    }

    std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const override
    {
        const AcceptedThreads chosen(*m_timeline, request.accepts);
        PriorityCache priorities(*m_timeline);
        std::string priority;
        const auto takeOne = [&](const Row& copy, TimeRange range) {
            const Row& row = chosen.find(copy);
            if (m_isByPriority)
                priority = wakeupPriorityText(priorities, row, range);
            take({range, row, m_isByPriority ? std::string_view(priority) : row.label});
        };
        forEachWakeup(*m_timeline, chosen.rows(), request.range, takeOne, stop);
        return 0;
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
    bool m_isByPriority;
};

void listWakeups(const std::shared_ptr<const Timeline>& timeline, IntervalSources& sources)
{
    const std::string id(wakeupKind(*timeline));
    if (id.empty())
        return;
    IntervalKind kind{id, "Scheduling latency", "Thread", 30};
    kind.areOfThreads = kind.areNamedByThread = kind.areWakeups = true;
    sources.push_back(std::make_unique<WakeupIntervals>(timeline, kind, false));
    if (const std::string byPriority = wakeupPriorityKind(*timeline); !byPriority.empty()) {
        kind.id = byPriority;
        kind.title += ", by priority";
        kind.nameTitle = "Priority";
        kind.order = 31;
        sources.push_back(std::make_unique<WakeupIntervals>(timeline, kind, true));
    }
}

} // namespace

extern const IntervalSourceFactory wakeupIntervals;
const IntervalSourceFactory wakeupIntervals{listWakeups, nullptr};

} // namespace helio
