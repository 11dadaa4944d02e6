#pragma once

#include "core/profiling/samples/function_table.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio {

struct Timeline;

/// Grouping of a function table: what one line stands for. File and Line group by source instead of by function.
enum class FunctionGroup : std::uint8_t { Function, Module, File, Line, Thread, Process };

inline bool hasSymbols(FunctionGroup group) { return group <= FunctionGroup::Line && group != FunctionGroup::Module; }
inline bool hasModules(FunctionGroup group) { return group <= FunctionGroup::Line; }

/// Returns options that group samples; all other options are kept.
FunctionTableOptions groupedBy(FunctionGroup group, FunctionTableOptions options = {});

/// Builds a function table like buildFunctionTable(), but grouped. The names must be names of functions.
///
/// Threads: any but the UI thread: reads debug information for files and lines.
/// Cost: for files and lines some microseconds an address.
FunctionTable buildGroupedTable(FunctionGroup group, const StackProfile& profile, const StackNames& names, const Timeline& timeline,
                                const FunctionTableOptions& options = {}, std::stop_token stop = {});

/// True if names no longer change. Lines of two events can be compared only if both events' names are final.
bool areFinal(const StackNames& names, const Timeline& timeline);

/// Sums of another event's samples for a line.
struct LineCost {
    SampleSum self;
    SampleSum total;
};

/// Returns for each line of `table` the sums of the line of `other` with the same command, thread, CPU, module and function; 0 if there is
/// none. Requires: both tables have the same grouping.
std::vector<LineCost> matchingLineCosts(const FunctionTable& table, const FunctionTable& other);

} // namespace helio
