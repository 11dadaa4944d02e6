#pragma once

#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Converts collected stacks to the paths that make up a call tree: base first, then functions, according to the options.
/// Threads: to be used by one thread.
class CallPaths {
public:
    struct Step {
        std::uint32_t function = 0; ///< Index into functions().
        bool isInlined = false;
    };

    CallPaths(const StackProfile& profile, const StackNames& names, const CallTreeOptions& options);

    /// Replaces `path` by the path of a stack. Returns false if the stack is not in the tree.
    bool pathOf(const CollectedStack& stack, std::vector<Step>& path);

    /// True if the options do not change the order or number of frames: the path of each stack is then its base step followed by
    /// its node's frames and the callers' frames, outermost first. The caller can then visit nodes one by one, with baseStepOf() and
    /// appendFramesOf(), instead of calling pathOf() for each stack.
    bool isPlain() const;
    /// Returns the first step; nullopt if the tree has no base.
    std::optional<Step> baseStepOf(const CollectedStack& stack);
    /// Appends the frames of one of the profile's nodes to `path`.
    void appendFramesOf(std::uint32_t node, std::vector<Step>& path) const;

    /// Returns the step of the last path in which the samples were taken. nullopt if callers are children and this function is a callee of
    /// the selected function.
    std::optional<std::size_t> ownStep() const { return m_ownStep; }

    /// Returns all functions that steps refer to, including commands and CPUs.
    std::vector<SampledFunction> takeFunctions() { return std::move(m_functions); }

private:
    void mergeByName();
    void markFunctions();
    bool hasOwnBase(const CollectedStack& stack) const;
    std::uint32_t baseOf(const CollectedStack& stack);
    std::string baseText(const CollectedStack& stack) const;
    void appendFrames(const CollectedStack& stack, std::vector<Step>& path) const;
    bool holdsFocus(const std::vector<Step>& path, std::size_t begin) const;
    bool cutToFunction(std::vector<Step>& path, std::size_t begin);
    static void collapseRecursion(std::vector<Step>& path, std::size_t begin);

    const StackProfile& m_profile;
    const StackNames& m_names;
    const CallTreeOptions& m_options;
    std::vector<SampledFunction> m_functions;
    std::map<std::pair<std::uint32_t, std::int32_t>, std::string> m_processes; ///< Result of processNames() if processes are the base.
    std::vector<std::uint32_t> m_representative; ///< Indexed by function: the function that it is merged into, or itself.
    std::vector<bool> m_isHidden; ///< Indexed by function.
    std::vector<bool> m_isFocus; ///< Indexed by representative function.
    std::vector<bool> m_isTarget; ///< Indexed by representative function.
    std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> m_bases; ///< Keyed by thread and CPU.
    std::map<std::string, std::uint32_t> m_baseByText;
    std::optional<std::size_t> m_ownStep;
};

/// True if the text matches the pattern; '*' stands for any text.
bool matchesPattern(std::string_view text, std::string_view pattern);

} // namespace helio
