#include "core/query/rows/facts.h"
#include "core/query/rows/priorities.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/tables/certainty.h"
#include "core/sql/tables/table_factory.h"

#include <algorithm>
#include <array>
#include <memory>

namespace helio::sql {
namespace {

enum SchedSliceColumn : int { SliceId, SliceTs, SliceDur, SliceCpu, SliceUtid, SliceEndState, SlicePriority, SliceUcpu, SliceIsCertain };

constexpr std::array SchedSliceColumns{
    Column{"id", ColumnType::Integer, Search::Equal, true},
    Column{"ts", ColumnType::Integer, Search::Ordered},
    Column{"dur"},
    Column{"cpu", ColumnType::Integer, Search::Equal},
    Column{"utid"},
    Column{"end_state", ColumnType::Text},
    Column{"priority"},
    Column{"ucpu", ColumnType::Integer, Search::Equal},
    CertainColumn,
};

/// The runs of threads on CPUs, with those of the idle threads.
class SchedSliceTable final : public TimeTable<ScheduledRow> {
public:
    explicit SchedSliceTable(const Recording& recording)
        : m_recording(recording)
        , m_priorities(recording.timeline())
    {
    }

    std::span<const Column> columns() const override { return SchedSliceColumns; }
    double estimatedRows() const override { return static_cast<double>(m_recording.scheduling->runIds().total()); }

private:
    Rows rows(const Filter& filter) const override
    {
        const auto& cpus = m_recording.things->cpus();
        TimeRange range = timesAllowed(filter, SliceTs, rangeOf(m_recording.timeline()));
        std::vector<std::uint32_t> wanted;
        if (const auto id = filter.equal(SliceId)) {
            const auto at = m_recording.scheduling->runIds().positionOf(*id);
            const auto run = at ? findInterval(m_recording.timeline(), cpus[at->track].threads, at->interval) : std::nullopt;
            if (!run)
                return {};
            wanted = {static_cast<std::uint32_t>(at->track)};
            range = range.clippedTo({run->range.begin, run->range.begin + Duration(1)});
        } else {
            for (std::uint32_t i = 0; i < cpus.size(); ++i)
                if (const std::int64_t ucpu = cpuId(cpus[i].host, cpus[i].cpu);
                    filter.range(SliceUcpu).contains(ucpu) && filter.range(SliceCpu).contains(ucpu))
                    wanted.push_back(i);
        }
        const bool isNumbered = filter.reads(SliceId);
        const auto collect = [this, wanted, stop = filter.stop(), counts = std::make_shared<RunningCounts>(isNumbered ? cpus.size() : 0),
                              isNumbered](TimeRange part, std::vector<ScheduledRow>& out) {
            for (const std::uint32_t cpu : wanted)
                m_recording.scheduling->appendRuns(cpu, part, out, isNumbered ? counts.get() : nullptr, stop);
        };
        return {range, rangeOf(m_recording.timeline()), m_recording.scheduling->runIds().total(), collect, filter.stop()};
    }

    void write(const ScheduledRow& row, int column, ValueSink sink) const override
    {
        const CpuEntry& cpu = m_recording.things->cpus()[row.cpu];
        switch (column) {
        case SliceId: return sink.integer(m_recording.scheduling->runIds().idOf({row.cpu, row.interval}));
        case SliceTs: return sink.integer(nanoseconds(row.ts));
        case SliceDur: return sink.integer(row.end ? (*row.end - row.ts).count() : -1);
        case SliceCpu:
        case SliceUcpu: return sink.integer(cpuId(cpu.host, cpu.cpu));
        case SliceUtid: return sink.integer(row.thread);
        case SliceEndState: return sink.textOrNull(row.end ? textOf(m_recording.scheduling->stateAfterRun(row.thread, *row.end)) : "");
        case SlicePriority: return writePriority(row, sink);
        case SliceIsCertain: return writeCertain(m_recording, cpu.host, cpu.cpu, row.ts, row.end, sink);
        default: return;
        }
    }

    void writePriority(const ScheduledRow& row, ValueSink sink) const
    {
        const TrackRef thread = m_recording.things->threads()[row.thread].row;
        if (const auto priority = thread.isValid() ? m_priorities.at(thread, row.ts) : std::nullopt)
            sink.integer(*priority);
    }

    Recording m_recording;
    mutable PriorityCache m_priorities;
};

} // namespace

extern const TableFactory schedSliceTable;
const TableFactory schedSliceTable{
    "sched_slice", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<SchedSliceTable>(recording); }};

} // namespace helio::sql
