#pragma once

#include "tests/core/profiling/made_stacks.h"
#include "widgets/flame/view/flame_view.h"

namespace helio {

/// Returns the call tree of lines like "main;f;g 3"; the first frame of each line is a root.
inline std::shared_ptr<const CallTree> madeTree(const MadeStacks& made)
{
    CallTreeOptions options;
    options.base = CallTreeOptions::Base::None;
    return std::make_shared<const CallTree>(buildCallTree(made.profile, made.names, options));
}

inline FlameContent madeContent(const std::vector<const char*>& lines)
{
    MadeStacks made;
    for (const char* line : lines)
        made.add(line);
    return {madeTree(made), nullptr, WeightBy::Samples};
}

/// Returns content with a single chain of frames: "f0;f1;f2...".
inline FlameContent madeChain(int length)
{
    std::string frames;
    for (int i = 0; i < length; ++i)
        frames += (i ? ";f" : "f") + std::to_string(i);
    return {madeTree(MadeStacks().add(frames + " 10")), nullptr, WeightBy::Samples};
}

/// Index of the function's first node; 0 if there is none.
inline std::uint32_t nodeOf(const CallTree& tree, const std::string& name)
{
    for (std::uint32_t node = 1; node < tree.nodes.size(); ++node)
        if (tree.functionOf(node).name == name)
            return node;
    return 0;
}

} // namespace helio
