#pragma once

#include "core/profiling/samples/call_tree.h"

#include <functional>

namespace helio {

/// Factors that make the samples of two sides comparable. A side's counts are multiplied by its factor: 1 / runs gives the amount of one
/// run, 1 / work units the amount of one unit, 1 / whole the share.
struct DifferenceScale {
    WeightBy by = WeightBy::Weight;
    double a = 1;
    double b = 1;
    /// Usual weight of a sample on either side. It is used for functions without samples on that side; 0: the usual weight on the other
    /// side is used.
    double sampleA = 0;
    double sampleB = 0;
    bool isMeasured = false; ///< True if amounts are complete measurements and not samples: no difference is chance.
    /// Amounts are this many times the counts, which `a` and `b` already take into account: see SampleKind::divisor().
    std::uint64_t divisorA = 1;
    std::uint64_t divisorB = 1;

    /// Returns factors for shares of the whole, e.g. for two recordings of different length.
    static DifferenceScale shares(const SampleSum& wholeA, const SampleSum& wholeB, WeightBy by);
};

/// True if a side has nothing of it. Weight without samples was measured, not sampled: off-CPU time.
inline bool isNothing(const SampleSum& sum) { return sum.samples == 0 && sum.weight == 0; }

/// A sum in A and in B.
struct ComparedSum {
    SampleSum a;
    SampleSum b;

    double scaledA(const DifferenceScale& scale) const { return double(amount(a, scale.by)) * scale.a; }
    double scaledB(const DifferenceScale& scale) const { return double(amount(b, scale.by)) * scale.b; }
    double difference(const DifferenceScale& scale) const { return scaledB(scale) - scaledA(scale); }

    /// Returns how many standard deviations the difference is from 0, if samples come at random; below 2 it may be chance. Positive if B
    /// has more; 0 without samples.
    ///
    /// The result is significance() of the two numbers of samples. The share p of B, if there were no change, follows from p / (1 - p) =
    /// (scale.a * weight of a sample of A) / (scale.b * weight of a sample of B). If weights differ, the number of samples is the number of
    /// equal samples with the same certainty: (sum of weights)^2 / sum of their squares. Measured amounts, without samples, count like
    /// sampled amounts. Infinite if scale.isMeasured and the sides differ.
    double z(const DifferenceScale& scale) const;
};

/// A function that was called along one path, in either tree or in both.
struct DifferenceNode {
    std::uint32_t parent = 0; ///< Index of the parent, lower than the node's own index; 0 for the root.
    std::uint32_t firstChild = 0; ///< Index of the first child. Children are consecutive: the widest in A or B first, then by name.
    std::uint32_t childCount = 0;
    std::uint32_t depth = 0;
    FunctionId function{}; ///< Index into DifferenceTree::functions.
    ComparedSum self;
    ComparedSum total;
};

/// True if either side has no modules, like folded stacks.
bool comparesNamesOnly(const SampleKind& a, const SampleKind& b);

/// Sets which functions the trees of both sides have to merge: if one side has no modules or no linkage names, functions of the other side
/// are merged if they differ only by these.
void setMergeOptions(CallTreeOptions& options, const SampleKind& a, const StackNames& namesA, const SampleKind& b,
                     const StackNames& namesB);

/// Two call trees merged into one. Functions are the same if their identities are equal. If, for a name in a module, each side has exactly
/// one function that the other side lacks, these two are the same: the parameters or the place in the source have changed. If a side has no
/// linkage names, names decide; if comparesNamesOnly(), names without modules. Requires: the trees were built with setMergeOptions().
struct DifferenceTree {
    std::vector<DifferenceNode> nodes; ///< Level by level; nodes[0] is the root, which stands for all samples.
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

/// Finds the function with the same identity, else the only one with the same name and module; nullptr if `functions` has neither.
const SampledFunction* findSameFunction(const std::vector<SampledFunction>& functions, const SampledFunction& function);

/// Merges two trees. Requires: the trees have the same shape.
/// Threads: any; for large trees not the UI thread.
/// Cost: about 200 ns for each node.
DifferenceTree compareTrees(const CallTree& a, const CallTree& b, const DifferenceScale& scale, std::stop_token stop = {});

/// Returns the sum of the stacks with a function for which `matches` returns true; each stack counts once.
ComparedSum sumOfMatches(const DifferenceTree& tree, const std::function<bool(const SampledFunction&)>& matches);

/// Sums of one function over all paths.
struct FunctionDifference {
    FunctionId function{};
    ComparedSum self;
    ComparedSum total; ///< Each stack counts once, however often the function is in it.
};

/// Returns the sums of all functions of a top-down tree, the largest difference of `self` first, whatever its sign.
std::vector<FunctionDifference> computeFunctionDifferences(const DifferenceTree& tree);

/// Writes FlameGraph's two-column format: "main;initprm_ 940 3772", with the samples of A and of B, a line for each node with samples of
/// its own, sorted as text. `write` takes the text in chunks; the writing ends when it returns false.
void writeDifferentialFolded(const DifferenceTree& tree, const std::function<bool(std::string_view)>& write);

} // namespace helio
