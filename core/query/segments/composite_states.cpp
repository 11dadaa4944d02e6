#include "core/query/segments/composite_states.h"

#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"
#include "core/query/segments/state_intervals.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

namespace helio {
namespace {

/// Effect of a row's state on the composite interval that has begun and not ended yet (the open interval).
enum class StateEffect : std::uint8_t { Begins, Continues, Between, Ends, Breaks };

StateEffect effectIn(const CompositeState& run, const StateKind& state)
{
    const auto isIn = [&](const std::vector<std::string>& names) { return std::ranges::find(names, state.name) != names.end(); };
    if (isIn(run.firsts))
        return StateEffect::Begins;
    // Check `ends` before the category Unknown, because `ends` may contain the unknown state: it ends composite intervals of threads
    // for which only system calls were recorded.
    if (isIn(run.ends))
        return StateEffect::Ends;
    if (state.meaning == StateCategory::Unknown)
        return StateEffect::Breaks;
    if (run.ends.empty())
        return StateEffect::Ends;
    if (state.meaning == StateCategory::OnCpuExit) // Discard the open composite interval: the thread exits, so it has no end.
        return StateEffect::Breaks;
    if (isIn(run.between))
        return StateEffect::Between;
    return isOnCpu(state.meaning) ? StateEffect::Breaks : StateEffect::Continues;
}

/// Finds the intervals of a composite state in one row. A composite state consists of several consecutive states of a row, for example a
/// system call. The intervals of the row must be passed to take() in time order.
class RowRuns {
public:
    struct Found {
        TimeRange range;
        std::uint32_t value = 0;
        std::uint64_t number = 0; ///< Number of the row's interval with which the composite interval begins, as take() was told.
    };

    RowRuns(const Timeline& timeline, const CompositeState& run, const Row& row)
        : m_isOfOneValue(run.hasSingleValue)
    {
        m_effects.fill(StateEffect::Breaks);
        const auto& states = statesOf(timeline, row.ref).states;
        for (std::size_t i = 0; i < std::min(states.size(), m_effects.size()); ++i)
            m_effects[i] = effectIn(run, states[i]);
    }

    bool isOpen() const { return m_begin.has_value(); }
    /// True if the state ends or discards every open composite interval, so that the states before it do not matter.
    bool settles(State state) const { return effectOf(state) == StateEffect::Ends || effectOf(state) == StateEffect::Breaks; }

    /// Processes an interval of the row, which must follow the intervals processed before. Returns the composite interval that ends
    /// at the start of `it`; nullopt if none ends there. `number` is the number of `it` in the row, for Found::number.
    std::optional<Found> take(const Interval& it, std::uint64_t number = 0)
    {
        const StateEffect effect = it.range.begin == m_end ? effectOf(it.state) : breaks(effectOf(it.state));
        m_end = it.range.end;
        const bool isOther = m_isOfOneValue && it.value != m_value && effect != StateEffect::Between;
        const bool isMiddle = m_beginlessValue && *m_beginlessValue == it.value;
        std::optional<Found> found;
        if (m_begin && effect == StateEffect::Ends)
            found = Found{{*m_begin, it.range.begin}, m_value, m_number};
        if (effect == StateEffect::Ends || effect == StateEffect::Breaks || isOther)
            m_begin.reset();
        if (effect == StateEffect::Begins && !m_begin && !isMiddle) {
            m_begin = it.range.begin;
            m_value = it.value;
            m_number = number;
        }
        if (effect != StateEffect::Between)
            m_beginlessValue = m_isOfOneValue && (effect == StateEffect::Continues || isMiddle) ? std::optional(it.value) : std::nullopt;
        return found;
    }

private:
    StateEffect effectOf(State state) const
    {
        const auto index = static_cast<std::size_t>(state);
        return index < m_effects.size() ? m_effects[index] : StateEffect::Breaks;
    }
    /// Discards the open composite interval, because there is a gap before the interval that is being processed. Returns `effect`, the
    /// effect of that interval.
    StateEffect breaks(StateEffect effect)
    {
        m_begin.reset();
        m_beginlessValue.reset();
        return effect;
    }

    std::array<StateEffect, 256> m_effects;
    bool m_isOfOneValue;
    std::optional<Timestamp> m_begin;
    Timestamp m_end = Timestamp::min(); ///< End of the interval that was processed last.
    /// Value of a composite interval if the row shows its end but not its start; otherwise nullopt. For example, a new thread returns from
    /// the fork that its parent called. take() does not report such a composite interval.
    std::optional<std::uint32_t> m_beginlessValue;
    std::uint32_t m_value = 0;
    std::uint64_t m_number = 0; ///< Number of the interval at `m_begin`.
};

/// Finds the intervals of a composite state (several consecutive states that form one interval, for example a system call) in a row.
/// Processes a time range in consecutive parts.
class RowWalk {
public:
    RowWalk(const Timeline& timeline, const CompositeState& run, const Row& of)
        : row(&of)
        , m_timeline(&timeline)
        , m_runs(timeline, run, of)
    {
    }

