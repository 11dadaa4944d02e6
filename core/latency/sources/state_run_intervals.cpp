#include "core/latency/intervals/event_rows.h"
#include "core/latency/intervals/interval_source.h"
#include "core/query/segments/composite_states.h"

namespace helio {
namespace {

class StateRunIntervals : public IntervalSource {
public:
    StateRunIntervals(std::shared_ptr<const Timeline> timeline, CompositeState run)
        : IntervalSource({run.id, run.title, run.nameTitle, 10})
        , m_timeline(std::move(timeline))
        , m_run(std::move(run))
    {
    }

    std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const override
    {
        const std::vector<Row> asked = request.rows ? std::vector<Row>() : AcceptedRows(request.accepts).of(rows());
        CompositeStateNames names(*m_timeline, m_run);
        const auto takeOne = [&](const Row& row, TimeRange range, std::uint32_t value) { take({range, row, names.of(row, value)}); };
        const RunOrder order = request.order == IntervalOrder::ByRow ? RunOrder::ByRow : RunOrder::ByBegin;
        forEachCompositeState(*m_timeline, m_run, request.rows ? *request.rows : asked, request.range, takeOne, stop, order);
        return 0;
    }
    std::vector<Row> rows() const override { return rowsWithComposite(*m_timeline, m_run); }
    bool knowsCpus() const override { return m_run.isOfCpu; }

private:
    std::shared_ptr<const Timeline> m_timeline;
    CompositeState m_run;
};

void listStateRuns(const std::shared_ptr<const Timeline>& timeline, IntervalSources& sources)
{
    for (const CompositeState& run : compositeStates(*timeline))
        sources.push_back(std::make_unique<StateRunIntervals>(timeline, run));
}

} // namespace

extern const IntervalSourceFactory stateRunIntervals;
const IntervalSourceFactory stateRunIntervals{listStateRuns, nullptr};

} // namespace helio
