#pragma once

#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Grouping and order of a function table. Samples are grouped by all members `by…` that are true, as by perf report's --sort.
struct FunctionTableOptions {
    bool byComm = true;
    bool byModule = true;
    bool bySymbol = true;
    bool byThread = false;
    bool byProcess = false; ///< Groups by process; names of processes come from processNames().
    bool byCpu = false;
    WeightBy by = WeightBy::Weight; ///< Measure by which rows are ordered.
    bool byTotal = false; ///< True to order rows by `total` instead of `self`.
    CallTreeOptions tree; ///< Selection of stacks and frames, as for a call tree: shape, function, focus and hidden functions.
};

struct FunctionRow {
    FunctionId function{}; ///< Function of the row; 0 if rows are not grouped by symbol.
    std::string comm;
    std::string module;
    std::int32_t pid = -1; ///< PID if rows are grouped by thread or process; else -1.
    std::int32_t tid = -1; ///< TID if rows are grouped by thread. If grouped by process, TID of a thread without a known process, else -1.
    std::uint32_t host = 0; ///< Index into Timeline::hosts if rows are grouped by thread or process.
    std::int32_t cpu = -1; ///< CPU number if rows are grouped by CPU; else -1.
    SampleSum self;
    SampleSum total; ///< Samples with the function anywhere in the stack, each sample once; "Children" in perf report.
};

/// Flat profile, like `perf report`. Rows are in descending order of weights; rows with equal weights by name.
struct FunctionTable {
    std::vector<FunctionRow> rows;
    std::vector<SampledFunction> functions;
    SampleSum whole;
    bool isStopped = false;
};

FunctionTable buildFunctionTable(const StackProfile& profile, const StackNames& names, const FunctionTableOptions& options = {},
                                 std::stop_token stop = {});

} // namespace helio
