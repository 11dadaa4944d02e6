#include "core/xml_analysis/reading/program_reader.h"

#include "core/xml_analysis/reading/program_head.h"
#include "core/xml_analysis/reading/rule_reader.h"

#include <algorithm>
#include <map>
#include <set>

namespace helio::xml {
namespace {

/// Id of the state that an initialState element defines. No transition leads to this state.
constexpr const char* InitialState = "initialState";

/// Returns the type with the name `word`; nullopt for "null".
std::optional<Type> typeNamed(std::string_view word)
{
    if (word == "int" || word == "long")
        return word == "int" ? Type::Int : Type::Long;
    if (word == "string" || word == "double")
        return word == "string" ? Type::String : Type::Double;
    return {};
}

/// Maximum number of states; each transition searches the states for the id of its target.
constexpr std::size_t MostStates = 5000;
constexpr std::size_t MostStatesOfAll = 10'000;
/// Maximum number of actions per transition.
constexpr std::size_t MostActions = 100;

class PatternReader {
public:
    PatternReader(Program& program, const Element& pattern, std::vector<Problem>& problems)
        : m_program(program)
        , m_problems(problems)
        , m_rules(program, pattern, problems)
        , m_handler(*pattern.child("patternHandler"))
    {
        for (const Element& child : pattern.children)
            if (child.name == "storedField") {
                const std::string_view alias = child.text("alias").empty() ? child.text("id") : child.text("alias");
                program.storedFields.push_back({m_rules.field(child.text("id")), std::string(alias)});
            }
    }

    void read()
    {
        for (const Element& child : m_handler.children)
            if (child.name == "test")
                readTest(child);
        for (const Element& child : m_handler.children)
            if (child.name == "action")
                readAction(child);
        for (const Element& child : m_handler.children)
            if (child.name == "fsm")
                readFsm(child);
        readInitial();
    }

private:
    void readTest(const Element& element)
    {
        const Element* condition = element.child("if");
        const ConditionIndex index = condition ? m_rules.condition(*condition) : NoIndex;
        if (!m_tests.insert_or_assign(std::string(element.text("id")), index).second)
            addWarning(m_problems, element, "the test " + inQuotes(element.text("id")) + " is defined twice: the last one counts");
    }

    /// Reads an action and the actions inside it. An inner action runs at its position in the outer action, and its id is defined as well.
    /// If an id is defined several times, the last definition before a reference is used.
    ActionIndex readAction(const Element& element)
    {
        Action action{std::string(element.text("id")), {}, element.place};
        for (const Element& child : element.children) {
            if (child.name == "stateChange")
                action.parts.push_back({ActionOperation::Kind::Change, m_rules.change(child)});
            else if (child.name == "segment")
                action.parts.push_back({ActionOperation::Kind::Segment, readSegment(child)});
            else if (child.name == "action")
                action.parts.push_back({ActionOperation::Kind::Action, readAction(child)});
            else
                addWarning(m_problems, child, "it has no effect: machines are started by the attribute \"initial\" of patternHandler");
        }
        const auto index = static_cast<ActionIndex>(m_program.actions.size());
        m_actions.insert_or_assign(action.id, index);
        m_program.actions.push_back(std::move(action));
        return index;
    }

    std::uint32_t readSegment(const Element& element)
    {
        SegmentRule segment;
        segment.place = element.place;
        const Element& type = *element.child("segType");
        if (const Element* name = type.child("segName"))
            segment.name = m_rules.value(name->children.front());
        else if (type.find("segName"))
            segment.name = m_rules.constant(type, Type::String, m_rules.resolve(type.text("segName")));
        else
            addError(m_problems, type, "the segment has no name: segName is missing");
        if (const Element* time = element.child("segTime"))
            for (const Element& child : time->children) {
                ValueIndex& value = child.name == "begin" ? segment.begin : child.name == "end" ? segment.end : segment.duration;
                value = m_rules.value(child.find("type") ? child : child.children.front());
            }
        std::set<std::string_view> names;
        if (const Element* content = element.child("segContent"))
            for (const Element& child : content->children) {
                if (!names.insert(child.text("name")).second)
                    addError(m_problems, child, "another field is named " + inQuotes(child.text("name")) + " in the segment");
                segment.fields.push_back(readSegmentField(child));
            }
        m_program.segments.push_back(std::move(segment));
        return static_cast<std::uint32_t>(m_program.segments.size() - 1);
    }

