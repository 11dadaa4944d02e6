#include "core/sql/table_functions/flow_functions.h"

#include "core/sql/engine/call_table.h"
#include "core/sql/model/flows.h"
#include "core/sql/tables/slice_columns.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <tuple>
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
        std::unordered_set<std::int64_t> known{start};
        std::deque<std::int64_t> next{start};
        for (; !next.empty() && !m_stop.stop_requested(); next.pop_front()) {
            const auto slice = m_slices.find(next.front());
            if (!slice)
                continue;
            const auto take = [&](const Arrow& arrow, const ConnectedFlow& flow) {
                if (m_taken.emplace(arrow.from, arrow.fromTime, arrow.to, arrow.toTime).second)
                    m_found.push_back(flow);
                if (const auto reached = isForward ? flow.sliceIn : flow.sliceOut; reached && known.insert(*reached).second)
                    next.push_back(*reached);
            };
            isForward ? takeFlowsFrom(*slice, includesRelatives, take) : takeFlowsTo(*slice, includesRelatives, take);
        }
    }

    template <typename Take> void takeFlowsFrom(const SliceRow& slice, bool includesContained, const Take& take)
    {
        const std::int64_t id = m_slices.idOf(slice);
        const auto takeOne = [&](const Arrow& arrow) {
            const auto out = m_flows.isOnThreadOf(arrow.from, slice) ? m_flows.sliceOut(arrow) : std::nullopt;
            if (!out)
                return;
            const auto contained = includesContained && *out != id ? m_slices.find(*out) : std::nullopt;
            if (*out == id || (contained && m_slices.isDescendant(*contained, slice)))
                take(arrow, ConnectedFlow{out, m_flows.sliceIn(arrow)});
        };
        m_flows.forEach({slice.ts, endOf(slice)}, takeOne, m_stop);
    }

    template <typename Take> void takeFlowsTo(const SliceRow& slice, bool includesContaining, const Take& take)
    {
        TimeRange range{slice.ts, endOf(slice)};
        std::vector<std::int64_t> ids{m_slices.idOf(slice)};
        if (includesContaining)
            for (const SliceRow& ancestor : m_slices.ancestorsOf(slice)) {
                ids.push_back(m_slices.idOf(ancestor));
                range = {std::min(range.begin, ancestor.ts), std::max(range.end, endOf(ancestor))};
            }
        const auto takeOne = [&](const Arrow& arrow) {
            const auto in = m_flows.isOnThreadOf(arrow.to, slice) ? m_flows.sliceIn(arrow) : std::nullopt;
            if (in && std::ranges::find(ids, *in) != ids.end())
                take(arrow, ConnectedFlow{m_flows.sliceOut(arrow), in});
        };
        range.begin -= Duration(1); // A flow that ends as the slice begins leads to the slice, but does not overlap its range.
        m_flows.forEach(range, takeOne, m_stop);
    }

    /// Returns the end of the times at which flows of a slice may be.
    Timestamp endOf(const SliceRow& slice) const { return slice.end ? *slice.end + Duration(1) : m_end; }

    const Slices& m_slices;
    const Flows& m_flows;
    const Timestamp m_end;
    std::stop_token m_stop;
    std::set<std::tuple<TrackRef, Timestamp, TrackRef, Timestamp>> m_taken; ///< Ends of the flows in m_found.
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
