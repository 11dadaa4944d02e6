#pragma once

#include "core/compare/tree_difference.h"

#include <optional>
#include <span>
#include <string>

namespace helio {

/// The code that a difference between two sides lies in.
struct CodeDifference {
    std::string function; ///< The innermost function below which nearly all of the difference lies, else half of it.
    double total = 0; ///< B minus A of the function and all that it called, in scaled amounts.
    bool isOwn = false; ///< Nearly all of it is in `function`, not in what it called.
    std::string leaf; ///< The function below it with most of the difference of its own. Empty: `function` itself, or too little to name.
    double own = 0; ///< B minus A of `leaf` without what it called.
};

/// Nothing where the sides do not differ beyond chance, or no function stands out. Names are without template arguments and parameters.
/// Requires: the tree is top-down, and `functions` are its functionDifferences(). Cost: some ns a function.
std::optional<CodeDifference> codeDifference(const DifferenceTree& tree, std::span<const FunctionDifference> functions);

/// "shop::fold" of "shop::fold<Order, shop::worker(unsigned)::{lambda()#1}>(int)"; operators as they are.
std::string plainFunctionName(const std::string& name);

} // namespace helio
