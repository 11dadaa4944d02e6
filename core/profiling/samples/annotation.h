#pragma once

#include "core/profiling/samples/call_tree.h"
#include "core/symbol/function_code.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// What a piece of code amounts to.
struct CodeSums {
    SampleSum self; ///< Samples taken there: what `perf annotate` counts.
    SampleSum total; ///< And those taken in what was called from there; a stack counts once.
};

/// A source line of a function, or of code that was inlined into it.
struct AnnotatedLine {
    std::uint32_t file = 0; ///< In Annotation::files.
    std::uint32_t line = 0; ///< From 1.
    CodeSums sums;
    bool isInlined = false; ///< All of it.
};

struct AnnotatedAddress {
    std::uint64_t address = 0; ///< Of the instruction; where none is known, as sampled.
    CodeSums sums;
    bool isInlined = false; ///< Code of another function that was copied here.
};

/// Code of the function that was copied into another one.
struct InlinedCopy {
    std::uint32_t first = 0; ///< Index of its first instruction in Annotation::addresses.
    std::string into; ///< Name of the function that has the copy; empty: from here on it is the function's own code.
};

/// A function with the samples of each of its instructions and lines: of its own code, and of its copies that were sampled in other
/// functions of the module. A value.
struct Annotation {
    static constexpr std::uint32_t NoLine = ~0u;

    SampledFunction function;
    FunctionCode code; ///< Says why where instructions or lines are missing.
    std::vector<AnnotatedAddress> addresses; ///< By address: all of code.instructions, and what lies between them; or what was sampled.
    std::vector<std::uint32_t> lineOf; ///< By address: in `lines`, or NoLine.
    std::vector<std::string> files; ///< Recorded paths; the function's own first.
    std::vector<AnnotatedLine> lines; ///< By file, then line.
    std::vector<InlinedCopy> copies; ///< By first instruction. Empty: all of the code is the function's own.
    CodeSums sums; ///< Sums of the function, as in function tables: functions inlined into it are callees.
    /// Samples taken in its code, in what was inlined into it too: lines and addresses add up to it, where places are known. Equals
    /// sums.self where nothing was inlined.
    SampleSum taken;
    SampleSum whole; ///< Of the profile.
    /// False: it is of calls, and none of them was recorded with a place in the function: lines and addresses have no sums, only it has.
    bool knowsPlaces = true;
};

/// Adds up a profile's samples over the code of a function, in whichever callers its code is. Requires: profile and names are the
/// timeline's; the function need not be of these names.
///
/// Threads: any but the UI's: reads the module's file. Errors: in FunctionCode.
/// Cost:    reading and disassembling once; then some ns for each frame of each collected stack.
Annotation annotate(const StackProfile& profile, const StackNames& names, const Timeline& timeline, const SampledFunction& function,
                    std::stop_token stop = {});

} // namespace helio
