#pragma once

#include "core/profiling/samples/call_tree.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Makes a call tree from folded stacks such as "main;initprm_", each with its number of samples; every sample has the weight `weight`.
inline CallTree treeOf(const std::vector<std::pair<std::string, std::uint32_t>>& lines, std::uint64_t weight = 10)
{
    StackProfile profile;
    StackNames names;
    std::map<std::string, std::uint32_t> functions;
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> nodes;
    profile.nodes.emplace_back();
    profile.threads.emplace_back();
    names.functions.emplace_back();
    names.firstFrame = {0, 0};
    for (const auto& [path, samples] : lines) {
        std::uint32_t node = 0;
        for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
            end = path.find(';', begin);
            const std::string name = path.substr(begin, end - begin);
            if (const auto [it, isNew] = functions.try_emplace(name, names.functions.size()); isNew) {
                names.functions.emplace_back();
                names.functions.back().name = name;
            }
            const auto [it, isNew] = nodes.try_emplace({node, name}, profile.nodes.size());
            if (isNew) {
                profile.nodes.push_back({node, {}, {}});
                names.frames.push_back({FunctionId{functions[name]}, false});
                names.firstFrame.push_back(static_cast<std::uint32_t>(names.frames.size()));
            }
            node = it->second;
        }
        profile.stacks.push_back({node, 0, 0, samples, samples * weight});
        profile.samples += samples;
        profile.weight += samples * weight;
    }
    CallTreeOptions options;
    options.base = CallTreeOptions::Base::None;
    return buildCallTree(profile, names, options);
}

/// Index of the first node of the function `name`; 0 if the tree has no such node.
template <typename Tree> std::uint32_t nodeNamed(const Tree& tree, const std::string& name)
{
    for (std::uint32_t node = 1; node < tree.nodes.size(); ++node)
        if (tree.functionOf(node).name == name)
            return node;
    return 0;
}

} // namespace helio
