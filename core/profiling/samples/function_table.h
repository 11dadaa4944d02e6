#pragma once

#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Grouping and order of a function table. Samples are grouped by all members that are set, like perf report's --sort.
struct FunctionTableOptions {
    bool byComm = true;
    bool byModule = true;
    bool bySymbol = true;
    bool byThread = false;
    bool byProcess = false; ///< Names of processes come from processNames().
    bool byCpu = false;
    WeightBy by = WeightBy::Weight; ///< Measure for the order of rows.
    bool byTotal = false; ///< Orders rows by `total` instead of `self`.
    CallTreeOptions tree; ///< Selects stacks and frames as for a call tree: shape, function, focus and hidden functions.
};

struct FunctionRow {
    FunctionId function{}; ///< 0 if rows are not by symbol.
    std::string comm;
    std::string module;
    std::int32_t pid = -1; ///< Set if rows are by thread or process; else -1.
    std::int32_t tid =
        -1; ///< Set if rows are by thread. If they are by process, set only for unknown processes: each thread then has its own row.
    std::uint32_t host = 0; ///< Index into Timeline::hosts; set if rows are by thread or process.
    std::int32_t cpu = -1; ///< Set if rows are by CPU; else -1.
    SampleSum self;
    SampleSum total; ///< Samples with the function anywhere in the stack, each once; "Children" in perf report.
};

/// The flat profile, like `perf report`. Rows in descending order; rows with equal weights by name.
struct FunctionTable {
    std::vector<FunctionRow> rows;
    std::vector<SampledFunction> functions;
    SampleSum whole;
    bool isStopped = false;
};

FunctionTable buildFunctionTable(const StackProfile& profile, const StackNames& names, const FunctionTableOptions& options = {},
                                 std::stop_token stop = {});

} // namespace helio
