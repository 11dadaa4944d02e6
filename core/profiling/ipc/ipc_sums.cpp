#include "core/profiling/ipc/ipc_sums.h"

#include "core/event_model/ipc_states.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

bool isOfCpu(const Row& row) { return row.kind == "cpu"; }

void add(IpcSum& sum, State state, Duration time)
{
    const auto code = static_cast<std::size_t>(state);
    if (state == IpcUnmeasured) {
        sum.unmeasured += time;
    } else if (code < IpcCodes) {
        constexpr int Half = 8; // IPC of 1/2 in sixteenths.
        ++sum.spans;
        sum.time += time;
        sum.middle += time.count() * MiddleIpc[code];
        sum.lowest += time.count() * LowestIpc[code];
        if (LowestIpc[code] < Half)
            sum.low += time;
    }
}

/// Returns the attribute track of a thread that has the method of the remote procedure call (RPC) that the thread works on. The result is
/// not valid if the thread never worked on an RPC.
TrackRef rpcsOf(const Timeline& timeline, const Row& thread)
{
    return findTrack(timeline, thread.trace, TrackRole::Other, [&](TrackRef track, const Track& it) {
        return track.store == thread.ref.store && it.parent == thread.ref.track && it.kind == IpcRpcTrack;
    });
}

class Sums {
public:
    Sums(const Timeline& timeline, IpcGrouping grouping)
        : m_timeline(timeline)
        , m_grouping(grouping)
    {
    }

    void add(const Row& row, TimeRange window, const std::stop_token& stop)
    {
        if (m_grouping == IpcGrouping::Rpc)
            return addRpcs(row, window, stop);
        forEachRowInterval(
            m_timeline, row, window,
            [&](const Interval& it) {
                if (it.state == IpcIdle || it.state == IpcDeepIdle)
                    return;
                const std::string name = m_grouping == IpcGrouping::Method ? valueText(m_timeline, row.ref, it.value) : row.label;
                IpcSum& sum = sumOf(row, name, m_grouping == IpcGrouping::Method ? std::string() : row.id);
                helio::add(sum, it.state, it.range.duration());
            },
            stop);
    }

    std::vector<IpcSum> take()
    {
        std::vector<IpcSum> all;
        for (auto& [key, sum] : m_sums)
            all.push_back(std::move(sum));
        return all;
    }

private:
    void addRpcs(const Row& row, TimeRange window, const std::stop_token& stop)
    {
        const TrackRef rpcs = rpcsOf(m_timeline, row);
        if (!rpcs.isValid())
            return;
        for (const Interval& work : intervals(m_timeline, rpcs, window, stop)) {
            IpcSum& sum = sumOf(row, valueText(m_timeline, rpcs, work.value), {});
            forEachRowInterval(
                m_timeline, row, work.range.clippedTo(window), [&](const Interval& it) { helio::add(sum, it.state, it.range.duration()); },
                stop);
        }
    }

    IpcSum& sumOf(const Row& row, const std::string& name, const std::string& id)
    {
        const auto [it, isNew] = m_sums.try_emplace({row.trace, name, id});
        if (isNew) {
            it->second.trace = row.trace;
            it->second.name = name;
            if (m_grouping == IpcGrouping::Thread)
                it->second.tid = row.tid;
            if (m_grouping == IpcGrouping::Cpu)
                it->second.cpu = row.cpu;
        }
        return it->second;
    }

    const Timeline& m_timeline;
    const IpcGrouping m_grouping;
    std::map<std::tuple<std::uint32_t, std::string, std::string>, IpcSum>
        m_sums; ///< Sums, keyed by trace, group name and row id; the row id is empty if all rows of the trace share a sum.
};

} // namespace

bool hasIpc(const Timeline& timeline)
{
    bool has = false;
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        has = has || std::ranges::find(store.stateSets(), ipcStates().id, &StateSet::id) != store.stateSets().end();
    });
    return has;
}

std::vector<IpcSum> ipcSums(const Timeline& timeline, IpcGrouping grouping, TimeRange window,
                            const std::function<bool(const Row&)>& accepts, std::stop_token stop)
{
    std::vector<Row> accepted = rows(timeline, IpcView);
    std::erase_if(accepted, [&](const Row& row) { return !row.ref.isValid() || (accepts && !accepts(row)); });
    const bool ofCpus = grouping == IpcGrouping::Cpu || (grouping == IpcGrouping::Method && std::ranges::any_of(accepted, isOfCpu));
    Sums sums(timeline, grouping);
    for (const Row& row : accepted)
        if (isOfCpu(row) == ofCpus && !stop.stop_requested())
            sums.add(row, window, stop);
    return sums.take();
}

} // namespace helio