    SegmentField readSegmentField(const Element& element)
    {
        const std::string_view word = element.text("type");
        const auto type = typeNamed(word);
        SegmentField field{std::string(element.text("name")), NoIndex, type};
        const std::string_view text = element.text("value");
        if (!text.empty() && type)
            field.value = m_rules.constant(element, *type, m_rules.resolve(text));
        else if (!element.children.empty())
            field.value = m_rules.value(element.children.front());
        else
            field.value = m_rules.constant(element, Type::Null, {});
        return field;
    }

    void readFsm(const Element& element)
    {
        Fsm fsm;
        fsm.id = element.text("id");
        fsm.place = element.place;
        fsm.isMultiple = isTrue(element, "multiple", true);
        fsm.isConsuming = isTrue(element, "consuming", true);
        if (std::ranges::find(m_program.fsms, fsm.id, &Fsm::id) != m_program.fsms.end())
            addError(m_problems, element, "the machine " + inQuotes(fsm.id) + " is defined twice");
        if (element.children.size() > MostStates)
            return addError(m_problems, element, "the machine has more than " + std::to_string(MostStates) + " states");
        m_states += element.children.size();
        if (m_states > MostStatesOfAll)
            return addError(m_problems, element, "all together have more than " + std::to_string(MostStatesOfAll) + " states");
        declareStates(element, fsm);
        for (const Element& child : element.children) {
            if (child.name == "precondition")
                fsm.preconditions.push_back(readTransition(child, fsm));
            else if (child.name == "state" || child.name == "initialState")
                readState(child, fsm);
            else if (child.name == "transition")
                addWarning(m_problems, child, "it is outside of a state and has no effect");
        }
        fsm.initial = initialOf(element, fsm);
        if (fsm.states.empty())
            addError(m_problems, element, "the machine has no states");
        m_program.fsms.push_back(std::move(fsm));
    }

    /// Adds all states before their transitions are read, so that a transition may refer to a later state.
    void declareStates(const Element& element, Fsm& fsm)
    {
        for (const Element& child : element.children) {
            if (child.name != "state" && child.name != "final" && child.name != "initialState")
                continue;
            FsmState state;
            state.id = child.name == "initialState" ? InitialState : std::string(child.text("id"));
            state.place = child.place;
            state.isFinal = child.name == "final" || (child.name == "state" && !child.child("transition"));
            if (std::ranges::find(fsm.states, state.id, &FsmState::id) != fsm.states.end())
                addError(m_problems, child, "the state " + inQuotes(state.id) + " is defined twice");
            fsm.states.push_back(std::move(state));
        }
    }

    void readState(const Element& element, Fsm& fsm)
    {
        const std::string id = element.name == "initialState" ? InitialState : std::string(element.text("id"));
        FsmState state = *std::ranges::find(fsm.states, id, &FsmState::id);
        for (const Element& child : element.children) {
            if (child.name == "onentry")
                state.onEntry = actionsIn(child, child.text("action"));
            else if (child.name == "onexit")
                state.onExit = actionsIn(child, child.text("action"));
            else if (child.name == "transition")
                state.transitions.push_back(readTransition(child, fsm));
            else
                addWarning(m_problems, child, "nested states are not supported: it has no effect");
        }
        if (element.find("automatic"))
            addWarning(m_problems, element, "the attribute \"automatic\" has no effect");
        *std::ranges::find(fsm.states, id, &FsmState::id) = std::move(state);
    }

    Transition readTransition(const Element& element, const Fsm& fsm)
    {
        Transition made;
        made.place = element.place;
        const bool isNamed = !element.text("event").empty();
        made.events = isNamed ? m_rules.eventNames(element, m_rules.resolve(element.text("event"))) : m_rules.anyEvent(element);
        for (const std::string_view id : idsIn(element.text("cond")))
            if (const auto test = m_tests.find(id); test == m_tests.end())
                addError(m_problems, element, "there is no test " + inQuotes(id));
            else if (test->second != NoIndex)
                made.conditions.push_back(test->second);
        made.actions = actionsIn(element, element.text("action"));
        if (const std::string* target = element.find("target"); target && !target->empty())
            made.target = stateNamed(element, fsm, *target);
        made.savesFields = isTrue(element, "saveStoredFields");
        made.clearsFields = isTrue(element, "clearStoredFields");
        made.text = std::string(element.text("event").empty() ? "any event" : element.text("event"));
        if (element.find("cond"))
            made.text += " [" + std::string(element.text("cond")) + "]";
        if (made.target != NoIndex)
            made.text += " -> " + fsm.states[made.target].id;
        return made;
    }

