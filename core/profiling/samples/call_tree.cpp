#include "core/profiling/samples/call_tree.h"

#include "core/base/flat_index.h"
#include "core/profiling/samples/call_path.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace helio {
namespace {

/// A node under construction. Nodes are in the order of creation, so a parent comes before its children.
struct Growing {
    std::uint32_t parent = 0;
    std::uint32_t function = 0;
    SampleSum self;
    SampleSum own;
    SampleSum total;
    Timestamp first = Timestamp::max();
    bool isInlined = true;
};

class TreeGrower {
public:
    TreeGrower() { m_nodes.emplace_back(); }

    void add(const std::vector<CallPaths::Step>& path, std::optional<std::size_t> ownStep, const CollectedStack& stack)
    {
        // Number of outer steps that are equal to those of the previous path. Successive stacks in time order share their outer
        // frames, and the nodes of these frames need no lookup.
        std::size_t same = 0;
        while (same < path.size() && same < m_previous.size() && m_nodes[m_previous[same]].function == path[same].function)
            ++same;
        m_previous.resize(same);
        for (std::size_t i = 0; i < path.size(); ++i) {
            if (i >= same)
                m_previous.push_back(childOf(i == 0 ? 0 : m_previous[i - 1], path[i].function));
            m_nodes[m_previous[i]].isInlined &= path[i].isInlined;
        }
        Growing& node = m_nodes[path.empty() ? 0 : m_previous.back()];
        node.self += sumOf(stack);
        if (ownStep || path.empty())
            m_nodes[path.empty() ? 0 : m_previous[*ownStep]].own += sumOf(stack);
        node.first = std::min(node.first, stack.first);
    }

    /// Adds a stack. Requires: CallPaths::isPlain(), so that the tree has all frames of the stack, in their order. Frames that an earlier
    /// stack with the same process, thread or CPU already added are not visited again.
    void add(CallPaths& paths, const StackProfile& profile, const CollectedStack& stack)
    {
        const auto base = paths.baseStepOf(stack);
        Growing& node = m_nodes[below(base ? stepTo(0, *base) : 0, paths, profile, stack.node)];
        node.self += sumOf(stack);
        node.own += sumOf(stack);
        node.first = std::min(node.first, stack.first);
    }

    /// Returns the tree nodes, with their totals computed.
    std::vector<Growing> take()
    {
        for (std::size_t i = m_nodes.size(); i-- > 0;) {
            m_nodes[i].total += m_nodes[i].self;
            if (i == 0)
                break;
            Growing& parent = m_nodes[m_nodes[i].parent];
            parent.total += m_nodes[i].total;
            parent.first = std::min(parent.first, m_nodes[i].first);
        }
        m_nodes[0].isInlined = false;
        return std::move(m_nodes);
    }

private:
    std::uint32_t childOf(std::uint32_t parent, std::uint32_t function)
    {
        const std::uint32_t index = m_index.findOrAdd(mixed(parent, function), [&](std::uint32_t i) {
            return m_nodes[i + 1].parent == parent && m_nodes[i + 1].function == function;
        });
        if (index + 1 == m_nodes.size())
            m_nodes.push_back({parent, function, {}, {}, {}, Timestamp::max(), true});
        return index + 1;
    }

    std::uint32_t stepTo(std::uint32_t parent, const CallPaths::Step& step)
    {
        const std::uint32_t node = childOf(parent, step.function);
        m_nodes[node].isInlined &= step.isInlined;
        return node;
    }

    /// Returns the tree node that represents the profile's node `node` below the tree node `base`. Adds the tree nodes that are missing.
    /// `base` is the node of a process, command, thread or CPU, or the root.
    std::uint32_t below(std::uint32_t base, const CallPaths& paths, const StackProfile& profile, std::uint32_t node)
    {
        m_chain.clear();
        std::uint32_t at = base;
        for (; node != 0; node = profile.nodes[node].parent) {
            const auto known = m_byCollected.find(mixed(base, node), [&](std::uint32_t i) { return m_known[i].isOf(base, node); });
            if (known) {
                at = m_known[*known].node;
                break;
            }
            m_chain.push_back(node);
        }
        for (std::size_t i = m_chain.size(); i-- > 0;) {
            m_frames.clear();
            paths.appendFramesOf(m_chain[i], m_frames);
            for (const CallPaths::Step& step : m_frames)
                at = stepTo(at, step);
            m_byCollected.findOrAdd(mixed(base, m_chain[i]), [&](std::uint32_t k) { return m_known[k].isOf(base, m_chain[i]); });
            m_known.push_back({base, m_chain[i], at});
        }
        return at;
    }

    /// Cached result of below(): the tree node `node` represents the profile's node `collected` below the tree node `base`.
    struct CachedNode {
        std::uint32_t base = 0;
        std::uint32_t collected = 0;
        std::uint32_t node = 0;
        bool isOf(std::uint32_t itsBase, std::uint32_t its) const { return base == itsBase && collected == its; }
    };

