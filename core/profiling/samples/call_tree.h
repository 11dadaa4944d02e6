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

/// What samples amount to, in each of the ways they can be counted.
struct SampleSum {
    std::uint64_t samples = 0;
    std::uint64_t weight = 0; ///< Of what the profile's kind says: periods, ns.
    double squares = 0; ///< Sum of the weights' squares, for how sure a sum is. 0: weights are alike.

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
SampleSum sumOf(const StackProfile& profile); ///< Of all its samples.

/// By what nodes are as wide as they are.
enum class WeightBy : std::uint8_t { Samples, Weight };
/// What amounts count where nobody chose: the periods, as perf report does, of time off the CPU its length; samples where all weigh the
/// same.
inline WeightBy usualWeight(const SampleKind& kind)
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
        Callers, ///< Of `function`, which is the root's only child: callers are children. One half of a sandwich...
        Callees, ///< ...and the other: callees are children.
    };
    enum class Order : std::uint8_t { Weight, Name, FirstTime };
    enum class Base : std::uint8_t {
        None,
        Command, ///< "matinit": threads of one command name are one, as in perf and FlameGraph.
        Process, ///< "matinit (2652)".
        Thread, ///< "matinit (2652)", by thread.
        Cpu, ///< "CPU 1".
    };

    Shape shape = Shape::TopDown;
    Order order = Order::Weight;
    WeightBy by = WeightBy::Samples; ///< For Order::Weight.
    Base base = Base::Command; ///< The frame below all functions (above them where callers are children).
    std::string function; ///< Callers and Callees: all that SampledFunction::isCalled() so, in all modules where `module` is empty.
    std::string module; ///< SampledFunction::module.
    std::optional<SampledFunction> identity; ///< Callers and Callees: the one that is the same function, in place of names.
    bool mergesNamesakes = false; ///< Functions of one name and module are one.
    bool mergesModules = false; ///< Functions of one name are one, whatever their modules.
    bool collapsesRecursion = false; ///< A function that calls itself directly is one node.
    // Texts of names or modules; "name*" and "*name*" as in a shell. Several: any of them.
    std::vector<std::string> hiddenFunctions; ///< Their time goes to their callers.
    std::vector<std::string> hiddenModules; ///< The same for all of a module's.
    std::vector<std::string> focus; ///< Only stacks that hold such a function or module, with their callers.
};

/// One function called along one path.
struct CallNode {
    std::uint32_t parent = 0; ///< Lower than its own index. The root's own is 0.
    std::uint32_t firstChild = 0; ///< Children are next to each other, in the order asked for.
    std::uint32_t childCount = 0;
    std::uint32_t depth = 0; ///< 0: the root, which stands for all samples and is not a function.
    FunctionId function{}; ///< In CallTree::functions.
    SampleSum self; ///< Samples whose path ends here. Where callers are children, that is at the outermost of them.
    SampleSum own; ///< Samples in the function itself: as self, but where callers are children on the first level.
    SampleSum total; ///< With all below.
    Timestamp first; ///< Of the first sample in it.
    bool isInlined = false; ///< In all samples of it.
};

/// A call tree: a value that holds all that a view shows of it. Nodes lie level by level in one array; millions are fine.
/// The same profile, names and options give the same tree.
struct CallTree {
    std::vector<CallNode> nodes; ///< nodes[0] is the root.
    std::vector<SampledFunction> functions; ///< By FunctionId; those of commands and CPUs (CodeKind::Thread) among them.
    SampleKind kind;
    SampleSum whole; ///< Of all samples in the profile, those that focus or function left out too: what shares are of.
    std::uint64_t notUnwound = 0; ///< See StackProfile.
    std::uint64_t damaged = 0;
    std::uint32_t depth = 0; ///< Of the deepest node.
    CallTreeOptions::Shape shape = CallTreeOptions::Shape::TopDown;
    bool isNamed = false; ///< Names are complete: see StackNames.
    bool isStopped = false; ///< Not whole.

    const SampledFunction& functionOf(std::uint32_t node) const { return functions[static_cast<std::size_t>(nodes[node].function)]; }
    std::span<const CallNode> childrenOf(std::uint32_t node) const
    {
        return std::span(nodes).subspan(nodes[node].firstChild, nodes[node].childCount);
    }
};

/// Cost: about 100 ns for each frame of each collected stack. Threads: any, for large profiles not the UI's.
CallTree buildCallTree(const StackProfile& profile, const StackNames& names, const CallTreeOptions& options = {},
                       std::stop_token stop = {});

/// The share of the samples whose stacks hold a node that `matches` (by FunctionId) says: a stack counts once.
SampleSum sumOfMatches(const CallTree& tree, const std::vector<bool>& matches);

} // namespace helio
