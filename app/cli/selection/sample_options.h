#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"
#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <optional>
#include <string>

namespace helio {

/// Values of --by for recorded function calls: the weight of each call.
enum class CallsBy : std::uint8_t {
    Wall, ///< Each call counts with its duration.
    SelfWall, ///< Each call counts with its duration; tables of functions are sorted by self time.
    Cpu, ///< Each call counts with its thread's CPU time during the call.
    Count, ///< Each call counts as 1.
};

/// Options of commands that select samples and their weight. A command calls the add…To() functions for the options that it has. After
/// parsing, read() checks the arguments and sets the members.
struct SampleOptions {
    std::string event; ///< Name of the sampled event; if empty, the command chooses one.
    /// Weight of calls if the command shows recorded calls instead of samples; nullopt to show samples of `event`.
    std::optional<CallsBy> calls;
    std::optional<WeightBy> by; ///< Requested weight; nullopt for the default weight of the event, see weightOf().
    bool expandsInlined = true; ///< True if inlined functions get their own frames.

    // Separate functions add the options, because their position in the help differs between commands.
    void addEventTo(OptionList& options, const char* help);
    void addWeightTo(OptionList& options); ///< Adds --by for samples and calls.
    /// Adds --by with the values that measure samples, without those that measure calls.
    void addCountTo(OptionList& options, const char* help);
    void addInliningTo(OptionList& options);
    Status read();

    /// Returns the requested weight, else the default weight of the kind.
    WeightBy weightOf(const SampleKind& kind) const { return by.value_or(defaultWeight(kind)); }
    /// True if tables of functions are sorted by total instead of self amount.
    bool isSortedByTotal() const { return calls == CallsBy::Wall || calls == CallsBy::Cpu; }

private:
    struct {
        std::string by;
        bool mayBeCalls = false;
        bool noInline = false;
    } m_given;
};

/// Options that determine how call stacks become a tree, except the weight of the samples.
struct TreeOptions {
    CallTreeOptions tree;
    bool isIcicle = false; ///< True for the icicle layout of pictures, with roots on top.

    void addTo(OptionList& options);
    Status read();

    bool isInverted() const { return tree.shape == CallTreeOptions::Shape::Inverted; }
    bool hasOrder() const { return !m_given.order.empty(); } ///< True if --order was given.
    /// Returns the options of the call tree for samples weighted by `by`.
    CallTreeOptions by(WeightBy by) const;

private:
    struct {
        std::string base = "command", order, callersOf, calleesOf;
        bool isInverted = false;
    } m_given;
};

} // namespace helio
