#include "core/profiling/export/call_tree_text.h"

#include "core/base/utf8.h"
#include "core/profiling/samples/amount_text.h"

#include <algorithm>

namespace helio {

std::string foldedName(const std::string& name)
{
    std::string text = name;
    for (char& c : text)
        c = c == ';' ? ':' : c == '\n' || c == '\r' ? ' ' : c;
    return text;
}

namespace {

/// Returns the names on the path to a node as folded text, root first.
std::string foldedPath(const CallTree& tree, std::uint32_t node, const std::vector<std::string>& names)
{
    std::vector<std::uint32_t> path;
    for (; node != 0; node = tree.nodes[node].parent)
        path.push_back(node);
    std::string text;
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
        if (!text.empty())
            text += ';';
        text += names[static_cast<std::size_t>(tree.nodes[*it].function)];
    }
    return text;
}

} // namespace

void writeFolded(const CallTree& tree, WeightBy by, const TextSink& write)
{
    std::vector<std::string> names;
    for (const SampledFunction& function : tree.functions)
        names.push_back(foldedName(function.foldedLabel()));
    std::vector<std::pair<std::string, std::uint64_t>> lines;
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i)
        if (const std::uint64_t weight = amount(tree.nodes[i].self, by); weight > 0)
            lines.emplace_back(foldedPath(tree, i, names), weight);
    // Merges equal lines of functions that have the same name in different modules.
    std::sort(lines.begin(), lines.end());
    ChunkedWriter writer(write);
    for (std::size_t i = 0; i < lines.size();) {
        std::uint64_t weight = 0;
        std::size_t end = i;
        for (; end < lines.size() && lines[end].first == lines[i].first; ++end)
            weight += lines[end].second;
        ((writer.text() += lines[i].first) += ' ') += exactCount(weight, tree.kind.divisor()) + '\n';
        if (!writer.flushIfFull())
            return;
        i = end;
    }
}

void appendXml(std::string& out, std::string_view text)
{
    std::string printable;
    for (const char c : text)
        switch (c) {
        case '<': printable += "&lt;"; break;
        case '>': printable += "&gt;"; break;
        case '&': printable += "&amp;"; break;
        case '"': printable += "&quot;"; break;
        default: printable += c; break;
        }
    appendPrintable(out, printable);
}

} // namespace helio
