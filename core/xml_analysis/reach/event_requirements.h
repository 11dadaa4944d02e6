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

/// Tells which events an analysis needs in order to show anything.
///
/// If the analysis has views, its events must be able to give a value to one of them, or to make a segment. Any of its events is enough if
/// it has no views, or if all of its events together could not give its views a value.
/// Threads: all methods from any thread at once.
class EventRequirements {
public:
    /// Ownership: all arguments outlive the object.
    EventRequirements(const Program& program, const std::vector<View>& views, const std::vector<CallStacks>& callStacks);

    /// True if the events of all traces together are sufficient for the analysis.
    /// Cost: the number of event types times the number of patterns; a few µs more for each set of recorded patterns that was not examined
    /// before.
    bool areMet(std::span<const Trace* const> traces) const;
    /// Returns the analysis's patterns that fit no event of the traces, as they are written, each once.
    std::vector<std::string> missing(std::span<const Trace* const> traces) const;

private:
    using Recorded = std::vector<char>; ///< Indexed by pattern: 1 if an event fits. Last element: 1 if there are any events.
    Recorded recordedIn(std::span<const Trace* const> traces) const;
    bool isRecorded(const EventNames& events, const Recorded& recorded) const;
    bool isAnyRecorded(const Recorded& recorded) const;
    bool isEnough(const Recorded& recorded) const;
    bool canShow(const Reachability& reach) const;

    const Program& m_program;
    std::map<std::string, std::size_t> m_places; ///< Index into m_patterns, by pattern.
    std::vector<std::string> m_patterns; ///< In file order.
    std::deque<EventNameFilter> m_filters;
    std::vector<ShownPath> m_shown;
    bool m_hasViews = false;
    bool m_isTooLarge = false; ///< True if the analysis is too large to examine: any event is enough then.
    mutable std::mutex m_mutex;
    mutable std::map<Recorded, bool> m_known;
};

} // namespace helio::xml
