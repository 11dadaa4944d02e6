#include "core/sql/engine/call_table.h"
#include "core/sql/table_functions/path_thread.h"
#include "core/timesync/link_times.h"
#include "core/waits/path/explain_wait.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

std::unique_ptr<Table> makeWaitCause(const Recording& recording)
{
    static constexpr std::array Arguments{argument("of_utid"), argument("at_ts")};
    std::vector<ListColumn<WaitStep>> columns;
    columns.push_back({{"ts"}, [](const WaitStep& step, ValueSink sink) { sink.integer(nanoseconds(step.range.begin)); }});
    columns.push_back({{"dur"}, [](const WaitStep& step, ValueSink sink) { sink.integer(step.range.duration().count()); }});
    columns.push_back({{"depth"}, [](const WaitStep& step, ValueSink sink) { sink.integer(step.depth); }});
    columns.push_back({{"kind", ColumnType::Text}, [](const WaitStep& step, ValueSink sink) { sink.text(wordOf(step.kind)); }});
    columns.push_back({{"utid"}, [things = recording.things](const WaitStep& step, ValueSink sink) {
                           if (const auto thread = things->threadOf(step.row, step.range.begin))
                               sink.integer(*thread);
                       }});
    columns.push_back({{"words", ColumnType::Text}, [](const WaitStep& step, ValueSink sink) { sink.text(step.words); }});
    columns.push_back({{"detail", ColumnType::Text}, [](const WaitStep& step, ValueSink sink) { sink.textOrNull(step.what); }});
    columns.push_back({{"is_explained"}, [](const WaitStep& step, ValueSink sink) { sink.integer(step.isFollowed ? 1 : 0); }});
    columns.push_back({{"waker_utid"}, [things = recording.things](const WaitStep& step, ValueSink sink) {
                           if (const auto thread = things->threadOf(step.waker, step.range.end))
                               sink.integer(*thread);
                       }});
    columns.push_back({{"event", ColumnType::Text}, [](const WaitStep& step, ValueSink sink) { sink.textOrNull(step.event); }});
    columns.push_back({{"event_ts"}, [](const WaitStep& step, ValueSink sink) {
                           if (!step.event.empty())
                               sink.integer(nanoseconds(step.eventAt));
                       }});
    columns.push_back({{"event_trace_id"}, [](const WaitStep& step, ValueSink sink) {
                           if (!step.event.empty())
                               sink.integer(step.trace);
                       }});
    columns.push_back({{"error_ns"}, [](const WaitStep& step, ValueSink sink) {
                           if (step.error != UnknownError)
                               sink.integer(step.error.count());
                       }});
    return std::make_unique<CallTable<WaitStep>>(Arguments, std::move(columns), [recording](const Filter& filter) {
        const auto thread = threadWithStates(recording, filter.equal(0).value_or(-1));
        if (!thread)
            return std::vector<WaitStep>();
        constexpr int Event = 11; // Events are looked up only for queries that read them.
        const WaitEvents events =
            filter.reads(Event) || filter.reads(Event + 1) || filter.reads(Event + 2) ? WaitEvents::Find : WaitEvents::Skip;
        return explainWait(recording.complete->get(filter.stop()), thread->row, timestamp(filter.equal(1).value_or(0)), filter.stop(),
                           events)
            .steps;
    });
}

} // namespace

/// wait_cause(utid, ts): the steps that explain why a thread waited at a time; each step is followed by the deeper steps that explain it.
extern const TableFactory waitCauseFunction;
const TableFactory waitCauseFunction{"wait_cause", makeWaitCause};

} // namespace helio::sql
