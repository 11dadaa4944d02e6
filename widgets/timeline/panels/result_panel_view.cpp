#include "widgets/timeline/panels/result_panel_view.h"

#include "widgets/controls/field_grid.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/panels/result_bars.h"
#include "widgets/timeline/panels/result_curves.h"
#include "widgets/workspace/view_context.h"

#include <QLabel>
#include <QMenu>

namespace helio {

ResultPanelView::ResultPanelView(ViewContext& context, TimeAxis& axis, const ResultPanel& panel, QWidget* parent)
    : TimePanel(axis, panel.id.toStdString(), tr("SQL"), parent)
    , m_panels(ResultPanels::of(context))
    , m_notice(new LinkLabel)
{
    if (panel.isChart)
        m_curves = new ResultCurves(axis, this);
    else
        m_bars = new ResultBars(axis, this);
    adoptBody();
    TrackView place;
    place.order = Order;
    beginAs(place);
    auto* body = static_cast<TimeBody*>(this->body());
    connect(body, &TimeBody::contextMenuRequested, this, &TimePanel::contextMenuRequested);
    connect(body, &TimeBody::eventStepRequested, this, &TimePanel::eventStepRequested);
    const auto choose = [this](std::uint32_t line) { m_panels.choose(idText(), line); };
    if (m_bars)
        connect(m_bars, &ResultBars::chosen, this, choose);
    else
        connect(m_curves, &ResultCurves::chosen, this, choose);
    styleLabel(m_notice, 10.5, 400, "text.secondary");
    connect(m_notice, &QLabel::linkActivated, this, [this] { m_panels.edit(idText()); });
    header()->setNotice(m_notice);
    header()->setColumns({{panel.isChart ? QString() : tr("Total"), 12, 0, !panel.isChart}});
    keepTitle(tr("Rows of a query in the SQL dock"));
    connect(&axis.window(), &TimeWindow::visibleChanged, this, &ResultPanelView::showCount);
    connect(&m_panels, &ResultPanels::markChanged, this, &ResultPanelView::showMark);
    connect(&Themes::instance(), &Themes::changed, this, &ResultPanelView::showCount); // The link has the colour of the theme.
    show(panel);
}

QWidget* ResultPanelView::body() const { return m_bars ? static_cast<QWidget*>(m_bars) : m_curves; }

void ResultPanelView::show(const ResultPanel& panel)
{
    header()->setSubtitle(panel.subtitle);
    EmptyMessage message{tr("Running the query\u2026"), {}};
    if (!panel.problem.isEmpty())
        message = {tr("The query of this panel failed."), panel.problem};
    else if (panel.data)
        message = {tr("The query returned no rows with a time."), {}};
    const bool areOthers = m_shown.data != panel.data;
    m_shown = panel;
    if (m_bars) {
        m_bars->setEmptyMessage(message);
        if (areOthers)
            m_bars->setData(panel.data);
    } else {
        m_curves->setEmptyMessage(message);
        if (areOthers)
            m_curves->setData(panel.data);
    }
    showMark();
    showCount();
    emit heightChanged();
}

void ResultPanelView::showMark()
{
    const ResultPanels::Mark& mark = m_panels.mark();
    if (m_bars)
        m_bars->setMark(mark.panel == idText() ? std::optional(mark.line) : std::nullopt);
}

void ResultPanelView::showCount()
{
    const TimeRange visible = axis().window().visible();
    QStringList parts;
    if (const auto& contents = m_shown.data; contents && !contents->lanes.empty()) {
        const std::size_t shown = m_bars ? m_bars->countIn(visible) : m_curves->countIn(visible);
        parts << tr("%1 of %2 rows in the visible range").arg(countText(qint64(shown)), countText(qint64(contents->count)));
        if (!contents->remark.isEmpty())
            parts << contents->remark;
    }
    const QString link = linkText(QStringLiteral("edit"), tr("Edit query"));
    setTextWithLinks(*m_notice,
                     parts.isEmpty() ? link : parts.join(QStringLiteral(", ")).toHtmlEscaped() + QStringLiteral("&nbsp;&nbsp; ") + link);
    header()->setNotice(m_notice); // Adapts its width to the text.
}

int ResultPanelView::emptyTextHeight() const { return m_bars ? m_bars->emptyTextHeight() : m_curves->emptyTextHeight(); }

int ResultPanelView::heightOfWholeRows(int most) const
{
    return m_bars ? headerHeight() + m_bars->heightOfWholeRows(most - headerHeight()) : most;
}

int ResultPanelView::bodyHeight() const { return m_bars ? m_bars->naturalHeight() : m_curves->naturalHeight(); }

ShownCommand ResultPanelView::shownCommand() const { return makeSqlCommand(m_shown.query); }

void ResultPanelView::stepChange(bool forward) { m_bars ? m_bars->stepInterval(forward) : m_curves->stepPoint(forward); }

void ResultPanelView::addActions(QMenu& menu)
{
    menu.addAction(tr("Edit query"), this, [this] { m_panels.edit(idText()); });
    // Queued, because the panel is deleted, whose own menu is open now.
    menu.addAction(tr("Remove panel"), &m_panels, [&panels = m_panels, id = idText()] {
        QMetaObject::invokeMethod(
            &panels, [&panels, id] { panels.remove(id); }, Qt::QueuedConnection);
    });
}

void ResultPanelView::fillMenu(QMenu& menu)
{
    addActions(menu);
    menu.addSeparator();
    addMoves(menu);
}

void ResultPanelView::fillBodyMenu(QMenu& menu) { addActions(menu); }

} // namespace helio
