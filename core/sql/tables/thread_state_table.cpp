#include "core/query/rows/facts.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/timeline_access.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/model/blocked_reasons.h"
#include "core/sql/model/wakers.h"
#include "core/sql/tables/certainty.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

enum ThreadStateColumn : int {
    StateId,
    StateTs,
    StateDur,
    StateCpu,
    StateUtid,
    StateName,
    StateIoWait,
    StateBlockedFunction,
    StateWakerUtid,
    StateWakerId,
    StateIrqContext,
    StateUcpu,
    StateIsCertain
};

constexpr std::array ThreadStateColumns{
    Column{"id", ColumnType::Integer, Search::Equal, true},
    Column{"ts", ColumnType::Integer, Search::Ordered},
    Column{"dur"},
    Column{"cpu"},
    Column{"utid", ColumnType::Integer, Search::Equal},
    Column{"state", ColumnType::Text},
    Column{"io_wait"},
    Column{"blocked_function", ColumnType::Text},
    Column{"waker_utid"},
    Column{"waker_id"},
    Column{"irq_context"},
    Column{"ucpu"},
    CertainColumn,
};

/// The states of all threads but the idle threads.
class ThreadStateTable final : public TimeTable<ThreadStateRow> {
public:
    explicit ThreadStateTable(const Recording& recording)
        : m_recording(recording)
        , m_reasons(recording.things)
    {
    }

    std::span<const Column> columns() const override { return ThreadStateColumns; }
    double estimatedRows() const override { return static_cast<double>(m_recording.scheduling->stateIds().total()); }

private:
    Rows rows(const Filter& filter) const override
    {
        if ((filter.reads(StateIoWait) || filter.reads(StateBlockedFunction)) && !m_reasons.prepare(filter.stop()))
            return {};
        const auto& threads = m_recording.things->threads();
        TimeRange range = timesAllowed(filter, StateTs, rangeOf(m_recording.timeline()));
        std::vector<std::uint32_t> wanted;
        if (const auto id = filter.equal(StateId)) {
            const auto at = m_recording.scheduling->stateIds().positionOf(*id);
            const auto first = at ? findInterval(m_recording.timeline(), threads[at->track].row, at->interval) : std::nullopt;
            if (!first)
                return {};
            wanted = {static_cast<std::uint32_t>(at->track)};
            range = range.clippedTo({first->range.begin, first->range.begin + Duration(1)});
        } else {
            const IntegerRange utids = filter.range(StateUtid);
            const auto end = std::min<std::int64_t>(static_cast<std::int64_t>(threads.size()) - 1, utids.highest);
            for (std::int64_t utid = std::max<std::int64_t>(0, utids.lowest); utid <= end; ++utid)
                wanted.push_back(static_cast<std::uint32_t>(utid));
        }
        std::uint64_t expected = 0;
        for (const std::uint32_t utid : wanted)
            if (const Track* const track = trackOf(m_recording.timeline(), threads[utid].row))
                expected += track->intervals;
        const bool isNumbered = filter.reads(StateId);
        const auto collect = [this, wanted, stop = filter.stop(), counts = std::make_shared<RunningCounts>(isNumbered ? threads.size() : 0),
                              isNumbered](TimeRange part, std::vector<ThreadStateRow>& out) {
            for (const std::uint32_t thread : wanted)
                m_recording.scheduling->appendStates(thread, part, out, isNumbered ? counts.get() : nullptr, stop);
        };
        return {range, rangeOf(m_recording.timeline()), expected, collect, filter.stop()};
    }

    void write(const ThreadStateRow& row, int column, ValueSink sink) const override
    {
        switch (column) {
        case StateId: return sink.integer(m_recording.scheduling->stateIds().idOf({row.thread, row.interval}));
        case StateTs: return sink.integer(nanoseconds(row.ts));
        case StateDur: return sink.integer(row.end ? (*row.end - row.ts).count() : -1);
        case StateCpu:
        case StateUcpu: return sink.id(cpuIdOf(row));
        case StateUtid: return sink.integer(row.thread);
        case StateName: return sink.textOrNull(textOf(row.state));
        case StateWakerUtid:
            if (const auto waker = wakerOf(row))
                sink.integer(waker->thread);
            return;
        case StateWakerId: return writeWakerId(row, sink);
        case StateIrqContext:
            if (const auto waker = wakerOf(row))
                sink.integer(waker->isInterrupt ? 1 : 0);
            return;
        case StateIsCertain:
            return writeCertain(m_recording, m_recording.things->threads()[row.thread].host, runningCpuOf(row), row.ts, row.end, sink);
        case StateIoWait:
            if (const auto reason = reasonOf(row); reason && reason->isIoWait)
                sink.integer(*reason->isIoWait ? 1 : 0);
            return;
        case StateBlockedFunction:
            if (const auto reason = reasonOf(row))
                sink.textOrNull(m_reasons.functionOf(*reason));
            return;
        default: return;
        }
    }

    std::int64_t cpuIdOf(const ThreadStateRow& row) const
    {
        return cpuId(m_recording.things->threads()[row.thread].host, runningCpuOf(row));
    }

    /// Returns the number of the CPU on which a thread runs in a state; -1 for other states, or if it is unknown.
    std::int32_t runningCpuOf(const ThreadStateRow& row) const
    {
        if (row.state != SchedulerState::Running)
            return -1;
        return cpuOf(m_recording.timeline(), m_recording.things->threads()[row.thread].row, row.ts);
    }

    /// Returns what woke the thread before it waited for a CPU in the state `row`; nullopt for other states, or if it is unknown.
    std::optional<Waker> wakerOf(const ThreadStateRow& row) const
    {
        if (row.state != SchedulerState::Runnable)
            return {};
        const Timeline& timeline = m_recording.timeline();
        const ThreadEntry& thread = m_recording.things->threads()[row.thread];
        const auto interval = intervalAt(timeline, thread.row, row.ts);
        const auto wakeup = interval.empty() ? std::nullopt : findWakeup(timeline, thread.row, interval.front());
        return wakeup ? findWaker(*m_recording.things, *wakeup) : std::nullopt;
    }

    /// Returns what the thread waited for in the state `row`; nullopt if the recording does not say it.
    std::optional<BlockedReason> reasonOf(const ThreadStateRow& row) const
    {
        if (row.state != SchedulerState::Blocked && row.state != SchedulerState::Idle)
            return {};
        // The kernel writes the reason while it wakes the thread: before or after the event that ends the state here.
        const auto next = row.end ? m_recording.scheduling->stateAt(row.thread, *row.end) : std::nullopt;
        const Timestamp until = !row.end                      ? Timestamp::max()
            : next && next->state == SchedulerState::Runnable ? next->end.value_or(*row.end)
                                                              : *row.end;
        return m_reasons.find(row.thread, row.ts, until);
    }

    void writeWakerId(const ThreadStateRow& row, ValueSink sink) const
    {
        const auto waker = wakerOf(row);
        const auto state = waker ? m_recording.scheduling->stateAt(waker->thread, waker->at) : std::nullopt;
        if (state)
            sink.integer(m_recording.scheduling->stateIds().idOf({state->thread, state->interval}));
    }

    Recording m_recording;
    mutable BlockedReasons m_reasons;
};

} // namespace

extern const TableFactory threadStateTable;
const TableFactory threadStateTable{
    "thread_state", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<ThreadStateTable>(recording); }};

} // namespace helio::sql
