#include "core/sql/tables/slice_columns.h"

#include "core/query/rows/facts.h"
#include "core/sql/model/argument_sets.h"
#include "core/sql/tables/certainty.h"

#include <array>

namespace helio::sql {
namespace {

constexpr std::array SliceColumns{
    Column{"id", ColumnType::Integer, Search::Equal, true},
    Column{"ts", ColumnType::Integer, Search::Ordered},
    Column{"dur"},
    Column{"track_id", ColumnType::Integer, Search::Equal},
    Column{"category", ColumnType::Text},
    Column{"name", ColumnType::Text},
    Column{"depth"},
    Column{"parent_id"},
    Column{"arg_set_id"},
    Column{"thread_ts"},
    Column{"thread_dur"},
    Column{"thread_instruction_count"},
    Column{"thread_instruction_delta"},
    Column{"stack_id", ColumnType::Integer, Search::None, false, ColumnRole::Hidden},
    Column{"parent_stack_id", ColumnType::Integer, Search::None, false, ColumnRole::Hidden},
    CertainColumn,
};

void writeCategory(const Slices& slices, const SliceRow& slice, ValueSink sink)
{
    if (slices.isSystemCall(slice)) // Their arguments are read from the trace, and they have no category.
        return;
    for (const Slices::Argument& argument : slices.argumentsOf(slice))
        if (argument.key == "cat")
            return sink.text(argument.value);
}

} // namespace

std::span<const Column> sliceColumns() { return SliceColumns; }

void writeSlice(const Recording& recording, const SliceRow& slice, int column, ValueSink sink)
{
    const Slices& slices = *recording.slices;
    switch (column) {
    case SliceRowId: return sink.integer(slices.idOf(slice));
    case SliceBegin: return sink.integer(nanoseconds(slice.ts));
    case SliceLength: return sink.integer(slice.end ? (*slice.end - slice.ts).count() : -1);
    case SliceTrackId: return sink.integer(slices.trackIdOf(slice));
    case SliceCategory: return writeCategory(slices, slice, sink);
    case SliceText: return sink.lastingTextOrNull(slices.nameOf(slice));
    case SliceDepth: return sink.integer(slices.depthOf(slice));
    case SliceParent:
        if (const auto parent = slices.parentOf(slice))
            sink.integer(slices.idOf(*parent));
        return;
    case SliceArguments:
        if (slices.mayHaveArguments(slice))
            sink.integer(argumentSetOf(ArgumentOwner::Slice, slices.idOf(slice)));
        return;
    case SliceThreadDur:
        if (const auto time = slices.cpuTimeOf(slice))
            sink.integer(time->count());
        return;
    case SliceStack: return sink.integer(slices.stackIdOf(slice));
    case SliceParentStack: return sink.integer(slices.parentStackIdOf(slice));
    case SliceCertain:
        return writeCertain(recording, slices.hostOf(slice), cpuOfRow(recording.timeline(), slices.rowOf(slice)), slice.ts, slice.end,
                            sink);
    default: return; // CPU clock at the begin, and instructions: not kept by any format that is read.
    }
}

bool readsNumber(const Filter& filter, int first) { return filter.reads(first + SliceRowId) || filter.reads(first + SliceArguments); }

TimeRange rangeOfSlices(const Recording& recording)
{
    TimeRange range = rangeOf(recording.timeline());
    range.end += Duration(1);
    return range;
}

} // namespace helio::sql
