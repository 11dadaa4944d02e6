#include "core/xml_analysis/reach/event_requirements.h"

#include "core/xml_analysis/reach/reachability.h"

#include <algorithm>

namespace helio::xml {
namespace {

/// Limits on the size of an analysis. Larger files are not examined; real files do not reach the limits.
constexpr std::size_t MostChanges = 2000;
constexpr std::size_t MostShown = 1000;

template <typename Take> void eachRule(const Program& program, Take take)
{
    for (const EventHandler& handler : program.handlers)
        take(handler.events, true);
    for (const Fsm& fsm : program.fsms) {
        // Events of a precondition are not enough to run the analysis: a precondition has an effect only together with a transition.
        for (const Transition& it : fsm.preconditions)
            take(it.events, false);
        for (const FsmState& state : fsm.states)
            for (const Transition& it : state.transitions)
                take(it.events, true);
    }
}

} // namespace

EventRequirements::EventRequirements(const Program& program, const std::vector<View>& views, const std::vector<CallStacks>& callStacks)
    : m_program(program)
    , m_hasViews(!views.empty() || !callStacks.empty())
    , m_isTooLarge(program.changes.size() + program.conditions.size() > MostChanges)
{
    eachRule(program, [this](const EventNames& events, bool) {
        for (const std::string& pattern : events.patterns)
            if (m_places.try_emplace(pattern, m_patterns.size()).second)
                m_patterns.push_back(pattern);
    });
    for (const std::string& pattern : m_patterns)
        m_filters.emplace_back(std::vector{pattern});
    for (const View& view : views)
        for (ShownAttributes& entry : findShownAttributes(view, program.id))
            std::ranges::move(entry.display, std::back_inserter(m_shown));
    for (const CallStacks& stacks : callStacks)
        std::ranges::move(shownStacks(stacks), std::back_inserter(m_shown));
    m_isTooLarge = m_isTooLarge || m_shown.size() > MostShown;
}

EventRequirements::Recorded EventRequirements::recordedIn(std::span<const Trace* const> traces) const
{
    Recorded recorded(m_patterns.size() + 1);
    for (const Trace* trace : traces) {
        const EventTypeNames names(*trace);
        for (std::size_t i = 0; i < m_filters.size(); ++i)
            recorded[i] = recorded[i] || names.isAnyFitting(m_filters[i]);
        recorded.back() = recorded.back() || trace->eventTypes().size() > 0;
    }
    return recorded;
}

bool EventRequirements::isRecorded(const EventNames& events, const Recorded& recorded) const
{
    return events.patterns.empty()
        ? recorded.back() != 0
        : std::ranges::any_of(events.patterns, [&](const std::string& pattern) { return recorded[m_places.find(pattern)->second] != 0; });
}

bool EventRequirements::isAnyRecorded(const Recorded& recorded) const
{
    bool isAny = false;
    eachRule(m_program, [&](const EventNames& events, bool acts) { isAny = isAny || (acts && isRecorded(events, recorded)); });
    return isAny;
}

bool EventRequirements::canShow(const Reachability& reach) const
{
    if (reach.makesSegments())
        return true;
    if (!m_hasViews)
        return reach.begins();
    return std::ranges::any_of(m_shown, [&](const ShownPath& shown) {
        return std::ranges::any_of(reach.values(), [&](const AttributePattern& shape) { return shown.canMeet(shape); });
    });
}

bool EventRequirements::isEnough(const Recorded& recorded) const
{
    const Reachability reach(m_program, [&](const EventNames& events) { return isRecorded(events, recorded); });
    if (canShow(reach))
        return true;
    const Reachability all(m_program, [](const EventNames&) { return true; });
    return !canShow(all);
}

bool EventRequirements::areMet(std::span<const Trace* const> traces) const
{
    const Recorded recorded = recordedIn(traces);
    if (m_isTooLarge || !isAnyRecorded(recorded))
        return isAnyRecorded(recorded);
    const std::lock_guard lock(m_mutex);
    const auto [known, isNew] = m_known.try_emplace(recorded, true);
    if (isNew)
        known->second = isEnough(recorded);
    return known->second;
}

std::vector<std::string> EventRequirements::missing(std::span<const Trace* const> traces) const
{
    const Recorded recorded = recordedIn(traces);
    std::vector<std::string> all;
    for (std::size_t i = 0; i < m_patterns.size(); ++i)
        if (!recorded[i])
            all.push_back(m_patterns[i]);
    return all;
}

} // namespace helio::xml
