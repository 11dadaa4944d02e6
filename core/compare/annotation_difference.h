#pragma once

#include "core/compare/tree_difference.h"
#include "core/profiling/samples/annotation.h"

#include <array>

namespace helio {

/// Samples of a function, line or instruction in A and in B.
struct ComparedCode {
    ComparedSum self; ///< Samples taken in it.
    ComparedSum total; ///< Samples taken in it or in what it called.
};

/// A function's code with the samples of A and of B.
struct AnnotationDifference {
    /// Code, files and lines of both sides. The sums in it are not filled.
    Annotation code;
    std::vector<ComparedCode> lines; ///< Indexed like code.lines.
    /// Indexed like code.addresses. Empty if the instructions of the sides differ: then only lines can be compared.
    std::vector<ComparedCode> addresses;
    ComparedCode sums; ///< Samples of the function.
    ComparedSum taken; ///< Annotation::taken of both sides: the whole to which shares of lines and instructions without callees refer.
    /// Indexed by side: why it has no instructions; empty if it has them, or does not have the function.
    std::array<std::string, 2> noCodeReason;
};

/// Compares the samples of a function. Lines correspond if their files and numbers are equal. Instructions correspond only if both sides
/// have the same list of instructions. Files correspond if their recorded paths are equal; if a file was built elsewhere, it corresponds to
/// the file with the longest common end of the path, if only one file has that end. A side without the function has an annotation without
/// files and addresses.
AnnotationDifference compareAnnotations(const Annotation& a, const Annotation& b);

} // namespace helio
