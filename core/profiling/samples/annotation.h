#pragma once

#include "core/profiling/samples/call_tree.h"
#include "core/symbol/symbol.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// Sums of the samples in a part of the code.
struct CodeSums {
    SampleSum self; ///< Samples taken in this code, as `perf annotate` counts them.
    SampleSum total; ///< Samples taken in this code or in its callees; a stack counts once.
};

/// A source line of a function, or of code that was inlined into it.
struct AnnotatedLine {
    std::uint32_t file = 0; ///< Index into Annotation::files.
    std::uint32_t line = 0; ///< From 1.
    CodeSums sums;
    bool isInlined = false; ///< True if all code of the line is inlined.
};

struct AnnotatedAddress {
    std::uint64_t address = 0; ///< Address of the instruction; if instructions are not known, the sampled address.
    CodeSums sums;
    bool isInlined = false; ///< True if it is code of another function that was inlined here.
};

/// Code of the function that was inlined into another function.
struct InlinedCopy {
    std::uint32_t first = 0; ///< Index of its first instruction in Annotation::addresses.
    std::string into; ///< Name of the function that contains the copy; empty: from here on it is the function's own code.
};

/// A function with the samples of each of its instructions and lines: of its own code, and of its copies that were sampled in other
/// functions of the module. A value.
struct Annotation {
    static constexpr std::uint32_t NoLine = ~0u;

    SampledFunction function;
    FunctionCode code; ///< Tells why instructions or lines are missing, if they are.
    /// In ascending order: the addresses of code.instructions; if there are no instructions, the sampled addresses.
    std::vector<AnnotatedAddress> addresses;
    std::vector<std::uint32_t> lineOf; ///< For each address, an index into `lines`, or NoLine.
    std::vector<std::string> files; ///< Recorded paths; the function's own file first.
    std::vector<AnnotatedLine> lines; ///< Sorted by file, then line.
    std::vector<InlinedCopy> copies; ///< Sorted by first instruction. Empty if all of the code is the function's own.
    CodeSums sums; ///< Sums of the function as in function tables: functions inlined into it are callees.
    /// Samples taken in its code, including code inlined into it. The sums of lines and addresses add up to it, if addresses are known.
    /// Equals sums.self if nothing was inlined.
    SampleSum taken;
    SampleSum whole; ///< All samples of the profile.
    /// False if the profile has calls, and none of them was recorded with an address in the function: only the function has sums, lines and
    /// addresses have none.
    bool hasAddresses = true;
};

/// Sums up a profile's samples over the code of a function, including code inlined into its callers. Requires: profile and names belong to
/// the timeline. The function need not be from these names.
///
/// Threads: any but the UI thread: reads the module's file.
/// Errors: in FunctionCode.
/// Cost: reads and disassembles the code once; then a few ns for each frame of each collected stack.
Annotation annotate(const StackProfile& profile, const StackNames& names, const Timeline& timeline, const SampledFunction& function,
                    std::stop_token stop = {});

} // namespace helio
