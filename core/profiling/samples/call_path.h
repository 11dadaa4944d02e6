#pragma once

#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Converts the collected stacks of a profile to paths in a call tree. A path consists of steps: the base step (the process, command,
/// thread or CPU, if CallTreeOptions::base selects one) and the functions of the stack.
/// Threads: to be used by one thread.
class CallPaths {
public:
    struct Step {
        std::uint32_t function = 0; ///< Index into functions().
        bool isInlined = false;
    };

    CallPaths(const StackProfile& profile, const StackNames& names, const CallTreeOptions& options);

    /// Sets `path` to the path of a stack. Returns false if the tree does not contain the stack.
    bool pathOf(const CollectedStack& stack, std::vector<Step>& path);

    /// True if the options keep the order and number of frames. The path of each stack is then its base step (the process, command, thread
    /// or CPU that the options select), followed by the frames, outermost first. The caller can then visit nodes one by one, with
    /// baseStepOf() and appendFramesOf(), instead of calling pathOf() for each stack.
    bool isPlain() const;
    /// Returns the base step of a stack: the process, command, thread or CPU that CallTreeOptions::base selects, as the outermost step of
    /// the path. nullopt if the path has no base step.
    std::optional<Step> baseStepOf(const CollectedStack& stack);
    /// Appends the frames of one node of the profile to `path`.
    void appendFramesOf(std::uint32_t node, std::vector<Step>& path) const;

    /// Returns the index of the step with the function that was running when the samples were taken, in the path that pathOf()
    /// returned last. Returns nullopt if the path does not contain this function. This is the case if the path is empty, or if the
    /// tree shows the callers of a selected function and the samples were taken in one of the functions that it called.
    std::optional<std::size_t> ownStep() const { return m_ownStep; }

    /// Moves out the names of all steps of all paths: functions, and the commands and CPUs that serve as roots of a tree.
    std::vector<SampledFunction> takeFunctions() { return std::move(m_functions); }

private:
    void mergeByName();
    void markFunctions();
    bool isBaseRecorded(const CollectedStack& stack) const;
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
    /// Names of processes from processNames(); empty unless CallTreeOptions::base is Process.
    std::map<std::pair<std::uint32_t, std::int32_t>, std::string> m_processes;
    std::vector<std::uint32_t> m_representative; ///< Function that a function is merged into, or the function itself; indexed by function.
    std::vector<bool> m_isHidden; ///< True for hidden functions; indexed by function.
    /// True for functions that match CallTreeOptions::focus; indexed by representative function, i.e. by a value of m_representative.
    std::vector<bool> m_isFocus;
    /// True for the functions that CallTreeOptions::function or CallTreeOptions::identity selects; indexed by values of m_representative.
    std::vector<bool> m_isTarget;
    /// Cache of baseOf(): index into m_functions of the entry that stands for a process, command, thread or CPU. The key is {index of the
    /// thread, 0}, or {0, CPU number} if the tree is grouped by CPU.
    std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> m_bases;
    std::map<std::string, std::uint32_t> m_baseByText;
    std::optional<std::size_t> m_ownStep;
};

/// True if the whole text matches the pattern, in which '*' stands for any text.
bool matchesPattern(std::string_view text, std::string_view pattern);

} // namespace helio