    template <typename Take> void walk(TimeRange part, Timestamp end, const Take& take, const std::stop_token& stop)
    {
        if (m_at == Timestamp::min()) {
            lookBack(part.begin);
            if (isNumbered)
                m_number = countIntervalsBefore(*m_timeline, row->ref, m_at);
        }
        for (const Interval& it : intervals(*m_timeline, row->ref, {std::max(m_at, part.begin), part.end}, stop))
            if (it.range.begin >= m_at)
                step(it);
        lookAhead(end);
        const auto isLater = [&](const RowRuns::Found& it) { return it.range.begin >= part.end; };
        const auto later = std::ranges::stable_partition(m_found, std::not_fn(isLater));
        for (auto it = m_found.begin(); it != later.begin(); ++it)
            take(*it);
        m_found.erase(m_found.begin(), later.begin());
    }

    const Row* row;
    bool isNumbered = false; ///< True to set Found::number; set before the first call of walk().

private:
    void step(const Interval& it)
    {
        m_at = it.range.end;
        if (const auto found = m_runs.take(it, m_number++))
            m_found.push_back(*found);
    }

    /// Reads the states before `at`, the start of the time range, to find out whether a composite interval is open at that time.
    void lookBack(Timestamp at)
    {
        std::vector<Interval> before;
        for (auto it = previousInterval(*m_timeline, row->ref, at); !it.empty();
             it = previousInterval(*m_timeline, row->ref, it.front().range.begin)) {
            before.push_back(it.front());
            if (m_runs.settles(it.front().state) || before.size() == MostBack)
                break;
        }
        // Drop an interval that reaches into the time range, because walk() reads it again.
        std::erase_if(before, [&](const Interval& it) { return it.range.end > at; });
        for (auto it = before.rbegin(); it != before.rend(); ++it)
            m_runs.take(*it);
        m_at = before.empty() ? Timestamp::min() + Duration(1) : before.front().range.end;
    }

    /// Reads on after the end of the current part of the time range, until the open composite interval ends: a composite interval is
    /// reported with the part in which it begins. walk() does not read these intervals again.
    void lookAhead(Timestamp end)
    {
        while (m_runs.isOpen() && m_at <= end) { // `<=` because a composite interval may end exactly at the end of the time range.
            const auto next = intervalAt(*m_timeline, row->ref, m_at);
            if (next.empty())
                return;
            step(next.front());
        }
    }

    static constexpr std::size_t MostBack = 10'000;

    const Timeline* m_timeline;
    RowRuns m_runs;
    Timestamp m_at = Timestamp::min(); ///< End of the intervals read so far.
    std::uint64_t m_number = 0; ///< Number of the row's interval that is read next; counted only if `isNumbered`.
    std::vector<RowRuns::Found> m_found; ///< Composite intervals found but not reported yet.
};

using TakeRun = std::function<void(const Row&, TimeRange, std::uint32_t)>;

// Approximate number of intervals in one part of the time range: large for many rows, because each part visits every row; small for one
// row, so that its intervals fit into the CPU cache.
constexpr std::uint64_t PartSize = 1 << 20;
constexpr std::uint64_t RowPartSize = 1 << 13;

/// Returns the part of `all` that begins at `begin`, with length `step`; the last part may be longer.
TimeRange partFrom(Timestamp begin, TimeRange all, Duration step)
{
    return {begin, lengthOf({begin, all.end}) / 2 > step ? begin + step : all.end};
}

struct RowRun {
    const Row* row;
    RowRuns::Found found;
};

bool mayHave(const Timeline& timeline, const CompositeState& run, TrackRef row, std::string_view kind, std::int32_t cpu)
{
    const auto isKnown = [&](const std::string& first) { return findState(timeline, row, first).has_value(); };
    return kind == run.rowKind && (!run.isOfCpu || cpu >= 0) && std::ranges::any_of(run.firsts, isKnown);
}

/// True if any row of the view may have the composite state. Reads the tracks instead of making rows, because views call this on the UI
/// thread and there may be 100,000 rows.
bool hasTrack(const Timeline& timeline, const TrackView& view, const CompositeState& run)
{
    bool isThere = false;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const auto tracks = store.tracks();
        for (std::uint32_t i = 0; i < tracks.size() && !isThere; ++i)
            isThere = tracks[i].view == view.id && mayHave(timeline, run, {index, TrackId{i}}, tracks[i].kind, tracks[i].cpu);
    });
    return isThere;
}

TimeRange livesIn(std::span<const Row> rows, TimeRange window)
{
    TimeRange all{Timestamp::max(), Timestamp::min()};
    for (const Row& it : rows)
        all = {std::min(all.begin, it.life.begin), std::max(all.end, it.life.end)};
    return all.clippedTo(window);
}

} // namespace

