#include "core/xml_analysis/running/pattern_run.h"

#include <algorithm>

namespace helio::xml {
namespace {

/// Cost of storing or clearing one field, in steps of the step budget. The field's attribute is looked up by names.
constexpr std::uint64_t StepsPerField = 8;

} // namespace

/// A state machine and its scenarios.
struct PatternRun::Machine {
    Machine(const Program& program, const Fsm& its, std::uint32_t number, AttributeTree& tree)
        : fsm(its)
        , index(number)
        , active(program, its, tree)
    {
    }

    const Fsm& fsm;
    std::uint32_t index;
    std::unique_ptr<Scenario> pending;
    ScenarioIndex active;
    std::unordered_map<const Scenario*, std::unique_ptr<Scenario>> owned; ///< Owns the active scenarios. Key: address of the scenario.
    std::deque<Quark> freeSlots;
    std::int64_t slots = 0; ///< Number of scenario attributes (`scenarios/MACHINE/N`) created so far.
    std::uint64_t begun = 0;
};

PatternRun::PatternRun(const Program& program, AttributeTree& tree, SegmentReceiver& segments, RunProblems& problems)
    : m_program(program)
    , m_tree(tree)
    , m_segments(segments)
    , m_problems(problems)
    , m_runner(program, tree, problems)
    , m_counts(transitionCount(program))
{
    for (std::uint32_t i = 0; i < program.fsms.size(); ++i)
        m_machines.push_back(std::make_unique<Machine>(program, program.fsms[i], i, tree));
}

PatternRun::~PatternRun() = default;

Quark PatternRun::below(Quark parent, std::string_view name)
{
    return parent == NoQuark ? NoQuark : m_tree.child(parent, m_tree.texts().idOf(name));
}

void PatternRun::start(HostTimestamp at)
{
    for (const auto& machine : m_machines)
        if (machine->fsm.startsAtBegin && !machine->fsm.states.empty())
            beginScenario(*machine, at);
}

void PatternRun::addPending(HostTimestamp at)
{
    m_mayLackPending = false;
    m_runner.effort().take(m_machines.size());
    for (const auto& machine : m_machines)
        if (machine->fsm.isMultiple && machine->begun > 0 && !machine->pending)
            beginScenario(*machine, at);
}

void PatternRun::beginScenario(Machine& machine, HostTimestamp at)
{
    auto scenario = std::make_unique<Scenario>();
    scenario->fsm = machine.index;
    scenario->state = machine.fsm.initial;
    if (machine.freeSlots.empty()) {
        const Quark all = below(below(Root, "scenarios"), machine.fsm.id);
        scenario->slot = all == NoQuark ? NoQuark : m_tree.childNumbered(all, machine.slots++);
    } else {
        scenario->slot = machine.freeSlots.front();
        machine.freeSlots.pop_front();
    }
    if (scenario->slot == NoQuark)
        return m_problems.add(machine.fsm.place, "too many scenarios: no new ones begin");
    ++machine.begun;
    m_now = at;
    write(*scenario, machine.fsm);
    machine.pending = std::move(scenario);
}

void PatternRun::onEvent(const EventView& event, const BoundType& type, const CurrentThreads* threads)
{
    m_runner.begin(event, type, threads);
    m_now = event.time();
    if (m_mayLackPending)
        addPending(m_now);
    for (const auto& machine : m_machines)
        if (m_runner.effort().take() && machine->begun > 0)
            handle(*machine, type.machines[machine->index]);
}

void PatternRun::handle(Machine& machine, const BoundType::Machine& bound)
{
    if (!isOpen(bound))
        return;
    if (machine.pending && !machine.active.hasIn(machine.pending->state))
        countTried(bound.moves[machine.pending->state]);
    bool isTaken = false;
    for (Scenario* scenario : machine.active.candidates(bound, m_runner, m_counts)) {
        isTaken |= step(machine, *scenario, bound.moves[scenario->state]);
        if ((isTaken && machine.fsm.isConsuming) || m_runner.effort().isEnough())
            return;
    }
    if (!machine.pending)
        return;
    Scenario& pending = *machine.pending;
    step(machine, pending, bound.moves[pending.state]);
}

/// Adds the current event to the statistics of `moves`, the transitions of the pending scenario (the scenario that has not taken a
/// transition yet). ScenarioIndex does the same for the transitions of active scenarios.
void PatternRun::countTried(const std::vector<BoundType::Move>& moves)
{
    for (const BoundType::Move& move : moves)
        ++m_counts[move.number].events;
}

bool PatternRun::isOpen(const BoundType::Machine& bound)
{
    if (bound.isOpen)
        return true;
    return std::ranges::any_of(bound.preconditions, [&](const BoundType::Move& move) {
        if (!m_runner.effort().take())
            return false;
        m_place = move.transition->place;
        RuleStatistics& count = m_counts[move.number];
        m_runner.countFor(count);
        ++count.events;
        const bool isMet = areMet(*move.transition, nullptr);
        if (isMet)
            count.fire(m_now);
        return isMet;
    });
}

bool PatternRun::areMet(const Transition& transition, Scenario* scenario)
{
    return std::ranges::all_of(transition.conditions, [&](ConditionIndex condition) { return m_runner.holds(condition, scenario); });
}

/// Takes the first transition whose conditions are true. Returns false if there is no such transition.
bool PatternRun::step(Machine& machine, Scenario& scenario, const std::vector<BoundType::Move>& moves)
{
    for (const BoundType::Move& move : moves) {
        if (!m_runner.effort().take())
            return false;
        m_place = move.transition->place;
        RuleStatistics& count = m_counts[move.number];
        m_runner.countFor(count);
        if (!areMet(*move.transition, &scenario))
            continue;
        count.fire(m_now);
        fire(machine, scenario, *move.transition);
        return true;
    }
    return false;
}

void PatternRun::fire(Machine& machine, Scenario& scenario, const Transition& transition)
{
    const FsmState& from = machine.fsm.states[scenario.state];
    const std::uint32_t target = transition.target == NoIndex ? scenario.state : transition.target;
    const FsmState& to = machine.fsm.states[target];
    const bool wasPending = scenario.status == Scenario::Status::Pending;
    if (wasPending)
        scenario.start = m_now;
    runActions(from.onExit, scenario);
    runActions(transition.actions, scenario);
    if (transition.savesFields)
        saveFields(scenario);
    if (transition.clearsFields)
        clearFields(scenario);
    runActions(to.onEntry, scenario);
    if (!wasPending)
        machine.active.remove(scenario);
    scenario.state = target;
    if (wasPending) {
        scenario.status = Scenario::Status::InProgress;
        setOwn(scenario, "status", Value::ofInt(1));
        setOwn(scenario, "startTime", Value::ofLong(nanoseconds(m_now)));
        m_mayLackPending |= machine.fsm.isMultiple;
        machine.owned.emplace(&scenario, std::move(machine.pending));
        scenario.order = m_order++;
    }
    if (to.isFinal)
        return end(machine, scenario);
    write(scenario, machine.fsm);
    machine.active.add(scenario);
}

void PatternRun::setOwn(const Scenario& scenario, std::string_view name, const Value& value)
{
    if (const Quark attribute = below(scenario.slot, name); attribute != NoQuark)
        m_tree.set(m_now, attribute, value);
}

/// Ends a scenario that has matched: sets all its attributes to null, except its status and final state.
void PatternRun::end(Machine& machine, Scenario& scenario)
{
    scenario.status = Scenario::Status::Matched;
    m_tree.remove(m_now, scenario.slot);
    for (const auto& [base, number] : scenario.pools)
        m_runner.pools().giveBack(m_now, base, number);
    write(scenario, machine.fsm);
    machine.freeSlots.push_back(scenario.slot);
    machine.owned.erase(&scenario);
}

/// Writes the scenario's status and state to the attribute tree.
void PatternRun::write(const Scenario& scenario, const Fsm& fsm)
{
    Texts& texts = m_tree.texts();
    const Quark status = below(scenario.slot, "status");
    const Quark state = below(scenario.slot, "state");
    const std::string& id = fsm.states[scenario.state].id;
    const Quark start = below(below(state, id), "startTime");
    if (status == NoQuark || start == NoQuark)
        return;
    const Value name = Value::ofText(texts.idOf(std::string_view(id)));
    if (!(m_tree.value(state) == name))
        m_tree.set(m_now, start, Value::ofLong(nanoseconds(m_now)));
    m_tree.set(m_now, state, name);
    m_tree.set(m_now, status, Value::ofInt(static_cast<std::int32_t>(scenario.status)));
}

void PatternRun::onChange(Quark attribute)
{
    m_runner.effort().take(m_machines.size());
    for (const auto& machine : m_machines)
        machine->active.onChange(attribute);
}

void PatternRun::runActions(const std::vector<ActionIndex>& actions, Scenario& scenario)
{
    for (const ActionIndex action : actions)
        runAction(action, scenario);
}

void PatternRun::runAction(ActionIndex index, Scenario& scenario)
{
    for (const ActionOperation& part : m_program.actions[index].parts) {
        if (!m_runner.effort().take())
            return;
        if (part.kind == ActionOperation::Kind::Change)
            m_runner.change(part.index, &scenario);
        else if (part.kind == ActionOperation::Kind::Segment)
            makeSegment(m_program.segments[part.index], scenario);
        else
            runAction(part.index, scenario);
    }
}

Quark PatternRun::storedField(const Scenario& scenario, const StoredField& field)
{
    return below(below(scenario.slot, "storedFields"), field.alias);
}

/// Stores the values of the stored fields that the event has.
void PatternRun::saveFields(Scenario& scenario)
{
    m_runner.effort().take(StepsPerField * m_program.storedFields.size());
    for (const StoredField& field : m_program.storedFields) {
        const Value value = m_runner.field(field.field);
        if (const Quark attribute = value.isNull() ? NoQuark : storedField(scenario, field); attribute != NoQuark)
            m_tree.set(m_now, attribute, value);
    }
}

void PatternRun::clearFields(Scenario& scenario)
{
    m_runner.effort().take(StepsPerField * m_program.storedFields.size());
    for (const StoredField& field : m_program.storedFields)
        if (const Quark attribute = storedField(scenario, field); attribute != NoQuark)
            m_tree.set(m_now, attribute, {});
}

/// Returns the value as a time; `fallback` if the value is null.
HostTimestamp PatternRun::timeOr(ValueIndex index, Scenario& scenario, HostTimestamp fallback)
{
    if (index == NoIndex)
        return fallback;
    const Value value = m_runner.forced(m_runner.foundValue(index, &scenario), Type::Long, m_program.values[index].place);
    return value.isNull() ? fallback : hostTime(value.integer());
}

void PatternRun::makeSegment(const SegmentRule& rule, Scenario& scenario)
{
    PatternSegment made;
    const Value name = m_runner.value(rule.name, &scenario);
    const std::string text = m_tree.texts().printed(name);
    made.name = text;
    made.begin = timeOr(rule.begin, scenario, scenario.start);
    made.end = timeOr(rule.end, scenario, m_now);
    if (rule.duration != NoIndex) {
        std::int64_t end = 0;
        const HostTimestamp length = timeOr(rule.duration, scenario, HostTimestamp::min());
        const bool overflows = __builtin_add_overflow(nanoseconds(made.begin), nanoseconds(length), &end);
        made.end = length == HostTimestamp::min() || overflows ? m_now : hostTime(end);
    }
    if (made.end < made.begin)
        made.end = m_now;
    if (made.end < made.begin) {
        m_problems.add(rule.place, "a segment would end before it begins: its duration is 0");
        made.end = made.begin;
    }
    m_runner.effort().take(rule.fields.size());
    for (const SegmentField& field : rule.fields) {
        const Value value = m_runner.foundValue(field.value, &scenario);
        const Value turned = field.type ? m_runner.forced(value, *field.type, rule.place) : Value();
        if (!turned.isNull())
            made.fields.emplace_back(&field.name, turned);
    }
    m_segments.take(made);
}

} // namespace helio::xml
