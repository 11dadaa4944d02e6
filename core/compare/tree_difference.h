#pragma once

#include "core/profiling/samples/call_tree.h"

#include <functional>

namespace helio {

/// How the samples of two sides are made comparable. What a side counted is multiplied by its factor: 1 / runs gives the time of one run,
/// 1 / work units that of one unit, 1 / whole the share.
struct DifferenceScale {
    WeightBy by = WeightBy::Weight;
    double a = 1;
    double b = 1;
    /// What a sample of either side weighs as a rule: where a function has none there, it is asked what one would have weighed. 0: as the
    /// other side's.
    double sampleA = 0;
    double sampleB = 0;
    bool isMeasured = false; ///< Amounts are of all there was, not of samples of it: no difference is chance.
    /// Amounts are that many times the counts, which `a` and `b` take into account: see SampleKind::divisor().
    std::uint64_t divisorA = 1;
    std::uint64_t divisorB = 1;

    /// Both sides as shares of all: of two recordings of different length.
    static DifferenceScale shares(const SampleSum& wholeA, const SampleSum& wholeB, WeightBy by);
};

/// A side has none of it. Weight without samples was measured, not sampled: time off the CPU.
inline bool isNothing(const SampleSum& sum) { return sum.samples == 0 && sum.weight == 0; }

/// A sum in A and in B.
struct ComparedSum {
    SampleSum a;
    SampleSum b;

    double scaledA(const DifferenceScale& scale) const { return double(amount(a, scale.by)) * scale.a; }
    double scaledB(const DifferenceScale& scale) const { return double(amount(b, scale.by)) * scale.b; }
    double difference(const DifferenceScale& scale) const { return scaledB(scale) - scaledA(scale); }

    /// How many standard deviations the difference is from none, if samples come at random: below 2 it may be chance. Positive: B has
    /// more. 0 without samples. As significance() finds, of the two numbers of samples, and with the share p of B's in them if there were
    /// no change: p / (1 - p) = (scale.a * what a sample of A weighs) / (scale.b * what one of B weighs). Where weights differ, as many
    /// samples count as would be as certain if they were alike: (sum of weights)^2 / sum of their squares. What was measured, without
    /// samples, is as certain as if it had been sampled, too. Infinite where all was measured and the sides differ.
    double z(const DifferenceScale& scale) const;
};

/// One function called along one path, in either tree or in both.
struct DifferenceNode {
    std::uint32_t parent = 0; ///< Lower than its own index. The root's own is 0.
    std::uint32_t firstChild = 0; ///< Children are next to each other: the widest, in A or B, first; then by name.
    std::uint32_t childCount = 0;
    std::uint32_t depth = 0;
    FunctionId function{}; ///< In DifferenceTree::functions.
    ComparedSum self;
    ComparedSum total;
};

/// Whether either side has no modules, as folded stacks have none.
bool comparesNamesAlone(const SampleKind& a, const SampleKind& b);

/// Sets which functions the trees of both sides have to merge: where one side has no modules or no linkage names, the other side's
/// functions that differ by them only are one.
void setMerging(CallTreeOptions& options, const SampleKind& a, const StackNames& namesA, const SampleKind& b, const StackNames& namesB);

/// Two call trees as one. Functions are the same where their identities are. Where a name of a module has one function on each side that
/// the other side lacks, these two are the same: its parameters or its place in the source changed. Names decide where a side has no
/// linkage names; names without modules where comparesNamesAlone(). Requires: the trees were built with setMerging().
struct DifferenceTree {
    std::vector<DifferenceNode> nodes; ///< nodes[0] is the root, which stands for all samples; level by level.
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
const SampledFunction* sameFunction(const std::vector<SampledFunction>& functions, const SampledFunction& function);

/// Requires: trees of one shape. Cost: about 200 ns a node. Threads: any, for large trees not the UI's.
DifferenceTree compareTrees(const CallTree& a, const CallTree& b, const DifferenceScale& scale, std::stop_token stop = {});

/// What the stacks amount to that hold a function which `matches` says: a stack counts once.
ComparedSum sumOfMatches(const DifferenceTree& tree, const std::function<bool(const SampledFunction&)>& matches);

/// One function's sums over all paths.
struct FunctionDifference {
    FunctionId function{};
    ComparedSum self;
    ComparedSum total; ///< A stack counts once, however often the function is in it.
};

/// The largest difference of self first, whatever its sign. Of a top-down tree.
std::vector<FunctionDifference> functionDifferences(const DifferenceTree& tree);

/// FlameGraph's two-column format: "main;initprm_ 940 3772", the samples of A and of B, a line for each node that has some of its own;
/// sorted as text. `write` takes the text piece by piece; false from it ends the writing.
void writeDifferentialFolded(const DifferenceTree& tree, const std::function<bool(std::string_view)>& write);

} // namespace helio
