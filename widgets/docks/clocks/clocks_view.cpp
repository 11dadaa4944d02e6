#include "widgets/docks/clocks/clocks_view.h"

#include "core/query/rows/facts.h"
#include "core/timesync/host_clocks.h"
#include "core/timesync/link_ends.h"
#include "core/timesync/link_times.h"
#include "widgets/controls/pages.h"
#include "widgets/docks/clocks/clock_form.h"
#include "widgets/docks/clocks/clock_text.h"
#include "widgets/docks/clocks/host_table.h"
#include "widgets/docks/clocks/residual_plot.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

constexpr int FetchDelay = 30; ///< Delay in ms between a change of the shown data and the query of the residuals.
constexpr int LeastForm = 340;
constexpr int BesideFrom = 620; ///< Minimum width in pixels for the plot beside the form; in a narrower dock it is below.
constexpr int LeastPlot = 220; ///< Minimum height in pixels of the plot while it scrolls with the form.
constexpr std::size_t MostPoints = 12'000;

/// Returns the text below the plot while no packet is selected.
QString plotText(const Timeline& timeline, const Residuals& residuals)
{
    const QString all = countText(qint64(residuals.all)) + ' ' + text(messagesOfRelation(timeline, residuals.relation));
    QString words;
    if (residuals.isOfClockOverride)
        words = (residuals.isFromFile ? ClocksView::tr("With the clock from the file, %1. ")
                                      : ClocksView::tr("With the clock set by hand, %1. "))
                    .arg(residuals.early > 0
                             ? ClocksView::tr("%1 of %2 arrive before they were sent").arg(countText(qint64(residuals.early)), all)
                             : ClocksView::tr("all %1 arrive after they were sent").arg(all));
    if (residuals.all > residuals.points.size())
        return words
            + ClocksView::tr("Shown: the %1 with the shortest transit of %2. Click a dot to go there.")
                  .arg(countText(qint64(residuals.points.size())), all);
    return words + ClocksView::tr("Click a dot to go to one of %1.").arg(all);
}

} // namespace

/// Data of one timeline that the view shows.
struct ClocksView::QueryResult {
    std::shared_ptr<const Timeline> timeline;
    std::vector<HostClockFacts> clocks;
    std::shared_ptr<const Residuals> residuals;
};

ClocksView::ClocksView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_hosts(new HostTable)
    , m_form(new ClockForm(context))
    , m_plot(new ResidualPlot)
    , m_noPlot(makeLabel({}, 12, 400, "text.secondary"))
    , m_point(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_left(new ScrollPage)
    , m_right(new QStackedWidget)
    , m_parts(new QSplitter(Qt::Horizontal))
    , m_stack(new QStackedWidget)
    , m_page(new EmptyPage)
    , m_answer(DebouncedQuery::Pace::Live, FetchDelay, [this] { fetch(); })
{
    layOut();
    wire();
    setFocusProxy(m_hosts);
    m_page->setText(tr("No trace open"));
}

void ClocksView::layOut()
{
    m_left->setAccessibleName(tr("Hosts and clock correction"));
    m_left->content()->setContentsMargins(0, 0, 0, 0);
    m_left->content()->setSpacing(0);
    m_left->content()->addWidget(m_hosts);
    m_left->content()->addWidget(m_form, 1);
    auto* chart = new QWidget;
    auto* chartLines = new QVBoxLayout(chart);
    chartLines->setContentsMargins(0, 6, 0, 4);
    chartLines->setSpacing(2);
    chartLines->addWidget(m_plot, 1);
    chartLines->addWidget(m_point);
    m_plot->setAccessibleName(tr("Residuals of messages on the host's clock"));
    m_point->setContentsMargins(10, 0, 10, 0);
    // A long text must not widen the column at the expense of the form.
    m_point->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_point->setWordWrap(true);
    m_noPlot->setWordWrap(true);
    m_noPlot->setAlignment(Qt::AlignCenter);
    m_noPlot->setMargin(14);
    m_right->addWidget(chart);
    m_right->addWidget(m_noPlot);
    m_parts->setHandleWidth(4);
    m_parts->setChildrenCollapsible(false);
    m_parts->addWidget(m_left);
    m_parts->addWidget(m_right);
    m_parts->setStretchFactor(0, 0);
    m_parts->setStretchFactor(1, 1);
    m_parts->setSizes({490, 420});
    m_left->setMinimumWidth(int(LeastForm * fonts().scale()));
    m_page->setInDock();
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_parts);
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->addWidget(m_stack);
}

void ClocksView::wire()
{
    TimeWindow& time = m_context.time();
    connect(&m_context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::queueQuery);
    connect(&m_context, &ViewContext::timeFormatChanged, this, [this] {
        m_plot->setTimeFormat(m_context.timeFormat());
        showHost();
        showPoint();
    });
    connect(&time, &TimeWindow::cursorChanged, this, [this, &time] { m_plot->setCursor(time.cursor()); });
    connect(m_hosts, &HostTable::hostChosen, this, [this] {
        showHost();
        m_answer.now();
    });
    connect(m_plot, &ResidualPlot::hovered, this, [&time](std::optional<Timestamp> at) { time.setHovered(at); });
    connect(m_plot, &ResidualPlot::selectedChanged, this, &ClocksView::showPoint);
    connect(m_plot, &ResidualPlot::chosen, this, [this] { goTo(false); });
    connect(m_point, &QLabel::linkActivated, this, [this](const QString& end) { goTo(end == QLatin1String("other")); });
    m_plot->setTimeFormat(m_context.timeFormat());
}

