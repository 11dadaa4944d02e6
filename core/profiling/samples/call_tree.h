#pragma once

#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Sum of samples, by number and by weight.
struct SampleSum {
    std::uint64_t samples = 0;
    std::uint64_t weight = 0; ///< Sum of the weights, in the unit of the profile's kind: periods, ns.
    /// Sum of the squared weights, from which the error of `weight` is estimated; 0 if all weights are equal, because `samples` then
    /// suffices.
    double squares = 0;

    SampleSum& operator+=(const SampleSum& other)
    {
        samples += other.samples;
        weight += other.weight;
        squares += other.squares;
        return *this;
    }
    bool operator==(const SampleSum& other) const { return samples == other.samples && weight == other.weight; }
};
inline SampleSum sumOf(const CollectedStack& stack) { return {stack.samples, stack.weight, stack.squares}; }
SampleSum sumOf(const StackProfile& profile); ///< Returns the sum of all samples of the profile.

/// Measure of a node's width: number of samples, or sum of their weights.
enum class WeightBy : std::uint8_t { Samples, Weight };
/// Returns the default measure for samples of a kind. WeightBy::Weight for samples with varying periods (as in perf report), for sums, for
/// off-CPU times and for calls, whose weights are their durations; else WeightBy::Samples.
inline WeightBy defaultWeight(const SampleKind& kind)
{
    const bool hasPeriods = kind.origin == SampleKind::Origin::Event && !kind.hasConstantPeriod();
    const bool hasSums =
        kind.origin == SampleKind::Origin::Summed || kind.origin == SampleKind::Origin::OffCpu || kind.origin == SampleKind::Origin::Called;
    return hasPeriods || hasSums ? WeightBy::Weight : WeightBy::Samples;
}
inline std::uint64_t amount(const SampleSum& sum, WeightBy by) { return by == WeightBy::Samples ? sum.samples : sum.weight; }

struct CallTreeOptions {
    enum class Shape : std::uint8_t {
        TopDown, ///< Callees are children; the root's children are outermost functions.
        Inverted, ///< Callers are children; the root's children are the sampled functions.
        /// Callers are children; the root's only child is `function`. One half of a sandwich view, which shows the callers and the
        /// callees of a function.
        Callers,
        /// Callees are children; the root's only child is `function`. One half of a sandwich view, which shows the callers and the
        /// callees of a function.
        Callees,
    };
    enum class Order : std::uint8_t { Weight, Name, FirstTime };
    enum class Base : std::uint8_t {
        None,
        Command, ///< One frame for each command name, for example "matinit"; merges threads of the same name, as in perf and FlameGraph.
        Process, ///< One frame for each process, for example "matinit (2652)".
        Thread, ///< One frame for each thread, for example "matinit (2652)".
        Cpu, ///< One frame for each CPU, for example "CPU 1".
    };

    Shape shape = Shape::TopDown;
    Order order = Order::Weight;
    WeightBy by = WeightBy::Samples; ///< Measure by which Order::Weight sorts siblings: number of samples, or sum of their weights.
    /// Kind of the base frame, which stands for a process, command, thread or CPU. It is the outermost frame of a stack: a child of the
    /// root, or the last node of a path if callers are children.
    Base base = Base::Command;
    /// Selected functions for Callers and Callees: all functions for which SampledFunction::isCalled() is true, in `module`, or in all
    /// modules if `module` is empty.
    std::string function;
    std::string module; ///< SampledFunction::module of the selected functions.
    std::optional<SampledFunction> identity; ///< Selects a single function for Callers and Callees, instead of `function` and `module`.
    bool mergesNamesakes = false; ///< Merges functions with the same name and module.
    bool mergesModules = false; ///< Merges functions with the same name in different modules.
    bool collapsesRecursion = false; ///< Merges direct recursion, a function that calls itself, into one node.
    // Patterns of names or modules, for example "name*" or "*name*". A function matches a list if it matches any pattern in the list.
    std::vector<std::string> hiddenFunctions; ///< Functions to hide; their time is added to their callers.
    std::vector<std::string> hiddenModules; ///< Modules whose functions are hidden.
    /// Patterns of functions and modules. A stack is included only if one of its frames matches a pattern. If empty, all stacks are
    /// included.
    std::vector<std::string> focus;
};

/// Node of the call tree: a function that was called along one path from the root.
struct CallNode {
    std::uint32_t parent = 0; ///< Index of the parent, which is lower than the index of the node; 0 for the root.
    std::uint32_t firstChild = 0; ///< Index of the first child. Children are adjacent, in the sort order that CallTreeOptions selects.
    std::uint32_t childCount = 0;
    std::uint32_t depth = 0; ///< Depth; 0 for the root, which is no function and stands for all samples.
    FunctionId function{}; ///< Index into CallTree::functions.
    SampleSum self; ///< Samples with a path that ends in this node. If callers are children, the path ends at the outermost caller.
    /// Samples taken in the function itself. If callees are children, `own` equals `self`. If callers are children, only the
    /// children of the root have these samples, and `own` of all other nodes is 0.
    SampleSum own;
    SampleSum total; ///< Samples with a path that contains this node.
    Timestamp first; ///< Time of the first of the samples in `total`.
    bool isInlined = false; ///< True if the function was inlined in all samples of the node.
};

/// A call tree with all data that a view shows. A value. Nodes are stored level by level in one array, which can have millions of nodes.
/// Equal profiles, names and options give equal trees.
struct CallTree {
    std::vector<CallNode> nodes; ///< nodes[0] is the root.
    /// Functions, indexed by FunctionId. Processes, commands, threads and CPUs are listed as functions with CodeKind::Thread.
    std::vector<SampledFunction> functions;
    SampleKind kind;
    /// Sum of all samples in the profile, including samples excluded by focus or function. Shares are fractions of this sum.
    SampleSum whole;
    std::uint64_t notUnwound = 0; ///< Number of samples whose user frames are missing, as in StackProfile::notUnwound.
    std::uint64_t damaged = 0;
    std::uint32_t depth = 0; ///< Depth of the deepest node.
    CallTreeOptions::Shape shape = CallTreeOptions::Shape::TopDown;
    bool isNamed = false; ///< True if no names are missing (StackNames::isComplete).
    bool isStopped = false; ///< True if building was stopped, so that the tree is incomplete.

    const SampledFunction& functionOf(std::uint32_t node) const { return functions[static_cast<std::size_t>(nodes[node].function)]; }
    std::span<const CallNode> childrenOf(std::uint32_t node) const
    {
        return std::span(nodes).subspan(nodes[node].firstChild, nodes[node].childCount);
    }
};

/// Builds a call tree.
/// Threads: any; for large profiles not the UI thread.
/// Cost: about 100 ns for each frame of each collected stack.
CallTree buildCallTree(const StackProfile& profile, const StackNames& names, const CallTreeOptions& options = {},
                       std::stop_token stop = {});

/// Returns the sum of the samples with a function in their stack for which `matches[FunctionId]` is true; each stack counts once.
SampleSum sumOfMatches(const CallTree& tree, const std::vector<bool>& matches);

} // namespace helio
