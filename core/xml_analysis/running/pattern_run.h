#pragma once

#include "core/xml_analysis/running/program_run.h"
#include "core/xml_analysis/running/scenario_index.h"

#include <deque>
#include <memory>
#include <vector>

namespace helio::xml {

/// Runs a pattern: several state machines, each with any number of scenarios.
///
/// The attribute tree has an attribute `scenarios/MACHINE/N` for each scenario. It contains the scenario's status (0 pending, 1 in
/// progress, 2 matched), its state, the time at which it entered each state (state/ID/startTime), its startTime and its storedFields.
///
/// At most one scenario per machine waits for its first transition; another scenario is created at the event after that transition. When a
/// scenario has matched, its number N becomes free. Free numbers are reused in the order in which they became free.
class PatternRun final : public ProgramRun {
public:
    /// Ownership: all arguments must outlive the object.
    PatternRun(const Program& program, AttributeTree& tree, SegmentReceiver& segments, RunProblems& problems);
    ~PatternRun() override;

    void start(HostTimestamp at) override;
    bool wantsNextEvent() const override { return m_mayLackPending; }
    void onEvent(const EventView& event, const BoundType& type, const CurrentThreads* threads) override;
    void onUnmatchedEvent(HostTimestamp at) override { addPending(at); }
    void onChange(Quark attribute) override;
    void finish(HostTimestamp at) override { m_runner.runScheduled(at); }
    const std::vector<RuleStatistics>& counts() const override { return m_counts; }
    void keepTimes(std::size_t rule, std::size_t most) override { ProgramRun::keepTimes(m_counts, rule, most); }

private:
    struct Machine;

    void addPending(HostTimestamp at);
    void beginScenario(Machine& machine, HostTimestamp at);
    void handle(Machine& machine, const BoundType::Machine& bound);
    void countTried(const std::vector<BoundType::Move>& moves);
    bool isOpen(const BoundType::Machine& bound);
    bool step(Machine& machine, Scenario& scenario, const std::vector<BoundType::Move>& moves);
    bool areMet(const Transition& transition, Scenario* scenario);
    void fire(Machine& machine, Scenario& scenario, const Transition& transition);
    void runActions(const std::vector<ActionIndex>& actions, Scenario& scenario);
    void runAction(ActionIndex index, Scenario& scenario);
    void saveFields(Scenario& scenario);
    void clearFields(Scenario& scenario);
    Quark storedField(const Scenario& scenario, const StoredField& field);
    void makeSegment(const SegmentRule& rule, Scenario& scenario);
    HostTimestamp timeOr(ValueIndex index, Scenario& scenario, HostTimestamp fallback);
    void setOwn(const Scenario& scenario, std::string_view name, const Value& value);
    void write(const Scenario& scenario, const Fsm& fsm);
    void end(Machine& machine, Scenario& scenario);
    Quark below(Quark parent, std::string_view name);

    const Program& m_program;
    AttributeTree& m_tree;
    SegmentReceiver& m_segments;
    RunProblems& m_problems;
    RuleRunner m_runner;
    std::vector<std::unique_ptr<Machine>> m_machines;
    std::vector<RuleStatistics> m_counts;
    std::uint64_t m_order = 0;
    /// True if a state machine that allows several scenarios may lack a pending scenario: a scenario that has not taken a transition yet.
    /// In this case, addPending() adds the scenario at the next event.
    bool m_mayLackPending = false;
    HostTimestamp m_now;
};

} // namespace helio::xml
