#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"
#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <optional>
#include <string>

namespace helio {

/// Measure of calls that --by selects.
enum class CallsBy : std::uint8_t {
    Wall, ///< Durations of the calls.
    SelfWall, ///< Durations of the calls, ordered by self time.
    Cpu, ///< CPU time of the calls.
    Count, ///< Number of calls.
};

/// Options of commands that select samples and their weight. A command calls those of the add…To() functions that it needs; once the
/// command line is parsed, read() checks the arguments and sets the members.
struct SampleOptions {
    std::string event; ///< Event name; empty: the command chooses one.
    std::optional<CallsBy> calls; ///< The samples are calls, measured this way; nullopt: samples of `event`.
    std::optional<WeightBy> by; ///< Requested weight; nullopt: the usual weight of the event, see weightOf().
    bool expandsInlined = true; ///< Inlined functions are frames of their own.

    // The options are added separately because each command has them at another position of its help.
    void addEventTo(OptionList& options, const char* help);
    void addWeightTo(OptionList& options); ///< Adds --by for samples and calls.
    void addCountTo(OptionList& options, const char* help); ///< Adds --by for samples only.
    void addInliningTo(OptionList& options);
    Status read();

    /// Returns the chosen weight, else the usual weight of the kind.
    WeightBy weightOf(const SampleKind& kind) const { return by.value_or(defaultWeight(kind)); }
    /// True if tables of functions are ordered by total.
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
    bool isIcicle = false; ///< Icicle layout of pictures: roots on top.

    void addTo(OptionList& options);
    Status read();

    bool isInverted() const { return tree.shape == CallTreeOptions::Shape::Inverted; }
    bool hasOrder() const { return !m_given.order.empty(); } ///< --order was given.
    /// Returns the options of the tree with the weight of the samples.
    CallTreeOptions by(WeightBy by) const;

private:
    struct {
        std::string base = "command", order, callersOf, calleesOf;
        bool isInverted = false;
    } m_given;
};

} // namespace helio
