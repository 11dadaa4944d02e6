#pragma once

#include "core/compare/tree_difference.h"
#include "core/profiling/samples/annotation.h"

#include <array>

namespace helio {

/// What a piece of code amounts to on both sides.
struct ComparedCode {
    ComparedSum self; ///< Samples taken there.
    ComparedSum total; ///< And in what was called from there.
};

/// A function's code with the samples of A and of B.
struct AnnotationDifference {
    /// Code, files and lines of both sides; its own sums are not filled.
    Annotation code;
    std::vector<ComparedCode> lines; ///< By code.lines.
    std::vector<ComparedCode> addresses; ///< By code.addresses. Empty: the sides' instructions differ, and only lines compare.
    ComparedCode sums; ///< Of the function.
    ComparedSum taken; ///< Annotation::taken: what shares of lines and instructions without callees are of.
    std::array<std::string, 2> whyNoCode; ///< Of A and of B. Empty: its instructions are there, or it has none of the function.
};

/// Lines are the same where their files and numbers are; instructions where all of both are. Files are the same where their recorded paths
/// are; of one built elsewhere, where as many last parts of its path are those of one file only.
/// A side without the function: an annotation without files.
AnnotationDifference compareAnnotations(const Annotation& a, const Annotation& b);

} // namespace helio
