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

/// A sum of samples, by count and by weight.
struct SampleSum {
    std::uint64_t samples = 0;
    std::uint64_t weight = 0; ///< In the unit of the profile's kind: periods, ns.
    double squares = 0; ///< Sum of the squared weights, for the error of a sum; 0 if all weights are equal.

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
SampleSum sumOf(const StackProfile& profile); ///< Returns the sum of all samples.

/// Measure of a node's width.
enum class WeightBy : std::uint8_t { Samples, Weight };
/// Returns the default measure of a kind: periods, as in perf report; lengths for time off the CPU and calls; samples if all weigh the
/// same.
inline WeightBy defaultWeight(const SampleKind& kind)
{
    const bool hasPeriods = kind.origin == SampleKind::Origin::Event && !kind.hasConstantPeriod();
    const bool hasLengths = kind.origin == SampleKind::Origin::OffCpu || kind.origin == SampleKind::Origin::Called;
    return hasPeriods || hasLengths ? WeightBy::Weight : WeightBy::Samples;
}
inline std::uint64_t amount(const SampleSum& sum, WeightBy by) { return by == WeightBy::Samples ? sum.samples : sum.weight; }

struct CallTreeOptions {
    enum class Shape : std::uint8_t {
        TopDown, ///< From the outermost function: callees are children.
        Inverted, ///< From the sampled function: callers are children.
        Callers, ///< Callers of `function`, which is the root's only child: callers are children. One half of a sandwich view.
        Callees, ///< Callees of `function`, which is the root's only child: callees are children. The other half of a sandwich view.
    };
    enum class Order : std::uint8_t { Weight, Name, FirstTime };
    enum class Base : std::uint8_t {
        None,
        Command, ///< "matinit": threads with the same command name are merged, as in perf and FlameGraph.
        Process, ///< "matinit (2652)", by process.
        Thread, ///< "matinit (2652)", by thread.
        Cpu, ///< "CPU 1".
    };

    Shape shape = Shape::TopDown;
    Order order = Order::Weight;
    WeightBy by = WeightBy::Samples; ///< Used by Order::Weight.
    Base base = Base::Command; ///< Frame below all functions; above them if callers are children.
    /// For Callers and Callees: every function for which SampledFunction::isCalled() is true, in all modules if `module` is empty.
    std::string function;
    std::string module; ///< SampledFunction::module.
    std::optional<SampledFunction> identity; ///< For Callers and Callees: selects one function, instead of names.
    bool mergesNamesakes = false; ///< Merges functions with the same name and module.
    bool mergesModules = false; ///< Merges functions with the same name, whatever their modules.
    bool collapsesRecursion = false; ///< Merges a function that calls itself directly into one node.
    // Patterns of names or modules, e.g. "name*" or "*name*". Any of several may match.
    std::vector<std::string> hiddenFunctions; ///< Their time goes to their callers.
    std::vector<std::string> hiddenModules; ///< Hides all functions of these modules.
    std::vector<std::string> focus; ///< Keeps only stacks that contain such a function or module.
};

/// One function called along one path.
struct CallNode {
    std::uint32_t parent = 0; ///< Index of the parent; lower than the node's own. 0 for the root.
    std::uint32_t firstChild = 0; ///< Children are adjacent, in the order of the options.
    std::uint32_t childCount = 0;
    std::uint32_t depth = 0; ///< 0 for the root, which stands for all samples and is not a function.
    FunctionId function{}; ///< Index into CallTree::functions.
    SampleSum self; ///< Samples whose path ends here. If callers are children, that is at the outermost caller.
    SampleSum own; ///< Samples taken in the function itself. Equals `self` unless callers are children; then set on the first level.
    SampleSum total; ///< Samples in the node or below it.
    Timestamp first; ///< Time of the first sample in the node.
    bool isInlined = false; ///< True if it was inlined in all its samples.
};

/// A call tree: a value with everything that a view shows. Nodes lie level by level in one array; millions are fine. The same profile,
/// names and options give the same tree.
struct CallTree {
    std::vector<CallNode> nodes; ///< nodes[0] is the root.
    std::vector<SampledFunction> functions; ///< Indexed by FunctionId; includes commands and CPUs (CodeKind::Thread).
    SampleKind kind;
    SampleSum whole; ///< Sum of all samples in the profile, including those that focus or function left out. Shares are fractions of it.
    std::uint64_t notUnwound = 0; ///< See StackProfile::notUnwound.
    std::uint64_t damaged = 0;
    std::uint32_t depth = 0; ///< Depth of the deepest node.
    CallTreeOptions::Shape shape = CallTreeOptions::Shape::TopDown;
    bool isNamed = false; ///< True if names are complete: see StackNames::isComplete.
    bool isStopped = false; ///< True if `stop` was requested: the tree is incomplete.

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

/// Returns the sum of the samples whose stacks contain a function in `matches` (by FunctionId); a stack counts once.
SampleSum sumOfMatches(const CallTree& tree, const std::vector<bool>& matches);

} // namespace helio
