#include "widgets/compare/axis_link.h"

#include <algorithm>

namespace helio {

namespace {

TimeRange moved(TimeRange range, Timestamp from, Timestamp to) { return {to + (range.begin - from), to + (range.end - from)}; }

TimeRange around(TimeRange one, TimeRange other)
{
    return other.isEmpty() ? one : TimeRange{std::min(one.begin, other.begin), std::max(one.end, other.end)};
}

} // namespace

AxisLink::AxisLink(TimeWindow& a, TimeWindow& b, QObject* parent)
    : QObject(parent)
    , m_a(a)
    , m_b(b)
{
    m_a.setWidening([this](TimeRange own) { return around(own, moved(m_b.own(), m_alignment.b, m_alignment.a)); });
    m_b.setWidening([this](TimeRange own) { return around(own, moved(m_a.own(), m_alignment.a, m_alignment.b)); });
    follow(m_a, m_b, &AxisLink::toB);
    follow(m_b, m_a, &AxisLink::toA);
}

AxisLink::~AxisLink()
{
    m_a.setWidening({});
    m_b.setWidening({});
}

void AxisLink::follow(TimeWindow& from, TimeWindow& to, Timestamp (AxisLink::*take)(Timestamp) const)
{
    const auto when = [this, &from](void (TimeWindow::*signal)(), std::function<void()> apply) {
        connect(&from, signal, this, [this, apply = std::move(apply)] {
            if (!m_isLinked || m_isSynchronizing)
                return;
            m_isSynchronizing = true;
            apply();
            m_isSynchronizing = false;
        });
    };
    const auto range = [this, take](TimeRange r) {
        return r.isEmpty() ? TimeRange{} : TimeRange{(this->*take)(r.begin), (this->*take)(r.end)};
    };
    connect(&from, &TimeWindow::fullChanged, this, &AxisLink::widenFullRanges);
    when(&TimeWindow::visibleChanged, [&from, &to, range] { to.setVisible(range(from.visible())); });
    when(&TimeWindow::cursorChanged, [this, &from, &to, take] { to.setCursor((this->*take)(from.cursor())); });
    when(&TimeWindow::selectionChanged, [&from, &to, range] { to.setSelection(range(from.selection())); });
    when(&TimeWindow::hoveredChanged,
         [this, &from, &to, take] { to.setHovered(from.hovered() ? std::optional((this->*take)(*from.hovered())) : std::nullopt); });
}

/// Widens the full range of both sides to that of the longer side.
void AxisLink::widenFullRanges()
{
    if (m_isSynchronizing)
        return;
    m_isSynchronizing = true;
    m_a.setFull(m_a.own());
    m_b.setFull(m_b.own());
    m_isSynchronizing = false;
}

void AxisLink::takeToB()
{
    if (!m_isLinked || m_a.visible().isEmpty())
        return;
    m_isSynchronizing = true;
    m_b.setVisible({toB(m_a.visible().begin), toB(m_a.visible().end)});
    m_b.setCursor(toB(m_a.cursor()));
    m_b.setSelection(m_a.selection().isEmpty() ? TimeRange{} : TimeRange{toB(m_a.selection().begin), toB(m_a.selection().end)});
    m_isSynchronizing = false;
}

void AxisLink::setAlignment(const Alignment& alignment)
{
    if (alignment == m_alignment)
        return;
    m_alignment = alignment;
    widenFullRanges();
    takeToB();
    emit alignmentChanged();
}

void AxisLink::setLinked(bool isLinked)
{
    if (isLinked == m_isLinked)
        return;
    m_isLinked = isLinked;
    takeToB();
    emit linkedChanged();
}

} // namespace helio
