#include "widgets/fleet/fleet_head.h"

#include "core/findings/occurrences.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/folding_layout.h"
#include "widgets/fleet/finder_button.h"
#include "widgets/fleet/fleet_latency_chart.h"
#include "widgets/fleet/host_grid.h"
#include "widgets/fleet/latency_shape.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QGridLayout>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace helio {

using fleet::DurationDigest;
using fleet::FleetOverview;
using fleet::FleetTable;

namespace {

constexpr std::size_t FinderColumns = 2;
constexpr std::size_t FinderRows = 3;

/// Line with the title of a part of the head and a note.
QHBoxLayout* makeTitleLine(QLabel* title, QLabel* note)
{
    auto* line = new QHBoxLayout;
    line->setSpacing(10);
    line->addWidget(title);
    line->addWidget(note, 1);
    return line;
}

QLabel* makeNote()
{
    auto* note = new ElidingLabel(0);
    styleLabel(note, 11, 400, "text.secondary");
    note->setTextFormat(Qt::PlainText);
    return note;
}

QWidget* makePart(int spacing)
{
    auto* part = new QWidget;
    auto* lines = new QVBoxLayout(part);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(spacing);
    return part;
}

QVBoxLayout* linesOf(QWidget* part) { return static_cast<QVBoxLayout*>(part->layout()); }

} // namespace

FleetHead::FleetHead(FinderTitle titleOf, QWidget* parent)
    : QWidget(parent)
    , m_titleOf(std::move(titleOf))
{
    setFixedHeight(Height);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(16, 12, 16, 12);
    line->setSpacing(40); // With the line between two parts in its middle.
    line->addWidget(makeFinders(), 9);
    line->addWidget(makeLatencies(), 9);
    line->addWidget(makeHosts(), 8);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

QWidget* FleetHead::makeFinders()
{
    QWidget* const part = makePart(6);
    m_findersNote = makeNote();
    linesOf(part)->addLayout(makeTitleLine(makeLabel(tr("Findings by kind"), 11.5, 600, "text.primary"), m_findersNote));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(20);
    grid->setVerticalSpacing(4);
    for (std::size_t i = 0; i < FinderColumns; ++i)
        grid->setColumnStretch(int(i), 1); // A single button does not fill the width.
    for (std::size_t i = 0; i < FinderColumns * FinderRows; ++i) {
        auto* const button = new FinderButton;
        grid->addWidget(button, int(i / FinderColumns), int(i % FinderColumns));
        connect(button, &QAbstractButton::clicked, this, [this, i] { emit finderChosen(text(m_overview->finders[i].finder)); });
        m_finders.push_back(button);
    }
    m_noFinding = makeLabel(tr("No finder found anything in these traces."), 11.5, 400, "text.secondary");
    m_noFinding->setWordWrap(true);
    linesOf(part)->addLayout(grid);
    linesOf(part)->addWidget(m_noFinding);
    linesOf(part)->addStretch(1);
    return part;
}

QWidget* FleetHead::makeLatencies()
{
    QWidget* const part = makePart(3);
    m_latencyTitle = makeLabel({}, 11.5, 600, "text.primary");
    m_latencyNote = makeNote();
    m_latencies = new FleetLatencyChart;
    m_latencies->setAction(tr("Click: list the traces with latencies of %1 and more"));
    linesOf(part)->addWidget(m_latencyTitle);
    linesOf(part)->addWidget(m_latencyNote);
    linesOf(part)->addWidget(m_latencies, 1);
    connect(m_latencies, &FleetLatencyChart::chosen, this, &FleetHead::latencyChosen);
    return part;
}

QWidget* FleetHead::makeHosts()
{
    QWidget* const part = makePart(6);
    m_hostsNote = makeNote();
    m_hosts = new HostGrid;
    linesOf(part)->addLayout(makeTitleLine(makeLabel(tr("Worst by host"), 11.5, 600, "text.primary"), m_hostsNote));
    linesOf(part)->addWidget(m_hosts, 1);
    connect(m_hosts, &HostGrid::chosen, this, &FleetHead::hostChosen);
    return part;
}

void FleetHead::setFleet(const FleetTable& table, std::shared_ptr<const FleetOverview> overview)
{
    m_overview = std::move(overview);
    showFinders(table);
    showLatencies(table);
    m_hosts->setHosts(m_overview->hosts);
    m_hostsNote->setText(tr("by name; darker is slower"));
}

void FleetHead::showFinders(const FleetTable& table)
{
    m_findersNote->setText(tr("%1 of %2 traces").arg(countText(qint64(table.withFindings())), countText(qint64(table.traces.size()))));
    const auto& finders = m_overview->finders;
    const std::size_t most = finders.empty() ? 0 : finders.front().traces;
    for (std::size_t i = 0; i < m_finders.size(); ++i) {
        m_finders[i]->setVisible(i < finders.size());
        if (i < finders.size())
            m_finders[i]->setFinder(m_titleOf(finders[i].finder), finders[i].color, finders[i].traces, most);
    }
    m_noFinding->setVisible(finders.empty());
}

void FleetHead::showLatencies(const FleetTable& table)
{
    const fleet::LatencyKind kind = m_overview->kind;
    const DurationDigest& digest = table.digest(kind);
    const auto& tail = m_overview->tailOf(kind);
    const auto median = digest.percentile(50);
    m_latencyTitle->setText(tr("%1, whole fleet").arg(titleOf(kind)));
    m_latencies->setDigest(digest, tail ? std::optional(tail->highest) : std::nullopt, QString::fromLatin1(tailRole(kind)), tr("p99.9"));
    m_latencies->setAccessibleName(m_latencyTitle->text());
    if (!tail || !median)
        return m_latencyNote->setText(tr("No latency is known: wake-ups, system calls and disk requests were not recorded."));
    m_latencyNote->setText(tr("p50 %1, p99.9 %2; %3 latencies, error at most %4\u2009%")
                               .arg(text(shortDuration(median->estimate)), text(shortDuration(tail->estimate)),
                                    countText(qint64(std::min<std::uint64_t>(digest.count(), INT64_MAX))))
                               .arg(DurationDigest::RelativeError * 100));
    m_latencies->setAccessibleDescription(m_latencyNote->text());
}

void FleetHead::setConditions(const fleet::FleetConditions& conditions)
{
    for (std::size_t i = 0; m_overview && i < std::min(m_finders.size(), m_overview->finders.size()); ++i)
        m_finders[i]->setChecked(m_overview->finders[i].finder == conditions.finder);
}

void FleetHead::setSelectedHost(const QString& host) { m_hosts->setSelected(host); }

void FleetHead::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.panel"));
    painter.fillRect(0, height() - 1, width(), 1, theme().color("line.subtle"));
    for (int i = 1; i < layout()->count(); ++i)
        painter.fillRect(layout()->itemAt(i)->geometry().left() - layout()->spacing() / 2, 12, 1, height() - 24,
                         theme().color("line.subtle"));
}

} // namespace helio
