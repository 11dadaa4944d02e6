#pragma once

#include "core/xml_analysis/running/rule_runner.h"

#include <string>
#include <vector>

namespace helio::xml {

/// A segment that a pattern has made.
struct PatternSegment {
    HostTimestamp begin;
    HostTimestamp end;
    std::string_view name;
    /// Names and values of the segment's fields, in order; texts belong to the run's Texts.
    std::vector<std::pair<const std::string*, Value>> fields;
};

class SegmentReceiver {
public:
    virtual ~SegmentReceiver() = default;
    virtual void take(const PatternSegment& segment) = 0;
};

/// Runs a state provider or a pattern.
/// Threads: to be used by one thread.
class ProgramRun {
public:
    virtual ~ProgramRun() = default;

    /// Call it before the first event is passed on, whatever that event's type is.
    virtual void start(HostTimestamp at) = 0;
    /// True if the run wants the next event, whatever its type is.
    virtual bool wantsNextEvent() const { return false; }
    virtual void onEvent(const EventView& event, const BoundType& type, const CurrentThreads* threads) = 0;
    /// Takes an event for which there are no rules. Call it if wantsNextEvent().
    virtual void onUnmatchedEvent(HostTimestamp) { }
    /// Call it when an attribute gets another value.
    virtual void onChange(Quark) { }
    virtual void finish(HostTimestamp at) = 0;

    /// Statistics of the rules: of a provider by handler, of a pattern by BoundType::Move::number.
    virtual const std::vector<RuleStatistics>& counts() const = 0;
    /// Records from now on the times at which a rule fires, at most `most` of them. An invalid index has no effect.
    virtual void keepTimes(std::size_t rule, std::size_t most) = 0;
    /// Returns the place of the rule that runs, or ran last.
    SourcePosition place() const { return m_place; }

protected:
    static void keepTimes(std::vector<RuleStatistics>& counts, std::size_t rule, std::size_t most)
    {
        if (rule < counts.size())
            counts[rule].mostTimes = most;
    }

    SourcePosition m_place;
};

class ProviderRun final : public ProgramRun {
public:
    /// Ownership: all arguments outlive the object.
    ProviderRun(const Program& program, AttributeTree& tree, RunProblems& problems)
        : m_program(program)
        , m_runner(program, tree, problems)
        , m_counts(program.handlers.size())
    {
    }

    void start(HostTimestamp) override { }
    void onEvent(const EventView& event, const BoundType& type, const CurrentThreads* threads) override;
    void finish(HostTimestamp at) override { m_runner.runScheduled(at); }
    const std::vector<RuleStatistics>& counts() const override { return m_counts; }
    void keepTimes(std::size_t rule, std::size_t most) override { ProgramRun::keepTimes(m_counts, rule, most); }

private:
    const Program& m_program;
    RuleRunner m_runner;
    std::vector<RuleStatistics> m_counts;
};

} // namespace helio::xml
