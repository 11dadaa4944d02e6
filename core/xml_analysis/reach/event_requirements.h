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
/// The recorded events suffice if they can make a segment or give a value to an attribute that a view shows. Without views, they suffice if
/// they can execute a handler or begin a scenario. If even all events of the analysis together cannot meet this condition, one recorded
/// event of the analysis is enough.
/// Threads: all methods from any thread at once.
class EventRequirements {
public:
    /// Ownership: all arguments must outlive the object.
    EventRequirements(const Program& program, const std::vector<View>& views, const std::vector<CallStacks>& callStacks);

    /// True if the events that were recorded in all traces together are enough for the analysis.
    /// Cost: the number of event types times the number of the analysis's event names; a few µs more for each new combination of recorded
    /// events.
    bool areMet(std::span<const Trace* const> traces) const;
    /// Returns the analysis's event patterns that match no event of the traces, as written in the file, without duplicates.
    std::vector<std::string> missing(std::span<const Trace* const> traces) const;

private:
    /// Flags for the event name patterns in m_patterns: element i is 1 if a recorded event matches pattern i, else 0. One more element at
    /// the end is 1 if the traces have any events.
    using Recorded = std::vector<char>;
    Recorded recordedIn(std::span<const Trace* const> traces) const;
    bool isRecorded(const EventNames& events, const Recorded& recorded) const;
    bool isAnyRecorded(const Recorded& recorded) const;
    bool isEnough(const Recorded& recorded) const;
    bool canShow(const Reachability& reach) const;

    const Program& m_program;
    std::map<std::string, std::size_t> m_places; ///< Index in m_patterns of each event name pattern.
    std::vector<std::string> m_patterns; ///< Event patterns of the analysis, in file order.
    std::deque<EventNameFilter> m_filters;
    std::vector<ShownPath> m_shown;
    bool m_hasViews = false;
    /// True if the analysis is too large to be examined. areMet() then requires only one recorded event of the analysis.
    bool m_isTooLarge = false;
    mutable std::mutex m_mutex;
    mutable std::map<Recorded, bool> m_known;
};

} // namespace helio::xml
