#include "core/compare/tree_difference.h"

#include "core/compare/significance.h"
#include "core/profiling/export/call_tree_text.h"
#include "core/profiling/samples/amount_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>

namespace helio {
namespace {

constexpr std::uint32_t Absent = ~0u;

/// Builds the common list of the functions of two trees.
class CommonFunctions {
public:
    CommonFunctions(const CallTree& a, const CallTree& b, bool hasModules)
        : m_places{std::vector(a.functions.size(), Absent), std::vector(b.functions.size(), Absent)}
    {
        std::map<std::string, Namesakes> groups;
        // Groups of functions with equal names, in order of occurrence: the order of the functions must not depend on their names.
        std::vector<Namesakes*> order;
        for (const bool isOfB : {false, true}) {
            const CallTree& tree = isOfB ? b : a;
            std::vector<bool> isUsed(tree.functions.size());
            for (const CallNode& node : tree.nodes)
                isUsed[static_cast<std::size_t>(node.function)] = true;
            for (std::uint32_t i = 0; i < tree.functions.size(); ++i) {
                if (!isUsed[i])
                    continue;
                Namesakes& group = groups[groupOf(tree.functions[i], hasModules)];
                if (group.all.empty())
                    order.push_back(&group);
                group.all.push_back({&tree.functions[i], isOfB, i});
            }
        }
        for (const Namesakes* group : order)
            add(*group, hasModules);
        for (SampledFunction& function : m_functions)
            function.distinctName.clear();
        distinguishNames(m_functions);
    }

    /// Returns the index in the common list for each function of a side.
    std::vector<std::uint32_t> takePlaces(bool ofB) { return std::move(m_places[ofB]); }
    std::vector<SampledFunction> take() { return std::move(m_functions); }

private:
    struct Member {
        const SampledFunction* function = nullptr;
        bool isOfB = false;
        std::uint32_t index = 0;
    };
    /// Functions with the same name and module, on both sides.
    struct Namesakes {
        std::vector<Member> all; ///< The functions with this name and module: first all functions of A, then all functions of B.
    };

    static std::string groupOf(const SampledFunction& function, bool hasModules)
    {
        const std::string name = function.name.empty() ? '@' + function.label() : function.name;
        return hasModules ? name + '\n' + function.module + '\n' + std::to_string(static_cast<int>(function.code)) : name;
    }

    void add(const Namesakes& group, bool hasModules)
    {
        const bool areOnePair = group.all.size() == 2 && group.all[0].isOfB != group.all[1].isOfB;
        const bool areNamesEnough = !hasModules || areOnePair;
        const auto keyOf = [&](const Member& it) { return areNamesEnough ? FunctionIdentity() : identityOf(*it.function); };
        std::array<std::set<FunctionIdentity>, 2> own; // Identities of the functions of A and of B, indexed by side.
        for (const Member& it : group.all)
            own[it.isOfB].insert(keyOf(it));
        std::array<std::vector<FunctionIdentity>, 2> alone; // Identities of functions that exist on one side only, indexed by side.
        std::ranges::set_difference(own[0], own[1], std::back_inserter(alone[0]));
        std::ranges::set_difference(own[1], own[0], std::back_inserter(alone[1]));
        // If exactly one function on each side has no counterpart, the two count as one function with new parameters or another source
        // line.
        const bool isOneChanged = alone[0].size() == 1 && alone[1].size() == 1;
        std::map<FunctionIdentity, std::uint32_t> places;
        for (const Member& it : group.all) {
            const FunctionIdentity key = keyOf(it);
            const auto [place, isNew] = places.try_emplace(isOneChanged && key == alone[1].front() ? alone[0].front() : key,
                                                           static_cast<std::uint32_t>(m_functions.size()));
            if (isNew)
                m_functions.push_back(*it.function);
            m_places[it.isOfB][it.index] = place->second;
        }
    }

