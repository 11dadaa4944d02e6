#include "core/query/rows/arrows.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/timeline_access.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/model/wakers.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>
#include <string>

namespace helio::sql {
namespace {

/// A wake-up of a thread that did not sleep.
struct WakeupRow {
    Timestamp ts;
    std::uint64_t number = 0; ///< Number among all rows; only counted on request.
    std::uint32_t thread = 0;
    Arrow arrow;
};

enum WakeupColumn : int { WakeupId, WakeupTs, WakeupState, WakeupIrqContext, WakeupUtid, WakeupWakerUtid };

constexpr std::array WakeupColumns{
    Column{"id"},
    Column{"ts", ColumnType::Integer, Search::Ordered},
    Column{"thread_state_id"},
    Column{"irq_context"},
    Column{"utid"},
    Column{"waker_utid"},
};

/// Returns the kind of links that are wake-ups; no kind if no store has any.
LinkIds wakeUps(const Timeline& timeline)
{
    LinkIds kinds;
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        const auto known = store.linkKinds();
        const auto wakeup = static_cast<std::size_t>(LinkKind::Wakeup);
        if (wakeup < known.size() && !known[wakeup].id.empty())
            kinds.ids = {known[wakeup].id};
    });
    return kinds;
}

/// Wake-ups of threads that were running or waiting for a CPU, so that the wake-up began no state.
class SpuriousWakeupTable final : public TimeTable<WakeupRow> {
public:
    explicit SpuriousWakeupTable(const Recording& recording)
        : m_recording(recording)
        , m_kinds(wakeUps(recording.timeline()))
    {
    }

    std::span<const Column> columns() const override { return WakeupColumns; }
    double estimatedRows() const override { return static_cast<double>(m_recording.scheduling->runIds().total()) / 10 + 100; }

private:
    Rows rows(const Filter& filter) const override
    {
        TimeRange all = rangeOf(m_recording.timeline());
        all.end += Duration(1);
        TimeRange range = timesAllowed(filter, WakeupTs, all);
        if (filter.reads(WakeupId)) // Ids count the rows from the beginning.
            range.begin = all.begin;
        const auto collect = [this, stop = filter.stop(), count = std::make_shared<std::uint64_t>(0)](TimeRange part,
                                                                                                      std::vector<WakeupRow>& out) {
            if (m_kinds.isEmpty())
                return;
            ArrowWalk walk(m_recording.timeline(), m_kinds, part, stop);
            while (walk.next())
                if (const Arrow arrow = walk.arrow(); part.contains(arrow.fromTime))
                    if (const auto thread = uselesslyWoken(arrow))
                        out.push_back({arrow.fromTime, (*count)++, *thread, arrow});
        };
        return {range, all, static_cast<std::uint64_t>(m_recording.scheduling->runIds().total()), collect, filter.stop()};
    }

    /// Returns the woken thread if it ran or waited for a CPU before the wake-up.
    std::optional<std::uint32_t> uselesslyWoken(const Arrow& arrow) const
    {
        const auto thread = m_recording.things->threadOf(arrow.to, arrow.toTime);
        if (!thread || m_recording.things->threads()[*thread].isIdle)
            return {};
        const Timestamp before = arrow.fromTime - Duration(1);
        switch (m_recording.scheduling->kindAt(*thread, before)) {
        case SchedulerState::Running: return thread;
        case SchedulerState::Runnable:
        case SchedulerState::Preempted: return isWakeupOfStateAt(*thread, before, arrow) ? std::nullopt : thread;
        default: return {};
        }
    }

    /// True if the wake-up belongs to the state at a time, although it is later: a new thread waits for a CPU before its first wake-up.
    bool isWakeupOfStateAt(std::uint32_t thread, Timestamp at, const Arrow& arrow) const
    {
        const Timeline& timeline = m_recording.timeline();
        const TrackRef row = m_recording.things->threads()[thread].row;
        const auto state = intervalAt(timeline, row, at);
        const auto wakeup = state.empty() ? std::nullopt : findWakeup(timeline, row, state.front());
        return wakeup && wakeup->fromTime == arrow.fromTime;
    }

    void write(const WakeupRow& row, int column, ValueSink sink) const override
    {
        switch (column) {
        case WakeupId: return sink.integer(static_cast<std::int64_t>(row.number));
        case WakeupTs: return sink.integer(nanoseconds(row.ts));
        case WakeupState:
            if (const auto state = m_recording.scheduling->stateAt(row.thread, row.ts - Duration(1)))
                sink.integer(m_recording.scheduling->stateIds().idOf({state->thread, state->interval}));
            return;
        case WakeupIrqContext:
            if (const auto waker = findWaker(*m_recording.things, row.arrow))
                sink.integer(waker->isInterrupt ? 1 : 0);
            return;
        case WakeupUtid: return sink.integer(row.thread);
        case WakeupWakerUtid:
            if (const auto waker = findWaker(*m_recording.things, row.arrow))
                sink.integer(waker->thread);
            return;
        default: return;
        }
    }

    Recording m_recording;
    LinkIds m_kinds;
};

} // namespace

extern const TableFactory spuriousSchedWakeupTable;
const TableFactory spuriousSchedWakeupTable{"spurious_sched_wakeup", [](const Recording& recording) -> std::unique_ptr<Table> {
                                                return std::make_unique<SpuriousWakeupTable>(recording);
                                            }};

} // namespace helio::sql