    FlatIndex m_byCollected; ///< Hash index of m_known, keyed by `base` and `collected`.
    std::vector<CachedNode> m_known;
    std::vector<std::uint32_t> m_chain; ///< Buffer of below(), kept as a member to avoid an allocation in each call.
    std::vector<CallPaths::Step> m_frames;
    std::vector<Growing> m_nodes;
    FlatIndex m_index; ///< Hash index of all elements of m_nodes except the root, keyed by parent and function.
    std::vector<std::uint32_t> m_previous; ///< Tree nodes of the path that was added last, outermost first.
};

/// Returns the rank of each function in the order of names, so that sorting siblings compares numbers only.
std::vector<std::uint32_t> ranksOf(const std::vector<SampledFunction>& functions)
{
    std::vector<std::uint32_t> order(functions.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const int names = functions[a].label().compare(functions[b].label());
        if (names != 0)
            return names < 0;
        const int modules = functions[a].module.compare(functions[b].module);
        return modules != 0 ? modules < 0 : a < b;
    });
    std::vector<std::uint32_t> ranks(functions.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        ranks[order[i]] = i;
    return ranks;
}

/// Arranges the tree's nodes level by level. The children of a node are adjacent, in the order that CallTreeOptions selects.
class Layout {
public:
    Layout(const std::vector<Growing>& grown, const std::vector<std::uint32_t>& ranks, const CallTreeOptions& options)
        : m_grown(grown)
        , m_ranks(ranks)
        , m_options(options)
        , m_begins(grown.size() + 1)
        , m_children(grown.empty() ? 0 : grown.size() - 1)
    {
        for (std::size_t i = 1; i < grown.size(); ++i)
            ++m_begins[grown[i].parent + 1];
        std::partial_sum(m_begins.begin(), m_begins.end(), m_begins.begin());
        std::vector<std::uint32_t> next(m_begins.begin(), m_begins.end() - 1);
        for (std::uint32_t i = 1; i < grown.size(); ++i)
            m_children[next[grown[i].parent]++] = i;
    }

    void layOut(CallTree& tree)
    {
        // Index in m_grown of each node of the tree.
        std::vector<std::uint32_t> from(m_grown.size());
        tree.nodes.resize(m_grown.size());
        fill(tree.nodes[0], m_grown[0]);
        std::uint32_t end = 1;
        for (std::uint32_t place = 0; place < end; ++place) {
            const auto first = m_children.begin() + m_begins[from[place]];
            const auto last = m_children.begin() + m_begins[from[place] + 1];
            std::sort(first, last, [&](std::uint32_t a, std::uint32_t b) { return comesBefore(m_grown[a], m_grown[b]); });
            tree.nodes[place].firstChild = end;
            tree.nodes[place].childCount = static_cast<std::uint32_t>(last - first);
            for (auto it = first; it != last; ++it, ++end) {
                from[end] = *it;
                fill(tree.nodes[end], m_grown[*it]);
                tree.nodes[end].parent = place;
                tree.nodes[end].depth = tree.nodes[place].depth + 1;
            }
        }
        tree.depth = tree.nodes.back().depth;
    }

private:
    bool comesBefore(const Growing& a, const Growing& b) const
    {
        if (m_options.order == CallTreeOptions::Order::Weight && amount(a.total, m_options.by) != amount(b.total, m_options.by))
            return amount(a.total, m_options.by) > amount(b.total, m_options.by);
        if (m_options.order == CallTreeOptions::Order::FirstTime && a.first != b.first)
            return a.first < b.first;
        return m_ranks[a.function] < m_ranks[b.function];
    }

    static void fill(CallNode& node, const Growing& grown)
    {
        node.function = FunctionId{grown.function};
        node.self = grown.self;
        node.own = grown.own;
        node.total = grown.total;
        node.first = grown.first;
        node.isInlined = grown.isInlined;
    }

    const std::vector<Growing>& m_grown;
    const std::vector<std::uint32_t>& m_ranks;
    const CallTreeOptions& m_options;
    /// Index into m_children of the first child of each node of m_grown. The last element is the size of m_children.
    std::vector<std::uint32_t> m_begins;
    std::vector<std::uint32_t> m_children;
};

} // namespace

CallTree buildCallTree(const StackProfile& profile, const StackNames& names, const CallTreeOptions& options, std::stop_token stop)
{
    CallPaths paths(profile, names, options);
    TreeGrower grower;
    std::vector<CallPaths::Step> path;
    CallTree tree;
    for (std::size_t i = 0; i < profile.stacks.size(); ++i) {
        if (i % 1024 == 0 && stop.stop_requested()) {
            tree.isStopped = true;
            break;
        }
        if (paths.isPlain())
            grower.add(paths, profile, profile.stacks[i]);
        else if (paths.pathOf(profile.stacks[i], path))
            grower.add(path, paths.ownStep(), profile.stacks[i]);
    }
    tree.functions = paths.takeFunctions();
    tree.kind = profile.kind;
    tree.whole = sumOf(profile);
    tree.notUnwound = profile.notUnwound;
    tree.damaged = profile.damaged;
    tree.shape = options.shape;
    tree.isNamed = names.isComplete;
    tree.isStopped |= profile.isStopped;
    Layout(grower.take(), ranksOf(tree.functions), options).layOut(tree);
    return tree;
}

SampleSum sumOf(const StackProfile& profile)
{
    SampleSum sum{profile.samples, profile.weight};
    for (const CollectedStack& stack : profile.stacks)
        sum.squares += stack.squares;
    return sum;
}

SampleSum sumOfMatches(const CallTree& tree, const std::vector<bool>& matches)
{
    SampleSum sum;
    std::vector<bool> isCounted(tree.nodes.size());
    for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
        const CallNode& node = tree.nodes[i];
        isCounted[i] = isCounted[node.parent];
        if (const auto function = static_cast<std::size_t>(node.function);
            !isCounted[i] && function < matches.size() && matches[function]) {
            isCounted[i] = true;
            sum += node.total;
        }
    }
    return sum;
}

} // namespace helio
