#include "widgets/flame/view/flame_path.h"

#include <algorithm>
#include <map>

namespace helio {

FrameKey keyOf(const SampledFunction& function) { return {function.label(), function.module, function.linkageName, function.unit}; }

FlamePath pathOf(const CallTree& tree, std::uint32_t node)
{
    FlamePath path;
    for (; node != 0 && node < tree.nodes.size(); node = tree.nodes[node].parent)
        path.push_back(keyOf(tree.functionOf(node)));
    std::ranges::reverse(path);
    return path;
}

std::uint32_t findPath(const CallTree& tree, const FlamePath& path)
{
    std::uint32_t node = 0;
    if (tree.nodes.empty())
        return node;
    for (const FrameKey& key : path) {
        const CallNode& parent = tree.nodes[node];
        std::uint32_t child = parent.firstChild;
        const std::uint32_t end = child + parent.childCount;
        while (child < end && keyOf(tree.functionOf(child)) != key)
            ++child;
        if (child == end)
            break;
        node = child;
    }
    return node;
}

FlamePath renamedPath(const FlamePath& path, const StackNames& before, const StackNames& after)
{
    // Index of the first node in the profile with each function, by the function's name and module before renaming.
    std::map<std::pair<std::string, std::string>, std::size_t> nodes;
    const std::size_t count = std::min(before.firstFrame.size(), after.firstFrame.size());
    std::vector<bool> isSeen(before.functions.size(), false);
    for (std::size_t node = 1; node + 1 < count; ++node)
        for (const NamedFrame& frame : before.framesOf(std::uint32_t(node))) {
            const auto id = static_cast<std::size_t>(frame.function);
            if (!isSeen[id])
                nodes.emplace(std::pair(before.functions[id].name, before.functions[id].module), node);
            isSeen[id] = true;
        }
    FlamePath renamed;
    for (const FrameKey& key : path) {
        const auto place = nodes.find({key.name, key.module});
        if (place == nodes.end()) { // The frame is a command or a CPU. Its name does not come from symbols, so it does not change.
            renamed.push_back(key);
            continue;
        }
        const auto frames = after.framesOf(std::uint32_t(place->second));
        for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
            renamed.push_back(keyOf(after.functions[static_cast<std::size_t>(frame->function)]));
    }
    return renamed;
}

} // namespace helio
