#pragma once

#include "core/profiling/samples/function_table.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio {

struct Timeline;

/// What one line of a function table stands for. File and Line: of the code's source, in place of its functions.
enum class FunctionGroup : std::uint8_t { Function, Module, File, Line, Thread, Process };

inline bool hasSymbols(FunctionGroup group) { return group <= FunctionGroup::Line && group != FunctionGroup::Module; }
inline bool hasModules(FunctionGroup group) { return group <= FunctionGroup::Line; }

/// The options that part samples as the group says; what else is set stays.
FunctionTableOptions groupedBy(FunctionGroup group, FunctionTableOptions options = {});

/// As buildFunctionTable(), grouped. The names are those of functions.
///
/// Threads: any but the UI's: for files and lines it reads debug information. Cost: for these some microseconds an address.
FunctionTable buildGroupedTable(FunctionGroup group, const StackProfile& profile, const StackNames& names, const Timeline& timeline,
                                const FunctionTableOptions& options = {}, std::stop_token stop = {});

/// Whether names stay as they are: lines of two events are the same only when both have theirs.
bool areFinal(const StackNames& names, const Timeline& timeline);

/// What another event's samples amount to in what a line is of.
struct LineCost {
    SampleSum self;
    SampleSum total;
};

/// For each line of a table what those of another one amount to that are of the same command, thread, CPU, module and function: 0 where
/// there is none. The tables are of the same group.
std::vector<LineCost> costsBeside(const FunctionTable& table, const FunctionTable& other);

} // namespace helio
