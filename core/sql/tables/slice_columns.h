#pragma once

#include "core/sql/engine/table.h"
#include "core/sql/tables/table_factory.h"

#include <span>

namespace helio::sql {

/// Columns of the table `slice` and, before their own columns, of the functions that return slices.
enum SliceColumn : int {
    SliceRowId,
    SliceBegin,
    SliceLength,
    SliceTrackId,
    SliceCategory,
    SliceText,
    SliceDepth,
    SliceParent,
    SliceArguments,
    SliceThreadTs,
    SliceThreadDur,
    SliceInstructionCount,
    SliceInstructionDelta,
    SliceStack,
    SliceParentStack,
    SliceCertain,
};

std::span<const Column> sliceColumns();

/// Writes a column of sliceColumns().
void writeSlice(const Recording& recording, const SliceRow& slice, int column, ValueSink sink);

/// True if a query reads columns that need SliceRow::number. `first` is the number of the first of sliceColumns() in the table.
bool readsNumber(const Filter& filter, int first = 0);

/// Returns the range of all slices. A slice may begin at the time of the last event, which is the end of the timeline's range.
TimeRange rangeOfSlices(const Recording& recording);

} // namespace helio::sql
