#include "app/cli/commands/latency_pieces.h"
#include "app/cli/output/field_output.h"
#include "core/latency/throttling/throttled.h"
#include "core/query/rows/thread_rows.h"
#include "core/query/segments/stays.h"
#include "core/waits/path/waits.h"

#include <deque>
#include <utility>

// What latency is asked of threads: their states, together or one by one, and what they waited for.
namespace helio {

void LatencyPieces::eachRunIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    std::deque<KnownRow> known; // Facts point to rows: they stay where they are.
    std::vector<Row> chosen;
    for (Row& row : rowsOfRun(m_timeline, *m_run)) {
        KnownRow& it = known.emplace_back();
        know(it, std::move(row));
        if (it.isChosen)
            chosen.push_back(it.row);
        else
            known.pop_back();
    }
    RunNames names(m_timeline, *m_run);
    const auto takeOne = [&](const Row& row, TimeRange range, std::uint32_t value) {
        const std::string_view name = names.of(row, value);
        if (m_selection.selects(known[static_cast<std::size_t>(&row - chosen.data())].facts, name, range))
            take({range, name, row, {}});
    };
    const bool isSummedUp = m_options.shows == LatencyOptions::Shows::Summary || m_options.shows == LatencyOptions::Shows::Histogram;
    eachRun(m_timeline, *m_run, chosen, window, takeOne, {}, isSummedUp ? RunOrder::ByRow : RunOrder::ByBegin);
}

std::vector<Row> LatencyPieces::chosenThreads(std::map<TrackRef, KnownRow>& known) const
{
    std::vector<Row> chosen;
    for (Row& row : threads(m_timeline)) {
        KnownRow& it = known[row.ref];
        know(it, std::move(row));
        if (it.isChosen)
            chosen.push_back(it.row);
    }
    return chosen;
}

void LatencyPieces::eachWakeupIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    std::map<TrackRef, KnownRow> known;
    const std::vector<Row> chosen = chosenThreads(known);
    KnownPriorities priorities(m_timeline);
    eachWakeup(m_timeline, chosen, window, [&](const Row& row, TimeRange range) {
        if (!m_selection.selects(known[row.ref].facts, {}, range)) // Any name that the thread held.
            return;
        const std::string priority = m_isByPriority ? wakeupPriorityText(priorities, row, range) : std::string();
        take({range, m_isByPriority ? std::string_view(priority) : row.label, row, {}});
    });
}

void LatencyPieces::eachWaitIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    std::map<TrackRef, KnownRow> known;
    const std::vector<Row> chosen = chosenThreads(known);
    eachWait(m_timeline, chosen, window, [&](const Row& row, const Interval& wait, const WaitCause& cause) {
        const std::string_view name = wordOf(cause.kind);
        std::string fields;
        if (!cause.detail.empty())
            appendEscaped(fields = "detail=", cause.detail);
        if (!m_selection.selects(known[row.ref].facts, name, wait.range, fields))
            return;
        take({wait.range, name, row, {}, false, fields});
    });
}

void LatencyPieces::eachThrottledIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    std::map<TrackRef, KnownRow> known;
    eachThrottled(m_timeline, window, [&](const Row& row, const Throttled& throttled) {
        const auto [at, isNew] = known.try_emplace(row.ref);
        if (isNew)
            know(at->second, row);
        const std::string fields = "threads=" + std::to_string(throttled.waiting) + ";idle_ns=" + std::to_string(throttled.idle.count());
        if (!at->second.isChosen || !m_selection.selects(at->second.facts, {}, throttled.range, fields))
            return;
        take({throttled.range, row.label, row, {}, false, fields});
    });
}

/// Of the first view that has any: another one shows the same time once more. So do the rows of what a CPU has beside those of CPUs.
std::vector<RowState> LatencyPieces::rowsWithState() const
{
    std::vector<RowState> found;
    for (const std::string& view : m_views) {
        for (Row& row : rows(m_timeline, view))
            if (const auto state = findState(m_timeline, row.ref, m_state))
                found.push_back({std::move(row), *state});
        if (!found.empty())
            break;
    }
    if (std::ranges::any_of(found, [](const RowState& it) { return it.row.role == TrackRole::Cpu; }))
        std::erase_if(found, [](const RowState& it) { return it.row.role == TrackRole::CpuThread; });
    return found;
}

void LatencyPieces::eachStayIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    std::vector<RowState> chosen = rowsWithState();
    std::erase_if(chosen, [&](const RowState& it) { return !m_selection.isChosen(it.row); });
    std::map<TrackRef, RowFacts> facts;
    for (const RowState& it : chosen) {
        facts[it.row.ref] = m_selection.factsOf(it.row);
        facts[it.row.ref].state = m_state;
    }
    eachStay(m_timeline, chosen, window, [&](const Row& row, const Interval& interval) {
        const std::string name = valueText(m_timeline, row.ref, interval.value);
        if (m_selection.selects(facts[row.ref], name, interval.range))
            take({interval.range, name, row, {}});
    });
}

} // namespace helio
