#pragma once

#include "core/correlation/correlator.h"
#include "core/experiment/timeline.h"

#include <functional>
#include <string>
#include <vector>

namespace helio::test {

/// A correlator for tests: it returns the result of the function `find` and counts the calls of `find`.
class MadeRelation : public Correlator {
public:
    using Find = std::function<Result<Correlation>(const Timeline&, const CorrelatorRequest&, const std::stop_token&)>;

    MadeRelation(std::string name, When time, Find find)
        : m_name(std::move(name))
        , m_when(time)
        , m_find(std::move(find))
    {
    }

    bool applies = true;
    std::vector<TrackView> panels;
    mutable std::atomic<int> made{0}; ///< Number of times that the correlator's result was computed.

    std::string_view id() const override { return m_name; }
    When when() const override { return m_when; }
    std::span<const TrackView> views() const override { return panels; }
    bool appliesTo(const Timeline&) const override { return applies; }
    Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest& question, std::stop_token stop) const override
    {
        ++made;
        return m_find(timeline, question, stop);
    }

private:
    std::string m_name;
    When m_when;
    Find m_find;
};

/// Returns the kinds of links for a test's correlator. Only the kind "packet" has an id and a title.
inline std::vector<LinkKindInfo> packetKinds()
{
    std::vector<LinkKindInfo> kinds(std::size_t(LinkKind::Packet) + 1);
    kinds.back().id = "packet";
    kinds.back().title = "Packet";
    return kinds;
}

} // namespace helio::test