    std::vector<SampledFunction> m_functions;
    /// Index in m_functions of each function of a side; indexed by side (0: A, 1: B) and by the function's index on that side.
    std::array<std::vector<std::uint32_t>, 2> m_places;
};

/// The nodes of the two trees that are merged into one node.
struct Pair {
    std::uint32_t a = Absent;
    std::uint32_t b = Absent;
};

class TreeMerge {
public:
    TreeMerge(const CallTree& a, const CallTree& b, DifferenceTree& tree)
        : m_a(a)
        , m_b(b)
        , m_tree(tree)
    {
        CommonFunctions functions(a, b, !comparesNamesOnly(a.kind, b.kind));
        m_placesA = functions.takePlaces(false);
        m_placesB = functions.takePlaces(true);
        m_tree.functions = functions.take();
    }

    void run(const std::stop_token& stop)
    {
        m_tree.nodes.emplace_back();
        m_pairs.push_back({0, 0});
        fill(0);
        for (std::uint32_t node = 0; node < m_tree.nodes.size(); ++node) {
            if (node % 4096 == 0 && stop.stop_requested()) {
                m_tree.isStopped = true;
                return;
            }
            addChildren(node);
        }
    }

private:
    void fill(std::uint32_t node)
    {
        DifferenceNode& to = m_tree.nodes[node];
        const auto [a, b] = m_pairs[node];
        if (a != Absent) {
            to.self.a = m_a.nodes[a].self;
            to.total.a = m_a.nodes[a].total;
        }
        if (b != Absent) {
            to.self.b = m_b.nodes[b].self;
            to.total.b = m_b.nodes[b].total;
        }
    }

    static void collect(const CallTree& tree, std::uint32_t node, const std::vector<std::uint32_t>& places, std::uint32_t Pair::*side,
                        std::map<std::uint32_t, Pair>& children)
    {
        if (node == Absent)
            return;
        const CallNode& from = tree.nodes[node];
        for (std::uint32_t child = from.firstChild; child < from.firstChild + from.childCount; ++child)
            children[places[static_cast<std::size_t>(tree.nodes[child].function)]].*side = child;
    }

    void addChildren(std::uint32_t node)
    {
        m_children.clear();
        collect(m_a, m_pairs[node].a, m_placesA, &Pair::a, m_children);
        collect(m_b, m_pairs[node].b, m_placesB, &Pair::b, m_children);
        const auto first = static_cast<std::uint32_t>(m_tree.nodes.size());
        m_tree.nodes[node].firstChild = first;
        m_tree.nodes[node].childCount = static_cast<std::uint32_t>(m_children.size());
        std::vector<std::pair<std::uint32_t, Pair>> order(m_children.begin(), m_children.end());
        std::ranges::stable_sort(order, [this](const auto& l, const auto& r) { return comesBefore(l, r); });
        for (const auto& [function, pair] : order) {
            DifferenceNode child;
            child.parent = node;
            child.depth = m_tree.nodes[node].depth + 1;
            child.function = FunctionId{function};
            m_tree.depth = std::max(m_tree.depth, child.depth);
            m_tree.nodes.push_back(child);
            m_pairs.push_back(pair);
            fill(static_cast<std::uint32_t>(m_tree.nodes.size() - 1));
        }
    }

    double widthOf(const Pair& pair) const
    {
        const WeightBy by = m_tree.scale.by;
        const double a = pair.a == Absent ? 0 : double(amount(m_a.nodes[pair.a].total, by)) * m_tree.scale.a;
        const double b = pair.b == Absent ? 0 : double(amount(m_b.nodes[pair.b].total, by)) * m_tree.scale.b;
        return std::max(a, b);
    }

    bool comesBefore(const std::pair<std::uint32_t, Pair>& l, const std::pair<std::uint32_t, Pair>& r) const
    {
        const double left = widthOf(l.second);
        const double right = widthOf(r.second);
        return left != right ? left > right : m_tree.functions[l.first].name < m_tree.functions[r.first].name;
    }

