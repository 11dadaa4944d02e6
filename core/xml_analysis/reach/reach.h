#pragma once

#include "core/xml_analysis/program.h"
#include "core/xml_analysis/reach/shape.h"

#include <functional>
#include <set>
#include <vector>

namespace helio::xml {

/// All that the changes of a program may set, whatever the events; what the machines note of their scenarios themselves is part of it.
std::vector<Shape> writtenBy(const Program& program);

/// What can come of a program where only some events are recorded. What is not certain to be impossible counts as possible: conditions
/// mostly hold, fields are mostly there. Cost: some µs, for the largest files ms.
class Reach {
public:
    /// `isRecorded`: whether any event of those names is. The program outlives it.
    Reach(const Program& program, const std::function<bool(const EventNames&)>& isRecorded);

    /// The attributes that can get a value.
    const std::vector<Shape>& values() const { return m_values; }
    bool makesSegments() const { return m_makesSegments; }
    /// Whether a handler, or a scenario's first transition, can run.
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
    std::vector<const EventHandler*> m_handlers; ///< That run.
    std::vector<Move> m_moves; ///< That may be taken.
    std::set<const FsmState*> m_reached;
    std::vector<char> m_isWritten; ///< By change.
    std::vector<char> m_isDone; ///< By action, in this round.
    std::vector<Shape> m_values;
    bool m_makesSegments = false;
    bool m_begins = false;
    bool m_hasGrown = false;
};

} // namespace helio::xml
