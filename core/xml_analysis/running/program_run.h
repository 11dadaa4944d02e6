#pragma once

#include "core/xml_analysis/running/rule_runner.h"

#include <string>
#include <vector>

namespace helio::xml {

/// A segment that a pattern creates.
struct PatternSegment {
    HostTimestamp begin;
    HostTimestamp end;
    std::string_view name;
    /// Names and values of the segment's fields, in order. Texts are ids in the analysis's Texts.
    std::vector<std::pair<const std::string*, Value>> fields;
};

class SegmentReceiver {
public:
    virtual ~SegmentReceiver() = default;
    virtual void take(const PatternSegment& segment) = 0;
};

/// Base class of ProviderRun and PatternRun, which execute a state provider or a pattern on the events of traces.
/// Threads: to be used by one thread.
class ProgramRun {
public:
    virtual ~ProgramRun() = default;

    /// Must be called before the first event is processed, whatever the type of that event.
    virtual void start(HostTimestamp at) = 0;
    /// True if the run must be told about the next event even if no rule applies to the event; the caller then calls onUnmatchedEvent().
    virtual bool wantsNextEvent() const { return false; }
    virtual void onEvent(const EventView& event, const BoundType& type, const CurrentThreads* threads) = 0;
    /// Processes an event to which no rule applies. The caller must call this function if wantsNextEvent() is true; otherwise, it may leave
    /// it out.
    virtual void onUnmatchedEvent(HostTimestamp) { }
    /// Must be called when the value of an attribute changes.
    virtual void onChange(Quark) { }
    virtual void finish(HostTimestamp at) = 0;

    /// Returns the statistics of all rules. Index: number of the handler for a state provider, BoundType::Move::number for a pattern.
    virtual const std::vector<RuleStatistics>& counts() const = 0;
    /// Starts recording the times at which a rule fires, at most `most` times. An invalid index is ignored.
    virtual void keepTimes(std::size_t rule, std::size_t most) = 0;
    /// Returns the position in the file of the rule that is running or ran last.
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
    /// Makes a run of a state provider.
    /// Ownership: all arguments must outlive the object.
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
