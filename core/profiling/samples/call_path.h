#pragma once

#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Turns collected stacks into the paths that a call tree is made of: base first, then functions, as the options want them. One thread.
class CallPaths {
public:
    struct Step {
        std::uint32_t function = 0; ///< In functions().
        bool isInlined = false;
    };

    CallPaths(const StackProfile& profile, const StackNames& names, const CallTreeOptions& options);

    /// Replaces `path`. False: the stack is no part of the tree.
    bool pathOf(const CollectedStack& stack, std::vector<Step>& path);

    /// The path of each stack is its base, then the frames of its node and those above it, outermost first: nodes can be taken one by one.
    bool isPlain() const;
    /// The first step, where there is a base.
    std::optional<Step> baseStepOf(const CollectedStack& stack);
    /// The frames of one of the profile's nodes, outermost first, behind what the path has.
    void appendFramesOf(std::uint32_t node, std::vector<Step>& path) const;

    /// The step of the last path that the samples were in; none: callers are children, and it is a function below the one that was asked
    /// for.
    std::optional<std::size_t> ownStep() const { return m_ownStep; }

    /// All that steps name, those of commands and CPUs among them.
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
    std::map<std::pair<std::uint32_t, std::int32_t>, std::string> m_processes; ///< processNames(), where they are the base.
    std::vector<std::uint32_t> m_representative; ///< By function: the one that stands for it.
    std::vector<bool> m_isHidden; ///< By function.
    std::vector<bool> m_isFocus; ///< By the function that stands for it.
    std::vector<bool> m_isTarget; ///< By the function that stands for it.
    std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> m_bases; ///< By thread and CPU.
    std::map<std::string, std::uint32_t> m_baseByText;
    std::optional<std::size_t> m_ownStep;
};

/// Whether a text is what the pattern says, where '*' stands for any text.
bool matchesPattern(std::string_view text, std::string_view pattern);

} // namespace helio
