#include "core/sql/table_functions/flow_functions.h"

#include "core/sql/engine/call_table.h"
#include "core/sql/model/flows.h"
#include "core/sql/tables/slice_columns.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace helio::sql {
namespace {

/// A flow with the ids of the slices at its ends.
struct ConnectedFlow {
    std::optional<std::int64_t> sliceOut;
    std::optional<std::int64_t> sliceIn;
};

/// Follows flows from slice to slice, breadth first.
class FlowSearch {
public:
    FlowSearch(const Recording& recording, const Flows& flows, std::stop_token stop)
        : m_slices(*recording.slices)
        , m_flows(flows)
        , m_end(rangeOfSlices(recording).end)
        , m_stop(std::move(stop))
    {
    }

    std::vector<ConnectedFlow> find(std::int64_t start, FlowDirection direction)
    {
        const bool includesRelatives = direction != FlowDirection::Both;
        if (direction != FlowDirection::Preceding)
            follow(start, true, includesRelatives);
        if (direction != FlowDirection::Following)
            follow(start, false, includesRelatives);
        return std::move(m_found);
    }

private:
    /// Finds the flows that lead on from a slice, forward or backward. With `includesRelatives`, also the flows of the slices that it
    /// contains (forward), or that contain it (backward).
    void follow(std::int64_t start, bool isForward, bool includesRelatives)
    {
        m_known = {start};
        m_next = {start};
        m_entered.clear();
        for (; !m_next.empty() && !m_stop.stop_requested(); m_next.pop_front()) {
            const auto slice = m_slices.find(m_next.front());
            if (!slice)
                continue;
            if (isForward) {
                takeFlowsFrom(*slice, includesRelatives);
                continue;
            }
            takeFlowsTo(*slice);
            if (includesRelatives)
                for (const SliceRow& ancestor : m_slices.ancestorsOf(*slice))
                    takeFlowsTo(ancestor);
        }
    }

    void takeFlowsFrom(const SliceRow& slice, bool includesContained)
    {
        const std::int64_t id = m_slices.idOf(slice);
        const auto isMeant = [&](std::int64_t out) {
            const auto contained = includesContained && out != id ? m_slices.find(out) : std::nullopt;
            return out == id || (contained && m_slices.isDescendant(*contained, slice));
        };
        for (const TrackRef row : includesContained ? m_flows.rowsOfThread(slice) : std::vector{m_slices.rowOf(slice)})
            for (const std::uint32_t flow : m_flows.flowsFrom(row, {slice.ts, endOf(slice)}, m_stop))
                if (const auto out = m_flows.sliceAt(row, m_flows.ends(flow).fromTime); out && isMeant(*out))
                    take(flow, {out, m_flows.sliceAt(m_flows.ends(flow).to, m_flows.ends(flow).toTime)}, true);
    }

    /// Finds the flows to a slice, unless they were found before, because the slice contains several slices that flows come from.
    void takeFlowsTo(const SliceRow& slice)
    {
        const std::int64_t id = m_slices.idOf(slice);
        const TrackRef row = m_slices.rowOf(slice);
        if (!m_entered.insert(id).second)
            return;
        for (const std::uint32_t flow : m_flows.flowsTo(row, {slice.ts, endOf(slice)}, m_stop))
            if (m_flows.sliceAt(row, m_flows.ends(flow).toTime) == id)
                take(flow, {m_flows.sliceAt(m_flows.ends(flow).from, m_flows.ends(flow).fromTime), id}, false);
    }

    void take(std::uint32_t number, const ConnectedFlow& flow, bool isForward)
    {
        if (m_taken.insert(number).second)
            m_found.push_back(flow);
        if (const auto reached = isForward ? flow.sliceIn : flow.sliceOut; reached && m_known.insert(*reached).second)
            m_next.push_back(*reached);
    }

    /// Returns the end of the times at which flows of a slice may be.
    Timestamp endOf(const SliceRow& slice) const { return slice.end ? *slice.end + Duration(1) : m_end; }

    const Slices& m_slices;
    const Flows& m_flows;
    const Timestamp m_end;
    std::stop_token m_stop;
    std::unordered_set<std::int64_t> m_known; ///< Slices that were in m_next.
    std::deque<std::int64_t> m_next; ///< Slices whose flows are to be followed.
    std::unordered_set<std::int64_t> m_entered; ///< Slices whose incoming flows were found.
    std::unordered_set<std::uint32_t> m_taken; ///< Numbers of the flows in m_found.
    std::vector<ConnectedFlow> m_found;
};

} // namespace

std::unique_ptr<Table> makeFlowFunction(const Recording& recording, FlowDirection direction)
{
    static constexpr std::array Arguments{argument("start_id")};
    const auto writeId = [](const std::optional<std::int64_t>& id, ValueSink sink) {
        if (id)
            sink.integer(*id);
    };
    std::vector<ListColumn<ConnectedFlow>> columns;
    columns.push_back({{"slice_out"}, [=](const ConnectedFlow& flow, ValueSink sink) { writeId(flow.sliceOut, sink); }});
    columns.push_back({{"slice_in"}, [=](const ConnectedFlow& flow, ValueSink sink) { writeId(flow.sliceIn, sink); }});
    // The id that the application gave the flow is not kept.
    columns.push_back({{"trace_id"}, [](const ConnectedFlow&, ValueSink) {}});
    columns.push_back({{"arg_set_id"}, [](const ConnectedFlow&, ValueSink) {}});
    return std::make_unique<CallTable<ConnectedFlow>>(
        Arguments, std::move(columns),
        [recording, direction, flows = std::make_shared<const Flows>(recording.slices)](const Filter& filter) {
            return FlowSearch(recording, *flows, filter.stop()).find(filter.equal(0).value_or(-1), direction);
        });
}

} // namespace helio::sql
