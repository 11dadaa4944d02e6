#pragma once

#include "core/xml_analysis/program.h"
#include "core/xml_analysis/reach/shape.h"

#include <functional>
#include <set>
#include <vector>

namespace helio::xml {

/// Returns patterns of all attributes that the program may set, whatever events occur. Includes the attributes that state machines set for
/// their scenarios.
std::vector<AttributePattern> computeWrittenPatterns(const Program& program);

/// Estimates what a program can produce if only some event types are recorded. It excludes only what is certainly impossible: most
/// conditions are assumed to be true, and most fields to exist.
/// Cost: a few µs; a few ms for the largest files.
class Reachability {
public:
    /// `isRecorded` returns true if an event with one of the names is recorded.
    /// Ownership: the program must outlive the object.
    Reachability(const Program& program, const std::function<bool(const EventNames&)>& isRecorded);

    /// Patterns of the attributes that can get a value.
    const std::vector<AttributePattern>& values() const { return m_values; }
    bool makesSegments() const { return m_makesSegments; }
    /// True if a handler, or the first transition of a scenario, can be executed.
    bool begins() const { return m_begins; }

private:
    struct Move {
        const Transition* transition;
        const FsmState* from;
        const FsmState* to;
    };

    void addMoves(const std::function<bool(const EventNames&)>& isRecorded);
    bool isOpen(const Fsm& fsm, const std::function<bool(const EventNames&)>& isRecorded) const;
    void goOn();
    void take(const Move& move);
    void act(const std::vector<ActionIndex>& actions);
    void act(ActionIndex action);
    void change(ChangeIndex index);
    bool write(const Change& change);
    bool canLead(PathIndex path) const;
    bool canHave(PathIndex path) const;
    bool canBeSomething(ValueIndex value) const;
    bool mayHold(ConditionIndex condition) const;
    bool areNeverEqual(ValueIndex null, ValueIndex other) const;

    const Program& m_program;
    std::vector<const EventHandler*> m_handlers; ///< Handlers of recorded events.
    std::vector<Move> m_moves; ///< Transitions at recorded events.
    std::set<const FsmState*> m_reached;
    std::vector<char> m_isWritten; ///< For each change, 1 if it can set its attribute.
    std::vector<char> m_isDone; ///< For each action, 1 if it was already examined in the current round.
    std::vector<AttributePattern> m_values;
    bool m_makesSegments = false;
    bool m_begins = false;
    bool m_hasGrown = false;
};

} // namespace helio::xml
