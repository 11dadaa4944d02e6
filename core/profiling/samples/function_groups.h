#pragma once

#include "core/profiling/samples/function_table.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio {

struct Timeline;

/// Grouping of a function table, that is, the meaning of one row. File and Line group by source code instead of functions.
enum class FunctionGroup : std::uint8_t { Function, Module, File, Line, Thread, Process };

inline bool hasSymbols(FunctionGroup group) { return group <= FunctionGroup::Line && group != FunctionGroup::Module; }
inline bool hasModules(FunctionGroup group) { return group <= FunctionGroup::Line; }

/// Returns `options` with the members for grouping set.
FunctionTableOptions groupedBy(FunctionGroup group, FunctionTableOptions options = {});

/// Builds a function table like buildFunctionTable(), but grouped. Requires: the names are names of functions.
///
/// Threads: any but the UI thread, because debug information is read for files and lines.
/// Cost: for files and lines some microseconds for each address.
FunctionTable buildGroupedTable(FunctionGroup group, const StackProfile& profile, const StackNames& names, const Timeline& timeline,
                                const FunctionTableOptions& options = {}, std::stop_token stop = {});

/// True if the names will not change any more. Rows of two tables can be compared only if the names of both are final.
bool areFinal(const StackNames& names, const Timeline& timeline);

/// Sums of the samples of a second event for one row of the first event's function table.
struct LineCost {
    SampleSum self;
    SampleSum total;
};

/// Returns for each row of `table` the sums of the row of `other` with the same command, thread, CPU, module and function; 0 if
/// `other` has no such row. Requires: both tables have the same grouping.
std::vector<LineCost> matchingLineCosts(const FunctionTable& table, const FunctionTable& other);

} // namespace helio
