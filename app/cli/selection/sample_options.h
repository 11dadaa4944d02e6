#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"
#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <optional>
#include <string>

namespace helio {

/// What --by asks of calls.
enum class CallsBy : std::uint8_t {
    Wall, ///< Their lengths.
    SelfWall, ///< The same, in the order of what was their own.
    Cpu, ///< Their time on a CPU.
    Count, ///< How many there were.
};

/// Which samples a command is about, and what they count.
struct SampleOptions {
    std::string event; ///< Empty: the command chooses one.
    std::optional<CallsBy> calls; ///< The samples are calls. None: whatever the event is.
    std::optional<WeightBy> by; ///< None: as is usual for the event; see weightOf().
    bool expandsInlined = true; ///< Functions inlined somewhere are frames of their own.

    // Each command has a place of its own for them in its help.
    void addEventTo(OptionList& options, const char* help);
    void addWeightTo(OptionList& options); ///< Of samples or calls.
    void addCountTo(OptionList& options, const char* help); ///< Of samples alone.
    void addInliningTo(OptionList& options);
    Status read();

    /// What was chosen, or what is usual for samples of this kind.
    WeightBy weightOf(const SampleKind& kind) const { return by.value_or(usualWeight(kind)); }
    /// Tables of functions are in the order of totals.
    bool areTotalsFirst() const { return calls == CallsBy::Wall || calls == CallsBy::Cpu; }

private:
    struct {
        std::string by;
        bool mayBeCalls = false;
        bool noInline = false;
    } m_given;
};

/// How call stacks become a tree: all of it but what samples count.
struct TreeOptions {
    CallTreeOptions tree;
    bool isIcicle = false; ///< Of pictures: roots on top.

    void addTo(OptionList& options);
    Status read();

    bool isInverted() const { return tree.shape == CallTreeOptions::Shape::Inverted; }
    bool hasOrder() const { return !m_given.order.empty(); } ///< --order was given.
    /// The tree's options with what samples count.
    CallTreeOptions by(WeightBy by) const;

private:
    struct {
        std::string base = "command", order, callersOf, calleesOf;
        bool isInverted = false;
    } m_given;
};

} // namespace helio
