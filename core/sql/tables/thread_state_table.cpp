#include "core/query/rows/facts.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/timeline_access.h"
#include "core/sql/engine/time_table.h"
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
    {
    }

    std::span<const Column> columns() const override { return ThreadStateColumns; }
    double estimatedRows() const override { return static_cast<double>(m_recording.scheduling->stateIds().total()); }

private:
    /// The waker of a thread and where it was: a thread, or what interrupted it.
    struct Waker {
        std::uint32_t thread = 0;
        Timestamp at;
        bool isInterrupt = false;
    };

    Rows rows(const Filter& filter) const override
    {
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
        default: return; // io_wait and blocked_function: no analysis derives them yet.
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
        if (!wakeup || !wakeup->from.isValid())
            return {};
        Waker waker{0, wakeup->fromTime, !wakeup->detail.empty()}; // The detail names the interrupt.
        if (const auto found = m_recording.things->threadOf(wakeup->from, wakeup->fromTime)) {
            waker.thread = *found;
            return waker;
        }
        // The arrow begins at a CPU: an interrupt woke the thread, or the idle thread did.
        const std::uint32_t trace = traceOf(timeline, wakeup->from);
        const auto cpu = static_cast<std::int32_t>(wakeup->cpu);
        const TrackRef interrupted = threadOn(timeline, trace, cpu, wakeup->fromTime);
        const auto running = interrupted.isValid() ? m_recording.things->threadOf(interrupted, wakeup->fromTime) : std::nullopt;
        if (!running && !isIdle(timeline, trace, cpu, wakeup->fromTime))
            return {};
        waker.thread = running.value_or(m_recording.things->idleThread(thread.host));
        return waker;
    }

    void writeWakerId(const ThreadStateRow& row, ValueSink sink) const
    {
        const auto waker = wakerOf(row);
        const auto state = waker ? m_recording.scheduling->stateAt(waker->thread, waker->at) : std::nullopt;
        if (state)
            sink.integer(m_recording.scheduling->stateIds().idOf({state->thread, state->interval}));
    }

    Recording m_recording;
};

} // namespace

extern const TableFactory threadStateTable;
const TableFactory threadStateTable{
    "thread_state", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<ThreadStateTable>(recording); }};

} // namespace helio::sql
