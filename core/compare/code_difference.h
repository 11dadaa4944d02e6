#pragma once

#include "core/compare/tree_difference.h"

#include <optional>
#include <span>
#include <string>

namespace helio {

/// The functions that cause most of the difference between two sides.
struct CodeDifference {
    /// Innermost function that, with its callees, contains nearly all of the difference, or else at least half of it.
    std::string function;
    double total = 0; ///< Difference (B minus A) of the function with all its callees, in amounts scaled by DifferenceScale.
    bool isOwn = false; ///< True if nearly all of `total` is in `function` itself, not in its callees.
    /// Function below `function` with the largest self difference; empty if that is `function` itself, or if the difference is too small to
    /// be named.
    std::string leaf;
    double own = 0; ///< Self difference (B minus A) of `leaf`, in amounts scaled by DifferenceScale.
};

/// Finds the functions that cause most of the difference. Their names are simplified by simplifyFunctionName(). nullopt if the difference
/// between the sides may be chance, or if no function stands out. Requires: the tree is top-down, and `functions` is the result of
/// computeFunctionDifferences() for it.
/// Cost: a few ns for each function.
std::optional<CodeDifference> findCodeDifference(const DifferenceTree& tree, std::span<const FunctionDifference> functions);

/// Removes template arguments and parameters from a function's name: "shop::fold<Order, shop::worker(unsigned)::{lambda()#1}>(int)" becomes
/// "shop::fold". Names of operators are not changed.
std::string simplifyFunctionName(const std::string& name);

} // namespace helio
