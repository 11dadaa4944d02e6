#include "core/query/rows/scenarios.h"

#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace helio {
namespace {

/// Value of the attribute "status" of a scenario that has begun and not ended yet.
constexpr std::string_view UnderWay = "1";

/// Tree of the rows of a view in one store.
class AttributeRows {
public:
    AttributeRows(StoreIndex index, const Store& store, std::string_view view)
        : m_index(index)
        , m_tracks(store.tracks())
    {
        for (std::uint32_t i = 0; i < m_tracks.size(); ++i)
            if (m_tracks[i].view == view)
                m_children[m_tracks[i].parent].push_back(TrackId{i});
    }

    const std::vector<TrackId>& children(TrackId of) const
    {
        static const std::vector<TrackId> None;
        const auto found = m_children.find(of);
        return found != m_children.end() ? found->second : None;
    }
    /// Returns the child of the track `of` with the label `name`; NoTrack if no child has this label.
    TrackId child(TrackId of, std::string_view name) const
    {
        const auto& all = children(of);
        const auto found = std::ranges::find_if(all, [&](TrackId it) { return label(it) == name; });
        return found != all.end() ? *found : NoTrack;
    }
    const std::string& label(TrackId track) const { return m_tracks[static_cast<std::size_t>(track)].label; }
    TrackRef ref(TrackId track) const { return {m_index, track}; }

private:
    StoreIndex m_index;
    std::span<const Track> m_tracks;
    std::map<TrackId, std::vector<TrackId>> m_children;
};

struct HeldValue {
    std::string text;
    Timestamp since;
};

std::optional<HeldValue> valueAt(const Timeline& timeline, TrackRef attribute, Timestamp at)
{
    if (!attribute.isValid())
        return {};
    const auto found = intervalAt(timeline, attribute, at);
    if (found.empty())
        return {};
    return HeldValue{valueText(timeline, attribute, found.front().value), found.front().range.begin};
}

class ScenarioReader {
public:
    ScenarioReader(const Timeline& timeline, const AttributeRows& rows, Timestamp at)
        : m_timeline(timeline)
        , m_rows(rows)
        , m_at(at)
    {
    }

    bool isUnderWay(TrackId slot) const
    {
        const auto status = value(slot, "status");
        return status && status->text == UnderWay;
    }

    Scenario read(TrackId slot) const
    {
        Scenario scenario;
        scenario.number = m_rows.label(slot);
        if (const auto state = value(slot, "state")) {
            scenario.state = state->text;
            scenario.since = scenario.started = state->since;
        }
        if (const auto status = value(slot, "status"))
            scenario.started = status->since;
        for (const TrackId child : m_rows.children(slot))
            if (const std::string& name = m_rows.label(child); name == "storedFields")
                addBelow(child, {}, scenario);
            else if (name != "status" && name != "state" && name != "startTime")
                add(child, name, scenario);
        return scenario;
    }

private:
    std::optional<HeldValue> value(TrackId slot, std::string_view name) const
    {
        return valueAt(m_timeline, m_rows.ref(m_rows.child(slot, name)), m_at);
    }
    void add(TrackId attribute, const std::string& name, Scenario& scenario) const
    {
        if (const auto held = valueAt(m_timeline, m_rows.ref(attribute), m_at))
            scenario.fields.emplace_back(name, held->text);
        addBelow(attribute, name, scenario);
    }
    void addBelow(TrackId attribute, const std::string& path, Scenario& scenario) const
    {
        for (const TrackId child : m_rows.children(attribute))
            add(child, path.empty() ? m_rows.label(child) : path + "/" + m_rows.label(child), scenario);
    }

    const Timeline& m_timeline;
    const AttributeRows& m_rows;
    Timestamp m_at;
};

} // namespace

ActiveScenarios scenariosAt(const Timeline& timeline, std::string_view view, Timestamp at, std::size_t most, std::stop_token stop)
{
    ActiveScenarios active;
    if (!viewDescription(timeline, view).isAttributeView)
        return active;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const AttributeRows rows(index, store, view);
        const TrackId root = rows.child(NoTrack, "scenarios");
        if (root == NoTrack)
            return;
        const ScenarioReader reader(timeline, rows, at);
        for (const TrackId machine : rows.children(root))
            for (const TrackId slot : rows.children(machine)) {
                if (stop.stop_requested() || !reader.isUnderWay(slot) || ++active.all > most)
                    continue;
                Scenario& scenario = active.some.emplace_back(reader.read(slot));
                scenario.trace = traceOf(timeline, index);
                scenario.stateMachine = rows.label(machine);
            }
    });
    return active;
}

} // namespace helio