/// Moves the plot below the form if the dock is narrow; everything is then in one scrolling column.
void ClocksView::resizeEvent(QResizeEvent* event)
{
    PanelGround::resizeEvent(event);
    const bool isWide = width() >= int(BesideFrom * fonts().scale());
    const bool wasWide = m_parts->indexOf(m_right) >= 0;
    if (isWide == wasWide)
        return;
    m_right->setMinimumHeight(isWide ? 0 : LeastPlot);
    if (isWide)
        m_parts->addWidget(m_right);
    else
        m_left->content()->addWidget(m_right);
    m_right->show();
}

void ClocksView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

void ClocksView::fetch()
{
    if (!isVisible()) // Do not fetch while hidden: showEvent() fetches when the view becomes visible.
        return;
    const auto timeline = m_context.timeline();
    if (!timeline) {
        m_answer.cancel();
        return take({});
    }
    const int host = m_hosts->host();
    m_answer.post([this, timeline, host](std::stop_token stop) -> LatestTask::Delivery {
        QueryResult answer{timeline, hostClocks(*timeline), nullptr};
        if (host >= 0 && std::size_t(host) < answer.clocks.size())
            answer.residuals = std::make_shared<const Residuals>(computeResiduals(*timeline, std::uint32_t(host), MostPoints, stop));
        return [this, answer = std::move(answer)]() mutable { take(std::move(answer)); };
    });
}

void ClocksView::take(QueryResult answer)
{
    m_timeline = std::move(answer.timeline);
    m_residuals = std::move(answer.residuals);
    const bool hasSeveral = answer.clocks.size() > 1;
    m_hosts->setClocks(m_timeline, std::move(answer.clocks));
    m_stack->setCurrentIndex(hasSeveral ? 1 : 0);
    if (!hasSeveral)
        m_page->setText(m_timeline ? tr("Single host: nothing to synchronize") : tr("No trace open"),
                        m_timeline ? tr("Open the traces of several hosts together to see them on one time axis") : QString());
    const auto wanted = std::ranges::find(m_hosts->clocks(), m_wanted.toStdString(), &HostClockFacts::label);
    if (wanted != m_hosts->clocks().end()) {
        m_wanted.clear();
        m_hosts->choose(int(wanted - m_hosts->clocks().begin()));
    }
    showHost();
    if (m_hosts->host() >= 0 && m_residuals && m_residuals->host != std::uint32_t(m_hosts->host()))
        m_answer.now();
}

void ClocksView::showHost()
{
    const int host = m_hosts->host();
    if (!m_timeline || host < 0)
        return m_plot->setResiduals(nullptr, {}, {});
    const HostClockFacts& clock = m_hosts->clocks()[std::size_t(host)];
    m_form->show(m_timeline, clock);
    const bool isPlotted = m_residuals && m_residuals->host == clock.host && !m_residuals->points.empty();
    m_plot->setResiduals(isPlotted ? m_residuals : nullptr, QString::fromStdString(clock.name),
                         isPlotted ? text(hostName(*m_timeline, m_residuals->neighbour)) : QString());
    m_plot->setCursor(m_context.time().cursor());
    if (clock.host == m_timeline->reference)
        m_noPlot->setText(tr("Choose another host to see how its clock was computed"));
    else if (!m_timeline->appliesClocks || (clock.method == ClockMethod::Manual && clock.path.empty()))
        m_noPlot->setText(tr("Its times are raw, so its messages cannot be compared with others"));
    else
        m_noPlot->setText(tr("No messages with other hosts determine its clock"));
    m_right->setCurrentIndex(isPlotted ? 0 : 1);
    showPoint();
}

/// Shows the selected message, with a link to each of its ends.
void ClocksView::showPoint()
{
    const auto point = m_plot->selected();
    if (!m_timeline || !m_residuals || !point || *point >= m_residuals->points.size()) {
        const bool isPlotted = m_residuals && m_timeline && !m_residuals->points.empty();
        return setTextWithLinks(*m_point, isPlotted ? plotText(*m_timeline, *m_residuals) : QString());
    }
    const MessageEnds ends = endsOf(*m_timeline, m_residuals->relation, m_residuals->points[*point].transmission);
    const auto link = [&](const char* reference, const MessageEnd& end) {
        const QString at = timeText(end.at, m_context.timeFormat(), 9);
        return linkText(QLatin1String(reference), tr("%1 %2").arg(text(hostName(*m_timeline, end.host)), at));
    };
    setTextWithLinks(*m_point,
                     tr("%1, sent %2, received %3")
                         .arg(QString::fromStdString(ends.text).toHtmlEscaped(), link("sent", ends.from), link("other", ends.to)));
}

/// Goes to the sender of the selected message; if `isOther`, to its receiver.
void ClocksView::goTo(bool isOther)
{
    const auto point = m_plot->selected();
    if (!m_timeline || !m_residuals || !point || *point >= m_residuals->points.size())
        return;
    const std::uint32_t message = m_residuals->points[*point].transmission;
    const MessageEnds ends = endsOf(*m_timeline, m_residuals->relation, message);
    const MessageEnd& end = isOther ? ends.to : ends.from;
    TimeWindow& time = m_context.time();
    time.jump({.row = end.row.isValid() ? end.row : time.row(), .cursor = end.at});
    if (const auto arrow = arrowOfMessage(*m_timeline, m_residuals->relation, message))
        m_context.setLink(std::make_shared<const Arrow>(*arrow));
}

QJsonObject ClocksView::save() const
{
    const int host = m_hosts->host();
    return host >= 0 ? QJsonObject{{"host", QString::fromStdString(m_hosts->clocks()[std::size_t(host)].label)}} : QJsonObject();
}

void ClocksView::restore(const QJsonObject& kept)
{
    m_wanted = kept["host"].toString();
    m_answer.soon();
}

} // namespace helio
