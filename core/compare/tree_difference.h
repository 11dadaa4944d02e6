#pragma once

#include "core/profiling/samples/call_tree.h"

#include <functional>

namespace helio {

/// Factors that make the samples of two sides comparable. A side's counts are multiplied by the side's factor: 1 / number of runs for
/// amounts per run, 1 / units of work for amounts per unit, 1 / total for shares.
struct DifferenceScale {
    WeightBy by = WeightBy::Weight;
    double a = 1;
    double b = 1;
    /// Weight of a typical sample in A and in B; stands for the weight of one sample of a function that has no samples on that side. 0 if
    /// the side has no samples at all: the weight of the opposite side is used then.
    double usualWeightA = 0;
    double usualWeightB = 0;
    bool isMeasured = false; ///< True if amounts are complete measurements instead of samples, so that no difference is due to chance.
    /// Powers of ten by which the recorded counts were multiplied to keep their decimals (SampleKind::divisor()). `a` and `b` already take
    /// these into account.
    std::uint64_t divisorA = 1;
    std::uint64_t divisorB = 1;

    /// Returns factors that turn amounts into shares of the total of their side, so that two recordings of different lengths can be
    /// compared.
    static DifferenceScale shares(const SampleSum& wholeA, const SampleSum& wholeB, WeightBy by);
};

/// True if the sum is empty. Both numbers must be 0: measured off-CPU time has a weight, but no samples.
inline bool isNothing(const SampleSum& sum) { return sum.samples == 0 && sum.weight == 0; }

/// A sum of samples in A and in B.
struct ComparedSum {
    SampleSum a;
    SampleSum b;

    double scaledA(const DifferenceScale& scale) const { return double(amount(a, scale.by)) * scale.a; }
    double scaledB(const DifferenceScale& scale) const { return double(amount(b, scale.by)) * scale.b; }
    double difference(const DifferenceScale& scale) const { return scaledB(scale) - scaledA(scale); }

    /// Returns the number of standard deviations of the difference from 0, assuming that samples are random. Below 2, the difference may be
    /// chance. Positive if B has more; 0 without samples; infinite if scale.isMeasured and the sides differ.
    ///
    /// The result is significance() of the two numbers of samples. The expected share p of B without a change follows from p / (1 - p) =
    /// (scale.a * weight of a sample of A) / (scale.b * weight of a sample of B). If weights differ, the number of samples is the effective
    /// one: (sum of weights)^2 / (sum of squared weights). Measured amounts without samples are treated like sampled amounts.
    double z(const DifferenceScale& scale) const;
};

/// A node of a difference tree: a function that was called along one path, in A, in B, or in both.
struct DifferenceNode {
    std::uint32_t parent = 0; ///< Index of the parent, which is lower than the node's own index; 0 for the root.
    /// Index of the first child. Children are consecutive, ordered by their larger amount in A or B (largest first), then by name.
    std::uint32_t firstChild = 0;
    std::uint32_t childCount = 0;
    std::uint32_t depth = 0;
    FunctionId function{}; ///< Index into DifferenceTree::functions.
    ComparedSum self;
    ComparedSum total;
};

/// Returns true if either side has no modules, e.g. folded stacks, so that functions are compared by name only.
bool comparesNamesOnly(const SampleKind& a, const SampleKind& b);

/// Sets which functions are merged in the trees of both sides, so that the two sides are equally detailed: if one side has no modules (or
/// no linkage names), functions of the opposite side that differ only in their modules (or linkage names) are merged.
void setMergeOptions(CallTreeOptions& options, const SampleKind& a, const StackNames& namesA, const SampleKind& b,
                     const StackNames& namesB);

/// Two call trees merged into one. Requires: the trees were built with setMergeOptions().
///
/// Functions of the two sides are the same in these cases:
/// - Their identities are equal.
/// - For a name and module, each side has exactly one function that the other side lacks: the parameters or the position in the source have
///   changed.
/// - A side has no linkage names, and the names are equal; if comparesNamesOnly(), regardless of modules.
struct DifferenceTree {
    std::vector<DifferenceNode> nodes; ///< Nodes level by level. nodes[0] is the root, which represents all samples.
    std::vector<SampledFunction> functions;
    DifferenceScale scale;
    ComparedSum whole;
    std::uint32_t depth = 0;
    bool isStopped = false;

    const SampledFunction& functionOf(std::uint32_t node) const { return functions[static_cast<std::size_t>(nodes[node].function)]; }
    std::span<const DifferenceNode> childrenOf(std::uint32_t node) const
    {
        return std::span(nodes).subspan(nodes[node].firstChild, nodes[node].childCount);
    }
};

/// Returns the function in `functions` with the same identity, or else the only function with the same name and module; nullptr if there is
/// neither.
const SampledFunction* findSameFunction(const std::vector<SampledFunction>& functions, const SampledFunction& function);

/// Merges two trees. Requires: both trees have the same CallTreeOptions::Shape.
/// Threads: any; for large trees not the UI thread.
/// Cost: about 200 ns for each node.
DifferenceTree compareTrees(const CallTree& a, const CallTree& b, const DifferenceScale& scale, std::stop_token stop = {});

/// Returns the sum of the stacks that contain a function for which `matches` returns true. Each stack is counted once.
ComparedSum sumOfMatches(const DifferenceTree& tree, const std::function<bool(const SampledFunction&)>& matches);

/// Difference of one function, summed over all paths.
struct FunctionDifference {
    FunctionId function{};
    ComparedSum self;
    ComparedSum total; ///< Sum of the stacks that contain the function. Each stack is counted once, however often the function is in it.
};

/// Returns the differences of all functions of a top-down tree, ordered by decreasing absolute difference of `self`.
std::vector<FunctionDifference> computeFunctionDifferences(const DifferenceTree& tree);

/// Writes the tree in FlameGraph's two-column format. Each node with self samples has a line with its call stack and its samples in A and
/// in B, e.g. "main;initprm_ 940 3772"; the lines are in alphabetical order. `write` receives the text in chunks; if it returns false,
/// writing stops.
void writeDifferentialFolded(const DifferenceTree& tree, const std::function<bool(std::string_view)>& write);

} // namespace helio
