#include "core/analyses/calls/instant_rows.h"

#include <algorithm>
#include <limits>

namespace helio::calls {
namespace {

const StateSet States{"instants",
                      {{"instant",
                        StateCategory::None,
                        {"mark.bookmark", "Instant", "instant", 16, BarPattern::Plain, 0, 0,
                         StateFlag::Labelled | StateFlag::NamedByValue | StateFlag::AlwaysVisible, "Instant"}}},
                      "Instants"};

} // namespace

TrackId InstantRows::add(HostTimestamp at, TrackId owner, std::string_view name)
{
    const auto [found, isNew] = m_rows.try_emplace(static_cast<std::uint32_t>(owner));
    InstantRow& it = found->second;
    if (isNew)
        it.row = addRow(owner);
    const HostTimestamp from = std::max(at, it.end);
    it.end = from + Duration(1);
    m_sink.beginInterval(from, it.row, State{}, static_cast<std::uint32_t>(m_sink.string(name)));
    m_sink.end(it.end, it.row);
    return it.row;
}

TrackId InstantRows::addRow(TrackId owner)
{
    if (!m_hasStates)
        m_states = *m_sink.stateSet(States);
    m_hasStates = true;
    Track row;
    row.view = "call-stack";
    row.kind = "instants";
    row.key = "instants";
    row.label = owner == NoTrack ? "Global instants" : "Instants";
    row.parent = owner;
    row.states = m_states;
    row.valueKind = ValueKind::Text;
    row.sortKey = std::numeric_limits<std::int32_t>::min();
    if (owner != NoTrack) {
        const Track& of = m_sink.track(owner);
        row.key = of.key + "/instants";
        row.pid = of.pid;
        row.tid = of.tid;
    }
    return m_sink.addTrack(std::move(row));
}

} // namespace helio::calls
