#pragma once

#include "core/xml_analysis/running/rule_runner.h"

#include <string>
#include <vector>

namespace helio::xml {

/// A segment of a pattern, as it comes out.
struct MadeSegment {
    HostTimestamp begin;
    HostTimestamp end;
    std::string_view name;
    /// What it contains, as names and values in order; texts are those of the run's Texts.
    std::vector<std::pair<const std::string*, Value>> fields;
};

class SegmentTaker {
public:
    virtual ~SegmentTaker() = default;
    virtual void take(const MadeSegment& segment) = 0;
};

/// A state provider or pattern at work. One thread.
class ProgramRun {
public:
    virtual ~ProgramRun() = default;

    /// The first event of all, of whatever type, before it is handed over.
    virtual void start(HostTimestamp at) = 0;
    /// Whether it takes the next event whatever its type.
    virtual bool takesNext() const { return false; }
    virtual void onEvent(const EventView& event, const BoundType& type, const CurrentThreads* threads) = 0;
    /// An event that it has no rules for, where takesNext().
    virtual void onOther(HostTimestamp) { }
    /// An attribute got another value.
    virtual void onChange(Quark) { }
    virtual void finish(HostTimestamp at) = 0;

    /// How its rules fared: of a provider its handlers, of a pattern the transitions as BoundType::Move counts them.
    virtual const std::vector<RuleCount>& counts() const = 0;
    /// When that rule fires is kept from now on, so many times at most. Nothing where there is no such rule.
    virtual void keepTimes(std::size_t rule, std::size_t most) = 0;
    /// Where the rule stands that it is at, or was at last.
    Place place() const { return m_place; }

protected:
    static void keepTimes(std::vector<RuleCount>& counts, std::size_t rule, std::size_t most)
    {
        if (rule < counts.size())
            counts[rule].mostTimes = most;
    }

    Place m_place;
};

class ProviderRun final : public ProgramRun {
public:
    /// All of them outlive it.
    ProviderRun(const Program& program, AttributeTree& tree, RunProblems& problems)
        : m_program(program)
        , m_runner(program, tree, problems)
        , m_counts(program.handlers.size())
    {
    }

    void start(HostTimestamp) override { }
    void onEvent(const EventView& event, const BoundType& type, const CurrentThreads* threads) override;
    void finish(HostTimestamp at) override { m_runner.runScheduled(at); }
    const std::vector<RuleCount>& counts() const override { return m_counts; }
    void keepTimes(std::size_t rule, std::size_t most) override { ProgramRun::keepTimes(m_counts, rule, most); }

private:
    const Program& m_program;
    RuleRunner m_runner;
    std::vector<RuleCount> m_counts;
};

} // namespace helio::xml
