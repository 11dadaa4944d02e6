#pragma once

#include "core/compare/tree_difference.h"
#include "core/profiling/samples/annotation.h"

#include <array>

namespace helio {

/// Samples of a function, a line or an instruction, in A and in B.
struct ComparedCode {
    ComparedSum self; ///< Samples taken in the code itself.
    ComparedSum total; ///< Samples taken in the code itself or in its callees.
};

/// A function's code with the samples of both sides, A and B.
struct AnnotationDifference {
    /// Code, files and lines of both sides. Its sample counts are not set.
    Annotation code;
    std::vector<ComparedCode> lines; ///< Samples of each line, indexed like code.lines.
    /// Samples of the instructions, indexed like code.addresses. Empty if the sides have different instructions, so that only lines can be
    /// compared.
    std::vector<ComparedCode> addresses;
    ComparedCode sums; ///< Samples of the whole function.
    ComparedSum taken; ///< Samples of the function without callees (Annotation::taken); 100 % for the shares of lines and instructions.
    /// Reasons for missing instructions, indexed by side; empty if the side has instructions, or if it does not have the function.
    std::array<std::string, 2> noCodeReason;
};

/// Compares the samples of a function.
/// - Lines correspond if their files and line numbers are equal.
/// - Instructions correspond only if both sides have the same list of instructions.
/// - Files correspond if their recorded paths are equal. A file that was built in another directory corresponds to the file with the
///   longest common end of the path, if that end is unique.
/// If a side does not have the function, its annotation must be without files and addresses.
AnnotationDifference compareAnnotations(const Annotation& a, const Annotation& b);

} // namespace helio
