#pragma once

#include "core/trace/trace.h"
#include "core/xml_analysis/event_pattern.h"
#include "core/xml_analysis/program.h"
#include "core/xml_analysis/reach/shape.h"

#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace helio::xml {

class Reachability;

/// Determines which events an analysis needs in order to show anything.
///
/// If the analysis has views, its recorded events must be able to give a value to one of the views, or to make a segment. Any recorded
/// event suffices in two cases: the analysis has no views, or even all of its events together could not give its views a value.
/// Threads: all methods from any thread at once.
class EventRequirements {
public:
    /// Ownership: all arguments must outlive the object.
    EventRequirements(const Program& program, const std::vector<View>& views, const std::vector<CallStacks>& callStacks);

    /// True if the recorded events of all traces together suffice for the analysis.
    /// Cost: the number of event types times the number of patterns; a few µs more for each new combination of recorded patterns.
    bool areMet(std::span<const Trace* const> traces) const;
    /// Returns the analysis's event patterns that match no event of the traces, as written in the file, without duplicates.
    std::vector<std::string> missing(std::span<const Trace* const> traces) const;

private:
    /// For each pattern, 1 if a recorded event matches it; the additional last element is 1 if there are any events.
    using Recorded = std::vector<char>;
    Recorded recordedIn(std::span<const Trace* const> traces) const;
    bool isRecorded(const EventNames& events, const Recorded& recorded) const;
    bool isAnyRecorded(const Recorded& recorded) const;
    bool isEnough(const Recorded& recorded) const;
    bool canShow(const Reachability& reach) const;

    const Program& m_program;
    std::map<std::string, std::size_t> m_places; ///< Index of each pattern in m_patterns.
    std::vector<std::string> m_patterns; ///< Event patterns of the analysis, in file order.
    std::deque<EventNameFilter> m_filters;
    std::vector<ShownPath> m_shown;
    bool m_hasViews = false;
    bool m_isTooLarge = false; ///< True if the analysis is too large to be examined; then any event suffices.
    mutable std::mutex m_mutex;
    mutable std::map<Recorded, bool> m_known;
};

} // namespace helio::xml