    const CallTree& m_a;
    const CallTree& m_b;
    DifferenceTree& m_tree;
    std::vector<std::uint32_t> m_placesA;
    std::vector<std::uint32_t> m_placesB;
    std::vector<Pair> m_pairs; ///< Nodes of m_a and m_b that were merged into each node of m_tree; indexed by node of m_tree.
    std::map<std::uint32_t, Pair> m_children;
};

void add(ComparedSum& to, const ComparedSum& from)
{
    to.a += from.a;
    to.b += from.b;
}

/// Returns the path of a node, e.g. "main;initprm_".
std::string pathOf(const DifferenceTree& tree, std::uint32_t node)
{
    std::vector<std::string> names;
    for (; node != 0; node = tree.nodes[node].parent)
        names.push_back(foldedName(tree.functionOf(node).foldedLabel()));
    std::string path;
    for (auto name = names.rbegin(); name != names.rend(); ++name)
        path += path.empty() ? *name : ';' + *name;
    return path;
}

} // namespace

namespace {

/// Effective sample size: the number of samples of equal weight with the same statistical certainty as the recorded samples.
struct EffectiveSamples {
    double count = 0;
    double weight = 0; ///< Weight of one sample; 0 if unknown.
};

EffectiveSamples alike(const SampleSum& sum, WeightBy by, double usual, std::uint64_t divisor)
{
    if (by == WeightBy::Samples)
        return {double(sum.samples) / double(divisor), double(divisor)};
    if (sum.samples == 0)
        return {usual > 0 ? double(sum.weight) / usual : 0, usual};
    const auto weight = double(sum.weight);
    const double count = sum.squares > 0 ? std::min(double(sum.samples), weight / sum.squares * weight) : double(sum.samples);
    return {count / double(divisor), weight / count * double(divisor)};
}

/// Returns the weight of a typical sample of the tree: the assumed weight of one sample of a function that has no samples on this side.
double defaultWeight(const CallTree& tree, WeightBy by)
{
    SampleSum sampled;
    for (const CallNode& node : tree.nodes)
        if (node.self.samples > 0)
            sampled += node.self;
    return alike(sampled, by, 0, tree.kind.divisor()).weight;
}

} // namespace

DifferenceScale DifferenceScale::shares(const SampleSum& wholeA, const SampleSum& wholeB, WeightBy by)
{
    const auto factor = [by](const SampleSum& whole) { return amount(whole, by) == 0 ? 0 : 1 / double(amount(whole, by)); };
    return {by, factor(wholeA), factor(wholeB)};
}

double ComparedSum::z(const DifferenceScale& scale) const
{
    if (scale.isMeasured)
        return difference(scale) == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), difference(scale));
    const bool lacksWeights = (a.samples > 0 && a.weight == 0) || (b.samples > 0 && b.weight == 0);
    const WeightBy by = lacksWeights ? WeightBy::Samples : scale.by;
    const EffectiveSamples ofA = alike(a, by, scale.usualWeightA, scale.divisorA);
    const EffectiveSamples ofB = alike(b, by, scale.usualWeightB, scale.divisorB);
    const double one = scale.a * (ofA.weight > 0 ? ofA.weight : ofB.weight); // Amount of one sample of A, multiplied by the scale of A.
    const double other = scale.b * (ofB.weight > 0 ? ofB.weight : ofA.weight);
    return one + other > 0 ? significance(ofA.count, ofB.count, one / (one + other)) : 0;
}

bool comparesNamesOnly(const SampleKind& a, const SampleKind& b) { return a.isAggregated() || b.isAggregated(); }

const SampledFunction* findSameFunction(const std::vector<SampledFunction>& functions, const SampledFunction& function)
{
    if (const auto found = findFunction(functions, function))
        return &functions[static_cast<std::size_t>(*found)];
    const auto isNamesake = [&](const SampledFunction& it) {
        return it.name == function.name && it.module == function.module && it.code == function.code;
    };
    const auto first = std::ranges::find_if(functions, isNamesake);
    return first == functions.end() || std::find_if(first + 1, functions.end(), isNamesake) != functions.end() ? nullptr : &*first;
}

