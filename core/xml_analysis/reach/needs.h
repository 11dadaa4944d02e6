#pragma once

#include "core/trace/trace.h"
#include "core/xml_analysis/event_pattern.h"
#include "core/xml_analysis/program.h"
#include "core/xml_analysis/reach/shown.h"

#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace helio::xml {

class Reach;

/// Which events an analysis needs, so that it can show anything.
///
/// Where it has views, one of them (or a segment) has to be able to get something; an analysis whose views could not get anything from all
/// of its events is not held to that, nor is one without views: any of its events is enough then.
/// Threads: all methods from any thread at once.
class Needs {
public:
    /// All of them outlive it.
    Needs(const Program& program, const std::vector<View>& views, const std::vector<CallStacks>& callStacks);

    /// Whether the traces together have what it needs. Cost: as the types of events there are, times its patterns; some µs more for each
    /// set of patterns that was not asked for before.
    bool areMet(std::span<const Trace* const> traces) const;
    /// Its patterns that no event of the traces fits, as they are written, once each.
    std::vector<std::string> missing(std::span<const Trace* const> traces) const;

private:
    using Recorded = std::vector<char>; ///< By pattern; the last: there are events at all.
    Recorded recordedIn(std::span<const Trace* const> traces) const;
    bool isRecorded(const EventNames& events, const Recorded& recorded) const;
    bool isAnyRecorded(const Recorded& recorded) const;
    bool isEnough(const Recorded& recorded) const;
    bool canShow(const Reach& reach) const;

    const Program& m_program;
    std::map<std::string, std::size_t> m_places; ///< Of the patterns.
    std::vector<std::string> m_patterns; ///< In the order of the file.
    std::deque<EventNameFilter> m_filters;
    std::vector<ShownPath> m_shown;
    bool m_hasViews = false;
    bool m_isTooLarge = false; ///< Any event is enough.
    mutable std::mutex m_mutex;
    mutable std::map<Recorded, bool> m_known;
};

} // namespace helio::xml