    std::uint32_t stateNamed(const Element& element, const Fsm& fsm, std::string_view id)
    {
        const auto found = std::ranges::find(fsm.states, id, &FsmState::id);
        if (found == fsm.states.end() || (found->id == InitialState && element.name == "transition")) {
            addError(m_problems, element, "there is no state " + inQuotes(id) + " in the machine " + inQuotes(fsm.id));
            return NoIndex;
        }
        return static_cast<std::uint32_t>(found - fsm.states.begin());
    }

    std::vector<ActionIndex> actionsIn(const Element& element, std::string_view ids)
    {
        std::vector<ActionIndex> actions;
        if (idsIn(ids).size() > MostActions) {
            addError(m_problems, element, "it has more than " + std::to_string(MostActions) + " actions");
            return actions;
        }
        for (const std::string_view id : idsIn(ids))
            if (const auto found = m_actions.find(id); found != m_actions.end())
                actions.push_back(found->second);
            else
                addError(m_problems, element, "there is no action " + inQuotes(id));
        return actions;
    }

    /// Returns the initial state. It is given by the first of these that exists: the element initialState, the attribute initial, the
    /// element initial, the first state.
    std::uint32_t initialOf(const Element& element, const Fsm& fsm)
    {
        if (element.child("initialState"))
            return stateNamed(element, fsm, InitialState);
        std::uint32_t state = NoIndex;
        if (const std::string* id = element.find("initial"))
            state = stateNamed(element, fsm, *id);
        else if (const Element* initial = element.child("initial"))
            state = stateNamed(initial->children.front(), fsm, initial->children.front().text("target"));
        return state == NoIndex ? 0 : state;
    }

    void readInitial()
    {
        const std::string* initial = m_handler.find("initial");
        if (!initial || initial->empty())
            return;
        for (Fsm& fsm : m_program.fsms)
            fsm.startsAtBegin = false;
        for (const std::string_view id : idsIn(*initial))
            if (const auto found = std::ranges::find(m_program.fsms, id, &Fsm::id); found != m_program.fsms.end())
                found->startsAtBegin = true;
            else
                addError(m_problems, m_handler, "there is no machine " + inQuotes(id));
        for (const Fsm& fsm : m_program.fsms)
            if (!fsm.startsAtBegin)
                m_problems.push_back(
                    {fsm.place, "fsm", "it is never started: the attribute \"initial\" of patternHandler does not name it", true});
    }

    Program& m_program;
    std::vector<Problem>& m_problems;
    RuleReader m_rules;
    const Element& m_handler;
    std::size_t m_states = 0; ///< Number of states of all machines together.
    std::map<std::string, ConditionIndex, std::less<>> m_tests;
    std::map<std::string, ActionIndex, std::less<>> m_actions;
};

} // namespace

void readHead(const Element& element, Program& program)
{
    program.id = element.text("id");
    program.version = integerOf(element, "version");
    program.place = element.place;
    const Element* head = element.child("head");
    if (!head)
        return;
    for (const Element& child : head->children)
        if (child.name == "traceType")
            program.traceTypes.emplace_back(child.text("id"));
        else if (child.name == "label")
            program.label = child.text("value");
        else if (child.name == "viewLabelPrefix")
            program.segmentLabel = child.text("value");
}

Program readStateProvider(const Element& element, std::vector<Problem>& problems)
{
    Program program;
    readHead(element, program);
    RuleReader rules(program, element, problems);
    for (const Element& child : element.children) {
        if (child.name != "eventHandler")
            continue;
        EventHandler handler;
        handler.place = child.place;
        handler.name = child.text("eventName");
        handler.events = rules.eventNames(child, rules.resolve(handler.name));
        for (const Element& change : child.children)
            handler.changes.push_back(rules.change(change));
        program.handlers.push_back(std::move(handler));
    }
    return program;
}

Program readPattern(const Element& element, std::vector<Problem>& problems)
{
    Program program;
    program.isPattern = true;
    readHead(element, program);
    PatternReader(program, element, problems).read();
    return program;
}

} // namespace helio::xml