void setMergeOptions(CallTreeOptions& options, const SampleKind& a, const StackNames& namesA, const SampleKind& b, const StackNames& namesB)
{
    const auto hasLinkageNames = [](const StackNames& names) {
        return std::ranges::any_of(names.functions, [](const SampledFunction& it) { return !it.linkageName.empty(); });
    };
    options.mergesModules = comparesNamesOnly(a, b);
    options.mergesNamesakes = hasLinkageNames(namesA) != hasLinkageNames(namesB);
}

DifferenceTree compareTrees(const CallTree& a, const CallTree& b, const DifferenceScale& scale, std::stop_token stop)
{
    DifferenceTree tree;
    tree.scale = scale;
    tree.whole = {a.whole, b.whole};
    tree.scale.usualWeightA = defaultWeight(a, scale.by);
    tree.scale.usualWeightB = defaultWeight(b, scale.by);
    if (a.nodes.empty() || b.nodes.empty())
        return tree;
    TreeMerge(a, b, tree).run(stop);
    return tree;
}

ComparedSum sumOfMatches(const DifferenceTree& tree, const std::function<bool(const SampledFunction&)>& matches)
{
    std::vector<bool> isMatch;
    for (const SampledFunction& function : tree.functions)
        isMatch.push_back(matches(function));
    ComparedSum sum;
    // True if `matches` returns true for the function of the node or of one of its callers. Indexed by node.
    std::vector<bool> isCounted(tree.nodes.size(), false);
    for (std::uint32_t node = 1; node < tree.nodes.size(); ++node) {
        isCounted[node] = isCounted[tree.nodes[node].parent];
        if (!isCounted[node] && isMatch[static_cast<std::size_t>(tree.nodes[node].function)]) {
            isCounted[node] = true;
            add(sum, tree.nodes[node].total);
        }
    }
    return sum;
}

std::vector<FunctionDifference> computeFunctionDifferences(const DifferenceTree& tree)
{
    std::vector<FunctionDifference> all(tree.functions.size());
    // Number of the function's nodes on the path to the current node. Indexed by function.
    std::vector<std::uint32_t> open(tree.functions.size(), 0);
    // Number of child nodes that this walk has visited so far, indexed by parent node.
    std::vector<std::uint32_t> next(tree.nodes.size(), 0);
    for (std::uint32_t node = 0; !tree.nodes.empty();) {
        const DifferenceNode& at = tree.nodes[node];
        if (next[node] < at.childCount) {
            node = at.firstChild + next[node]++;
            const DifferenceNode& child = tree.nodes[node];
            const auto function = static_cast<std::size_t>(child.function);
            all[function].function = child.function;
            add(all[function].self, child.self);
            if (open[function]++ == 0)
                add(all[function].total, child.total);
            continue;
        }
        if (node == 0)
            break;
        --open[static_cast<std::size_t>(at.function)];
        node = at.parent;
    }
    std::erase_if(all, [](const FunctionDifference& it) { return isNothing(it.total.a) && isNothing(it.total.b); });
    std::ranges::stable_sort(all, std::greater(), [&](const FunctionDifference& it) { return std::abs(it.self.difference(tree.scale)); });
    return all;
}

void writeDifferentialFolded(const DifferenceTree& tree, const std::function<bool(std::string_view)>& write)
{
    // Lines to write, keyed by path. Functions with the same name in several modules share a line.
    std::map<std::string, ComparedSum> lines;
    for (std::uint32_t node = 1; node < tree.nodes.size(); ++node)
        if (const ComparedSum& self = tree.nodes[node].self; self.a.samples || self.b.samples)
            add(lines[pathOf(tree, node)], self);
    for (const auto& [path, self] : lines)
        if (!write(path + ' ' + exactCount(amount(self.a, tree.scale.by), tree.scale.divisorA) + ' '
                   + exactCount(amount(self.b, tree.scale.by), tree.scale.divisorB) + '\n'))
            return;
}

} // namespace helio
