#include "widgets/time/time_window.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace helio {

namespace {

constexpr Duration Shortest{10};
constexpr double Margin = 0.02; ///< Fraction of full() by which the visible range may extend beyond each end.
constexpr std::size_t MaxHistory = 100;

/// Returns `d` times `factor`, limited to the range of Duration.
Duration scaled(Duration d, double factor)
{
    const double limit = 4e18;
    return Duration(std::llround(std::clamp(double(d.count()) * factor, -limit, limit)));
}

} // namespace

TimeWindow::TimeWindow(QObject* parent)
    : QObject(parent)
{
}

void TimeWindow::setFull(TimeRange range)
{
    m_own = range;
    takeFull(m_widen && range != TimeRange{} ? m_widen(range) : range);
}

void TimeWindow::setWidening(std::function<TimeRange(TimeRange)> widen)
{
    m_widen = std::move(widen);
    setFull(m_own);
}

void TimeWindow::setGrowing(bool isGrowing)
{
    if (std::exchange(m_isGrowing, isGrowing) && !isGrowing)
        setFull(m_own);
}

void TimeWindow::setFrozen(bool isStill)
{
    if (isStill == m_still.has_value())
        return;
    if (isStill) {
        m_still = showsAll() ? m_visible : TimeRange{};
        return;
    }
    const TimeRange showedAll = *std::exchange(m_still, {});
    if (!showedAll.isEmpty() && m_visible == showedAll)
        setVisible(m_full);
}

bool TimeWindow::showsAll() const { return m_visible.isEmpty() || (m_visible.begin <= m_full.begin && m_visible.end >= m_full.end); }

void TimeWindow::takeFull(TimeRange range)
{
    const bool isNothing = range == TimeRange{};
    if (m_isGrowing && !isNothing && !m_full.isEmpty())
        range = {std::min(range.begin, m_full.begin), std::max(range.end, m_full.end)};
    if (range == m_full)
        return;
    if (!isNothing && range.duration() < Shortest)
        range.end = range.begin + Shortest;
    const bool showedAll = showsAll() && (!m_still || m_visible.isEmpty());
    const bool isFirst = m_full.isEmpty();
    // While traces are read, an earlier trace may become known: a cursor that is still at the start moves to the new start.
    const bool isAtStart = showedAll && !m_isGrowing && !m_widen && m_cursor == m_full.begin && range.begin < m_full.begin;
    m_full = range;
    if (isNothing) { // An empty experiment resets the visible range and the history.
        m_visible = {};
        m_back.clear();
        m_forward.clear();
        m_stepped.reset();
    }
    emit fullChanged();
    if (isNothing) {
        emit visibleChanged();
        emit historyChanged();
        return setCursor({});
    }
    // The first range sets the cursor to its start. A later range otherwise only limits the cursor: the first packet may begin long before
    // the first event, so the cursor may be outside of the later range.
    setCursor(isFirst || isAtStart ? range.begin : m_cursor);
    setVisible(showedAll ? range : m_visible);
}

void TimeWindow::changeClock(const std::function<Timestamp(Timestamp)>& moved, TimeRange full)
{
    const auto movedRange = [&](TimeRange range) { return range.isEmpty() ? range : TimeRange{moved(range.begin), moved(range.end)}; };
    for (auto* places : {&m_back, &m_forward}) {
        for (HistoryEntry& place : *places) {
            place.visible = movedRange(place.visible);
            place.cursor = moved(place.cursor);
            place.selection = movedRange(place.selection);
        }
    }
    const HistoryEntry place{movedRange(m_visible), moved(m_cursor), movedRange(m_selection), m_row, m_scrolls};
    const bool showedAll = showsAll();
    setFull(full);
    setVisible(showedAll ? m_full : place.visible);
    setCursor(place.cursor);
    setSelection(place.selection);
    setHovered({});
}

void TimeWindow::setVisible(TimeRange range)
{
    if (m_full.isEmpty())
        return;
    const Duration margin = scaled(m_full.duration(), Margin);
    const TimeRange most{m_full.begin - margin, m_full.end + margin};
    const Duration length = std::clamp(range.duration(), Shortest, most.duration());
    const Timestamp centre = range.begin + range.duration() / 2;
    Timestamp begin = range.duration() == length ? range.begin : centre - length / 2;
    begin = std::clamp(begin, most.begin, most.end - length);
    if (const TimeRange visible{begin, begin + length}; visible != m_visible) {
        m_visible = visible;
        emit visibleChanged();
    }
}

