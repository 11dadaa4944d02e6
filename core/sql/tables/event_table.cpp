#include "core/query/events/event_walk.h"
#include "core/query/rows/event_thread_resolver.h"
#include "core/query/rows/facts.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/model/argument_sets.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>
#include <vector>

namespace helio::sql {
namespace {

enum EventColumn : int { EventId, EventTs, EventTrace, EventHost, EventCpu, EventName, EventUtid, EventArguments };

constexpr std::array<Column, 8> columnsOf(Search byTime)
{
    return {{
        {"id", ColumnType::Integer, Search::Ordered, true},
        {"ts", ColumnType::Integer, byTime},
        {"trace_id"},
        {"host_id"},
        {"cpu"},
        {"name", ColumnType::Text},
        {"utid"},
        {"arg_set_id"},
    }};
}
constexpr std::array EventColumns = columnsOf(Search::Ordered);
/// Columns of recordings in which times go back within a stream, so that the order of the events is not that of their times.
constexpr std::array UnorderedEventColumns = columnsOf(Search::None);

/// Every event of every trace, read from the traces themselves.
class RecordedEvents final : public Table {
public:
    explicit RecordedEvents(const Recording& recording)
        : m_recording(recording)
        , m_locator(recording.things->sharedTimeline())
    {
        const Timestamp begin = rangeOf(recording.timeline()).begin;
        m_areOrdered = walkEndFor(recording.timeline(), begin) == begin;
        for (std::uint32_t i = 0; i < recording.timeline().traces.size(); ++i)
            m_threads.emplace_back(recording.timeline(), i);
    }

    std::span<const Column> columns() const override { return m_areOrdered ? EventColumns : UnorderedEventColumns; }
    double estimatedRows() const override { return static_cast<double>(m_locator.total()); }
    std::optional<std::uint64_t> exactRows() const override { return m_locator.total(); }
    std::unique_ptr<Cursor> open() const override { return std::make_unique<EventRows>(*this); }

private:
    class EventRows final : public Cursor {
    public:
        explicit EventRows(const RecordedEvents& table)
            : m_table(table)
        {
        }

        void start(const Filter& filter) override
        {
            const auto& timeline = m_table.m_recording.things->sharedTimeline();
            const IntegerRange ids = filter.range(EventId);
            const IntegerRange times = m_table.m_areOrdered ? filter.range(EventTs) : IntegerRange();
            m_stop = filter.stop();
            m_walk.reset();
            if (ids.isEmpty() || times.isEmpty() || ids.highest < 0)
                return;
            m_lastIndex = static_cast<std::uint64_t>(ids.highest);
            m_lastTime = timestamp(times.highest);
            const auto first = static_cast<std::uint64_t>(std::max<std::int64_t>(0, ids.lowest));
            if (first > 0)
                m_walk = std::make_unique<EventWalk>(timeline, m_table.m_locator.near(first, m_stop), m_stop);
            else
                m_walk = std::make_unique<EventWalk>(timeline, timestamp(times.lowest), m_stop);
            m_index = m_walk->startIndex();
            if (!m_walk->next())
                m_walk.reset();
            while (m_walk && m_index < first)
                next();
            endIfBehind();
        }
        bool isAtEnd() const override { return !m_walk; }
        void next() override
        {
            constexpr std::uint64_t EventsBetweenChecks = 4'096;
            ++m_index;
            if (!m_walk->next() || (m_index % EventsBetweenChecks == 0 && m_stop.stop_requested()))
                m_walk.reset();
            else
                endIfBehind();
        }
        std::int64_t rowId() const override { return static_cast<std::int64_t>(m_index); }

        void write(int column, ValueSink sink) override
        {
            const EventView& event = m_walk->event();
            const Timeline& timeline = m_table.m_recording.timeline();
            const std::uint32_t trace = m_walk->trace();
            switch (column) {
            case EventId: return sink.integer(rowId());
            case EventTs: return sink.integer(nanoseconds(m_walk->time()));
            case EventTrace: return sink.integer(trace);
            case EventHost: return sink.integer(timeline.traces[trace].host);
            case EventCpu: return sink.id(cpuId(timeline.traces[trace].host, event.cpu()));
            case EventName: return sink.text(event.type->name);
            case EventUtid: return writeThread(event, trace, sink);
            case EventArguments: return sink.integer(argumentSetOf(ArgumentOwner::Event, rowId()));
            default: return;
            }
        }

    private:
        void endIfBehind()
        {
            if (m_walk && (m_index > m_lastIndex || m_walk->time() > m_lastTime))
                m_walk.reset();
        }

        void writeThread(const EventView& event, std::uint32_t trace, ValueSink sink) const
        {
            const auto tid = m_table.m_threads[trace].tid(event);
            if (!tid)
                return;
            const HostId host = m_table.m_recording.timeline().traces[trace].host;
            if (const auto thread = m_table.m_recording.things->threadWithTid(host, *tid, m_walk->time()))
                sink.integer(*thread);
        }

        const RecordedEvents& m_table;
        std::unique_ptr<EventWalk> m_walk; ///< Null at the end.
        std::uint64_t m_index = 0; ///< Number of the current event in the experiment's order.
        std::uint64_t m_lastIndex = 0;
        Timestamp m_lastTime;
        std::stop_token m_stop;
    };

    Recording m_recording;
    mutable EventLocator m_locator;
    std::vector<EventThreadResolver> m_threads; ///< Resolvers of the events' threads, indexed by trace.
    bool m_areOrdered = true;
};

} // namespace

extern const TableFactory eventTable;
const TableFactory eventTable{
    "event", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<RecordedEvents>(recording); }};

} // namespace helio::sql
