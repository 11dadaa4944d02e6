#pragma once

#include "core/profiling/samples/call_tree.h"

#include <map>
#include <sstream>
#include <string>
#include <utility>

namespace helio {

/// A named profile, built from lines like "main;f;g 3", each at a later time than the preceding line. Each sample has the weight 10. A
/// name "f@lib" is in the module "lib"; "f~" is inlined into its caller.
class MadeStacks {
public:
    MadeStacks()
    {
        profile.nodes.emplace_back();
        names.functions.emplace_back();
        names.firstFrame = {0, 0};
        names.isComplete = true;
        profile.threads.push_back({{StoreIndex{}, TrackId{1}}, 0, 10, 10, "prog"});
    }

    MadeStacks& add(const std::string& line, std::uint32_t thread = 0, std::int32_t cpu = 0)
    {
        const std::size_t space = line.rfind(' ');
        std::istringstream text(line.substr(0, space));
        std::uint32_t node = 0;
        for (std::string frame; std::getline(text, frame, ';');)
            node = nodeOf(node, frame);
        const auto samples = static_cast<std::uint32_t>(std::stoul(line.substr(space + 1)));
        const auto time = timestamp(1000 * std::int64_t(profile.stacks.size() + 1));
        profile.stacks.push_back({node, thread, cpu, samples, 10ull * samples, time});
        profile.samples += samples;
        profile.weight += 10ull * samples;
        return *this;
    }

    std::uint32_t addThread(std::string comm, std::int32_t pid, std::int32_t tid)
    {
        profile.threads.push_back({{StoreIndex{}, TrackId{static_cast<std::uint32_t>(tid)}}, 0, pid, tid, std::move(comm)});
        return static_cast<std::uint32_t>(profile.threads.size() - 1);
    }

    StackProfile profile;
    StackNames names;

private:
    std::uint32_t nodeOf(std::uint32_t parent, const std::string& frame)
    {
        const auto [place, isNew] = m_nodes.emplace(std::pair(parent, frame), static_cast<std::uint32_t>(profile.nodes.size()));
        if (!isNew)
            return place->second;
        profile.nodes.push_back({parent, {}, {ModuleId{1}, false, profile.nodes.size()}});
        const bool isInlined = frame.back() == '~';
        const std::size_t at = frame.find('@');
        SampledFunction function;
        function.name = frame.substr(0, at).substr(0, frame.size() - (isInlined ? 1 : 0));
        function.module = at == std::string::npos ? "prog" : frame.substr(at + 1);
        names.frames.push_back({idOf(function), isInlined});
        names.firstFrame.push_back(static_cast<std::uint32_t>(names.frames.size()));
        return place->second;
    }

    FunctionId idOf(const SampledFunction& function)
    {
        const auto [place, isNew] =
            m_functions.emplace(std::pair(function.name, function.module), static_cast<std::uint32_t>(names.functions.size()));
        if (isNew)
            names.functions.push_back(function);
        return FunctionId{place->second};
    }

    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_nodes;
    std::map<std::pair<std::string, std::string>, std::uint32_t> m_functions;
};

} // namespace helio