void TimeWindow::zoom(double factor, Timestamp around)
{
    if (m_visible.isEmpty() || !(factor > 0))
        return;
    const Duration length = std::max(Shortest, scaled(m_visible.duration(), factor));
    const double share = double((around - m_visible.begin).count()) / double(m_visible.duration().count());
    const Timestamp begin = around - scaled(length, share);
    setVisible({begin, begin + length});
}

void TimeWindow::pan(double share)
{
    const Duration shift = scaled(m_visible.duration(), share);
    setVisible({m_visible.begin + shift, m_visible.end + shift});
}

void TimeWindow::showAt(Timestamp at)
{
    if (m_visible.contains(at))
        return;
    const Duration length = m_visible.duration();
    setVisible({at - length / 2, at - length / 2 + length});
}

void TimeWindow::setCursor(Timestamp at)
{
    if (!m_full.isEmpty())
        at = std::clamp(at, m_full.begin, m_full.end);
    if (at == m_cursor)
        return;
    m_cursor = at;
    emit cursorChanged();
}

void TimeWindow::setSelection(TimeRange range)
{
    if (range.isEmpty())
        range = {};
    if (range == m_selection)
        return;
    m_selection = range;
    emit selectionChanged();
}

void TimeWindow::setRow(TrackRef row)
{
    if (row == m_row)
        return;
    m_row = row;
    emit rowChanged();
}

void TimeWindow::setHovered(std::optional<Timestamp> at)
{
    if (at == m_hovered)
        return;
    m_hovered = at;
    emit hoveredChanged();
}

void TimeWindow::jump(const Target& target)
{
    if (m_isStepping)
        return go(target);
    const HistoryEntry start = here();
    m_isStepping = true; // Moves in slots that the signals call belong to this jump.
    go(target);
    m_isStepping = false;
    if (here() == start)
        return;
    endSeries();
    addToHistory(start);
}

void TimeWindow::step(const Target& target, Series series)
{
    const Step step(*this, series);
    go(target);
}

TimeWindow::Step::Step(TimeWindow& window, Series series)
    : m_window(window)
    , m_series(series)
    , m_isOutermost(!window.m_isStepping)
    , m_continues(window.isWhereStepped(series))
    , m_start(window.here())
{
    window.m_isStepping = true;
}

TimeWindow::Step::~Step()
{
    if (!m_isOutermost)
        return;
    m_window.m_isStepping = false;
    HistoryEntry end = m_window.here();
    if (end == m_start)
        return;
    m_window.m_stepped = std::move(end);
    m_window.m_series = m_series;
    if (!m_continues)
        m_window.addToHistory(m_start);
}

bool TimeWindow::isWhereStepped(Series series) const
{
    if (!m_stepped || m_series != series)
        return false;
    HistoryEntry place = *m_stepped;
    place.scrolls = m_scrolls;
    return place == here();
}

void TimeWindow::go(const Target& target)
{
    if (target.row)
        setRow(*target.row);
    if (target.selection)
        setSelection(*target.selection);
    if (target.cursor)
        setCursor(*target.cursor);
    if (target.visible)
        setVisible(*target.visible);
    else if (target.cursor)
        showAt(m_cursor);
}

/// Adds a place that was left to the history. Clears the places of forward().
void TimeWindow::addToHistory(const HistoryEntry& place)
{
    if (!m_back.empty() && m_back.back() == place)
        return;
    m_back.push_back(place);
    if (m_back.size() > MaxHistory)
        m_back.erase(m_back.begin());
    m_forward.clear();
    emit historyChanged();
}

bool TimeWindow::canGoBack() const { return !m_back.empty(); }

bool TimeWindow::canGoForward() const { return !m_forward.empty(); }

void TimeWindow::back()
{
    while (!m_back.empty()) {
        const HistoryEntry place = m_back.back();
        m_back.pop_back();
        if (place == here())
            continue;
        m_forward.push_back(here());
        go(place);
        break;
    }
    emit historyChanged();
}

void TimeWindow::forward()
{
    if (m_forward.empty())
        return;
    const HistoryEntry place = m_forward.back();
    m_forward.pop_back();
    m_back.push_back(here());
    go(place);
    emit historyChanged();
}

void TimeWindow::go(const HistoryEntry& place)
{
    setVisible(place.visible);
    setCursor(place.cursor);
    setSelection(place.selection);
    setRow(place.row);
    m_scrolls = place.scrolls;
    emit returned();
}

int TimeWindow::scrollOf(const std::string& panel) const
{
    const auto it = m_scrolls.find(panel);
    return it == m_scrolls.end() ? 0 : it->second;
}

} // namespace helio
