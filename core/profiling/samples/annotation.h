#pragma once

#include "core/profiling/samples/call_tree.h"
#include "core/symbol/symbol.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// Sums of the samples in a range of code.
struct CodeSums {
    SampleSum self; ///< Samples taken in the code itself, as `perf annotate` counts them.
    SampleSum total; ///< Samples taken in the code or in its callees; each stack counts once.
};

/// A source line of a function, or of code that was inlined into it.
struct AnnotatedLine {
    std::uint32_t file = 0; ///< Index into Annotation::files of the line's file.
    std::uint32_t line = 0; ///< Line number, from 1.
    CodeSums sums;
    bool isInlined = false; ///< True if all code of the line is inlined.
};

struct AnnotatedAddress {
    std::uint64_t address = 0; ///< Address of the instruction; the sampled address if instructions are unknown.
    CodeSums sums;
    bool isInlined = false; ///< True if the instruction is code of another function that was inlined here.
};

/// Copy of the annotated function's code that was inlined into another function.
struct InlinedCopy {
    std::uint32_t first = 0; ///< Index into Annotation::addresses of the first instruction of this inlined copy.
    std::string into; ///< Name of the function that contains the copy; empty for the annotated function's own code.
};

/// A function with the samples of each of its instructions and lines, in its own code and in its sampled copies in other functions of the
/// module. A value.
struct Annotation {
    static constexpr std::uint32_t NoLine = ~0u;

    SampledFunction function;
    FunctionCode code; ///< Code of the function, or the reason why instructions or lines are missing.
    /// Ascending addresses of the instructions in `code`; without instructions, the sampled addresses.
    std::vector<AnnotatedAddress> addresses;
    std::vector<std::uint32_t> lineOf; ///< Index into `lines` of the line of each address, or NoLine.
    std::vector<std::string> files; ///< Recorded paths of source files; the function's own file is first.
    std::vector<AnnotatedLine> lines; ///< Source lines of the code, sorted by file, then line.
    std::vector<InlinedCopy> copies; ///< Copies sorted by first instruction; empty if all code is the function's own.
    CodeSums sums; ///< Sums of the function as in function tables, in which functions inlined into it are callees.
    /// Samples taken in the function's code, including functions inlined into it. If addresses are known, it is also the sum over all lines
    /// or over all addresses. If nothing was inlined, it equals sums.self.
    SampleSum taken;
    SampleSum whole; ///< Sum of all samples of the profile.
    /// False if the profile consists of calls and none of them was recorded with an address in the function. In this case only the function
    /// has sums; lines and addresses have none.
    bool hasAddresses = true;
};

/// Sums up a profile's samples over the code of a function, including the copies that were inlined into its callers. Requires: `profile`
/// and `names` belong to `timeline`. `function` may come from a different StackNames; it is found by its identity.
///
/// Threads: any but the UI thread: reads the module's file.
/// Errors: reported in Annotation::code.
/// Cost: reads and disassembles the code once; then a few ns for each frame of each collected stack.
Annotation annotate(const StackProfile& profile, const StackNames& names, const Timeline& timeline, const SampledFunction& function,
                    std::stop_token stop = {});

} // namespace helio
