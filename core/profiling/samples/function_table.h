#pragma once

#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// What one line of a function table is for: any of these that are set part the samples further, as perf report's --sort does.
struct FunctionTableOptions {
    bool byComm = true;
    bool byModule = true;
    bool bySymbol = true;
    bool byThread = false;
    bool byProcess = false; ///< Processes are called as processNames() has it.
    bool byCpu = false;
    WeightBy by = WeightBy::Weight; ///< Which order: self where `byTotal` is false.
    bool byTotal = false;
    CallTreeOptions tree; ///< Which stacks and frames: as a tree of this shape, function, focus and what is hidden has them.
};

struct FunctionRow {
    FunctionId function{}; ///< 0 where rows are not by symbol.
    std::string comm;
    std::string module;
    std::int32_t pid = -1; ///< By thread or process only.
    std::int32_t tid = -1; ///< By thread; by process where its number is not known: each thread is one of its own.
    std::uint32_t host = 0; ///< By thread or process only: index in Timeline::hosts.
    std::int32_t cpu = -1; ///< By CPU only.
    SampleSum self;
    SampleSum total; ///< "Children": samples with it anywhere in the stack, each once.
};

/// The flat profile: like `perf report`. Rows in descending order, those of equal weight by name.
struct FunctionTable {
    std::vector<FunctionRow> rows;
    std::vector<SampledFunction> functions;
    SampleSum whole;
    bool isStopped = false;
};

FunctionTable buildFunctionTable(const StackProfile& profile, const StackNames& names, const FunctionTableOptions& options = {},
                                 std::stop_token stop = {});

} // namespace helio