std::vector<CompositeState> compositeStates(const Timeline& timeline)
{
    std::vector<CompositeState> runs;
    for (const TrackView& view : describedViews(timeline))
        std::ranges::copy_if(view.runs, std::back_inserter(runs), [&](const CompositeState& run) { return hasTrack(timeline, view, run); });
    return runs;
}

std::optional<CompositeState> findCompositeState(const Timeline& timeline, std::string_view id)
{
    for (CompositeState& run : compositeStates(timeline))
        if (run.id == id)
            return std::move(run);
    return {};
}

std::vector<Row> rowsWithComposite(const Timeline& timeline, const CompositeState& run)
{
    std::vector<Row> found;
    for (const TrackView& view : describedViews(timeline))
        if (std::ranges::find(view.runs, run) != view.runs.end() && hasTrack(timeline, view, run)) {
            found = rows(timeline, view.id);
            break;
        }
    std::erase_if(found, [&](const Row& row) { return !row.ref.isValid() || !mayHave(timeline, run, row.ref, row.kind, row.cpu); });
    return found;
}

std::string_view CompositeStateNames::of(const Row& row, std::uint32_t value)
{
    if (!m_isOfValues)
        return row.label;
    const auto [at, isNew] = m_texts.try_emplace(static_cast<std::uint64_t>(row.ref.store) << 32 | value);
    if (isNew)
        at->second = valueText(m_timeline, row.ref, value);
    return at->second;
}

namespace {

void eachRunOf(const Timeline& timeline, const CompositeState& run, const Row& row, TimeRange window, const TakeRun& take,
               const std::stop_token& stop)
{
    const TimeRange all = row.life.clippedTo(window);
    const Duration step = std::max(Duration(1), lengthOf(all) / static_cast<std::int64_t>(row.intervals / RowPartSize + 1));
    RowWalk walk(timeline, run, row);
    const auto takeOne = [&](const RowRuns::Found& it) {
        if (it.range.begin >= window.begin && it.range.end <= window.end)
            take(row, it.range, it.value);
    };
    for (TimeRange part = partFrom(all.begin, all, step); !part.isEmpty() && !stop.stop_requested(); part = partFrom(part.end, all, step))
        walk.walk(part, all.end, takeOne, stop);
}

void eachRunByBegin(const Timeline& timeline, const CompositeState& run, std::span<const Row> rows, TimeRange window, const TakeRun& take,
                    const std::stop_token& stop)
{
    const TimeRange all = livesIn(rows, window);
    std::uint64_t count = 0;
    std::vector<RowWalk> walks;
    for (const Row& it : rows) {
        count += it.intervals;
        walks.emplace_back(timeline, run, it);
    }
    const Duration step =
        // Use few parts, because each part visits every row.
        std::max(Duration(1), lengthOf(all) / static_cast<std::int64_t>(count / PartSize + 1));
    std::vector<RowRun> found;
    for (TimeRange part = partFrom(all.begin, all, step); !part.isEmpty() && !stop.stop_requested(); part = partFrom(part.end, all, step)) {
        found.clear();
        for (RowWalk& it : walks)
            if (it.row->life.overlaps(part))
                it.walk(
                    part, all.end,
                    [&](const RowRuns::Found& one) {
                        found.push_back({it.row, one});
                    },
                    stop);
        std::ranges::stable_sort(found, {}, [](const RowRun& one) { return one.found.range.begin; });
        for (const RowRun& it : found)
            if (it.found.range.begin >= window.begin && it.found.range.end <= window.end)
                take(*it.row, it.found.range, it.found.value);
    }
}

} // namespace

class CompositeStateWalk::Impl {
public:
    RowWalk walk;
};

CompositeStateWalk::CompositeStateWalk(const Timeline& timeline, const CompositeState& state, const Row& row, bool isNumbered)
    : m_impl(new Impl{RowWalk(timeline, state, row)})
{
    m_impl->walk.isNumbered = isNumbered;
}
CompositeStateWalk::CompositeStateWalk(CompositeStateWalk&&) noexcept = default;
CompositeStateWalk::~CompositeStateWalk() = default;

void CompositeStateWalk::forEachIn(TimeRange part, const Take& take, const std::stop_token& stop)
{
    const auto takeOne = [&](const RowRuns::Found& it) {
        if (it.range.begin >= part.begin)
            take(it.range, it.value, it.number);
    };
    m_impl->walk.walk(part, Timestamp::max(), takeOne, stop);
}

void forEachCompositeState(const Timeline& timeline, const CompositeState& run, std::span<const Row> rows, TimeRange window,
                           const TakeRun& take, std::stop_token stop, RunOrder order)
{
    if (order == RunOrder::ByBegin)
        return eachRunByBegin(timeline, run, rows, window, take, stop);
    for (const Row& row : rows)
        eachRunOf(timeline, run, row, window, take, stop);
}

} // namespace helio
