#include "core/query/segments/state_intervals.h"

#include "core/latency/intervals/event_rows.h"
#include "core/latency/intervals/interval_source.h"
#include "core/query/rows/views.h"

#include <algorithm>

namespace helio {
namespace {

constexpr std::string_view Prefix = "state:";

/// Source of the complete intervals of one state.
class StateIntervals : public IntervalSource {
public:
    StateIntervals(std::shared_ptr<const Timeline> timeline, std::string_view id, std::vector<RowState> rows)
        : IntervalSource({std::string(id), std::string(id.substr(Prefix.size())), "Detail", 90})
        , m_timeline(std::move(timeline))
        , m_rows(std::move(rows))
    {
    }

    std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const override
    {
        std::vector<RowState> chosen;
        chosen.reserve(m_rows.size()); // Reserved, because rows must keep their addresses after request.accepts was called with them.
        for (const RowState& it : m_rows) {
            chosen.push_back(it);
            if (request.accepts && !request.accepts(chosen.back().row))
                chosen.pop_back();
        }
        const auto takeOne = [&](const Row& row, const Interval& interval) {
            const std::string name = valueText(*m_timeline, row.ref, interval.value);
            take({interval.range, row, name});
        };
        forEachStateInterval(*m_timeline, chosen, request.range, takeOne, stop);
        return 0;
    }
    bool knowsCpus() const override
    {
        return std::ranges::any_of(m_rows, [](const RowState& it) { return it.row.cpu >= 0; });
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
    std::vector<RowState> m_rows;
};

/// Returns the rows of the first view that has the state; rows of further views would count the same time twice. Rows with the threads of a
/// CPU are left out if the CPU's own row has the state, also because they would count the same time twice.
std::vector<RowState> rowsWith(const Timeline& timeline, std::string_view state, const std::vector<std::string>& views)
{
    std::vector<RowState> found;
    for (const std::string& view : views) {
        for (Row& row : rows(timeline, view))
            if (const auto of = findState(timeline, row.ref, state))
                found.push_back({std::move(row), *of});
        if (!found.empty())
            break;
    }
    if (std::ranges::any_of(found, [](const RowState& it) { return it.row.role == TrackRole::Cpu; }))
        std::erase_if(found, [](const RowState& it) { return it.row.role == TrackRole::CpuThread; });
    return found;
}

Result<std::unique_ptr<IntervalSource>> parseStates(const std::shared_ptr<const Timeline>& timeline, std::string_view id,
                                                    const std::vector<std::string>& views)
{
    std::unique_ptr<IntervalSource> source;
    if (!id.starts_with(Prefix))
        return source;
    auto found = rowsWith(*timeline, id.substr(Prefix.size()), views.empty() ? viewsOf(*timeline) : views);
    if (!found.empty())
        source = std::make_unique<StateIntervals>(timeline, id, std::move(found));
    return source;
}

} // namespace

extern const IntervalSourceFactory stateIntervals;
const IntervalSourceFactory stateIntervals{nullptr, parseStates};

} // namespace helio
