#pragma once

#include "core/compare/tree_difference.h"

#include <optional>
#include <span>
#include <string>

namespace helio {

/// Functions in which a difference between two sides lies.
struct CodeDifference {
    std::string function; ///< Innermost function below which nearly all of the difference lies, or else half of it.
    double total = 0; ///< B minus A of the function with all its callees, in scaled amounts.
    bool isOwn = false; ///< True if nearly all of `total` lies in `function` itself, not in its callees.
    /// Function below `function` with the largest difference of its own; empty if that is `function` itself or is too small to name.
    std::string leaf;
    double own = 0; ///< B minus A of `leaf` without its callees, in scaled amounts.
};

/// Finds the functions in which the difference lies; their names are without template arguments and parameters. Returns nothing if the
/// sides do not differ beyond chance, or if no function stands out. Requires: the tree is top-down, and `functions` is its
/// computeFunctionDifferences().
/// Cost: a few ns for each function.
std::optional<CodeDifference> findCodeDifference(const DifferenceTree& tree, std::span<const FunctionDifference> functions);

/// Removes template arguments and parameters: "shop::fold<Order, shop::worker(unsigned)::{lambda()#1}>(int)" becomes "shop::fold". Names of
/// operators stay as they are.
std::string simplifyFunctionName(const std::string& name);

} // namespace helio
