#include "core/compare/code_difference.h"

#include "core/compare/difference_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace helio {
namespace {

constexpr double NearlyAll = 0.9;
constexpr double Half = 0.5;
constexpr double WorthNaming = 0.1; ///< Minimum share of the whole difference for which a function is named.

bool isNamed(const SampledFunction& function) { return function.code != CodeKind::Thread && !function.name.empty(); }

/// Returns the difference (B minus A, in scaled amounts) of each function's self amount below `top`, indexed by FunctionId.
std::vector<double> ownBelow(const DifferenceTree& tree, FunctionId top)
{
    std::vector<double> own(tree.functions.size());
    std::vector<bool> isBelow(tree.nodes.size());
    for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
        const DifferenceNode& node = tree.nodes[i];
        isBelow[i] = isBelow[node.parent] || node.function == top;
        if (isBelow[i])
            own[static_cast<std::size_t>(node.function)] += node.self.difference(tree.scale);
    }
    return own;
}

bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '}' || c == ']'; }

bool isOperator(std::string_view name)
{
    constexpr std::string_view Operator = "operator";
    for (std::size_t at = name.find(Operator); at != std::string_view::npos; at = name.find(Operator, at + 1)) {
        const std::size_t end = at + Operator.size();
        if ((at == 0 || !isOfName(name[at - 1])) && (end == name.size() || !isOfName(name[end])))
            return true;
    }
    return false;
}

/// Returns the index of the bracket that closes the bracket at index `open`; the last index if it is not closed.
std::size_t closeOf(std::string_view name, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < name.size(); ++i) {
        const bool isArrow = name[i] == '>' && i > 0 && name[i - 1] == '-';
        depth += name[i] == '<' || name[i] == '(' ? 1 : (name[i] == '>' && !isArrow) || name[i] == ')' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return name.size() - 1;
}

} // namespace

std::string simplifyFunctionName(const std::string& name)
{
    if (isOperator(name)) // Return the name unchanged, because the operator's name may contain brackets.
        return name;
    std::string plain;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool isOpen = name[i] == '<' || name[i] == '(';
        const std::size_t end = isOpen ? closeOf(name, i) : i;
        const bool areArguments = isOpen && !plain.empty() && isOfName(plain.back());
        // Keep brackets of a function name that do not enclose arguments, e.g. in "(anonymous namespace)", "<T as Drop>", "(*Server)".
        if (!areArguments)
            plain.append(name, i, end - i + 1);
        i = end;
    }
    return plain;
}

std::optional<CodeDifference> findCodeDifference(const DifferenceTree& tree, std::span<const FunctionDifference> functions)
{
    const double whole = tree.whole.difference(tree.scale);
    if (tree.nodes.empty() || whole == 0 || std::abs(tree.whole.z(tree.scale)) < NoiseZ)
        return {};
    const auto shareOf = [&](const ComparedSum& sum) { return sum.difference(tree.scale) / whole; };
    const auto amountOf = [&](const ComparedSum& sum) { return std::max(sum.scaledA(tree.scale), sum.scaledB(tree.scale)); };
    const FunctionDifference* below = nullptr;
    for (const double least : {NearlyAll, Half}) {
        for (const FunctionDifference& it : functions)
            if (isNamed(tree.functions[static_cast<std::size_t>(it.function)]) && shareOf(it.total) >= least
                && (!below || amountOf(it.total) < amountOf(below->total)))
                below = &it;
        if (below)
            break;
    }
    if (!below)
        return {};
    CodeDifference code;
    code.function = simplifyFunctionName(tree.functions[static_cast<std::size_t>(below->function)].name);
    code.total = below->total.difference(tree.scale);
    const std::vector<double> own = ownBelow(tree, below->function);
    code.isOwn = own[static_cast<std::size_t>(below->function)] / code.total >= NearlyAll;
    const auto leaf = std::ranges::max_element(own, {}, [&](double difference) { return difference / whole; });
    const auto id = static_cast<FunctionId>(leaf - own.begin());
    const SampledFunction& function = tree.functions[static_cast<std::size_t>(id)];
    if (id != below->function && isNamed(function) && *leaf / whole >= WorthNaming) {
        code.leaf = simplifyFunctionName(function.name);
        code.own = *leaf;
    }
    return code;
}

} // namespace helio
