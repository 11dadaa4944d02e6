#include "widgets/docks/clocks/host_table.h"

#include "core/query/rows/facts.h"
#include "core/timesync/host_clocks.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/controls/table_style.h"
#include "widgets/docks/clocks/clock_text.h"
#include "widgets/docks/clocks/offset_text.h"
#include "widgets/paint/focus_ring.h"
#include "widgets/paint/host_badge.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <numeric>

namespace helio {

namespace {

constexpr int LineHeight = 24;
constexpr int LeastName = 72;
constexpr int MostLines = 6; ///< Maximum number of visible lines; further lines are reached by scrolling.

QString capital(QString word)
{
    if (!word.isEmpty())
        word[0] = word[0].toUpper();
    return word;
}

bool isNumber(int column) { return column != HostModel::Host && column != HostModel::Method; }

/// Delegate that paints the host's name after its badge, and numbers with tabular digits.
class HostDelegate : public LineDelegate {
public:
    using LineDelegate::LineDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {40, LineHeight}; }

private:
    QRect paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& room) const override
    {
        if (isNumber(index.column())) {
            painter.setFont(option.font);
            painter.setPen(index.data(Qt::ForegroundRole).value<QColor>());
            drawTabular(painter, QRectF(room).adjusted(0, 0, -3, 0), Qt::AlignRight, index.data(Qt::DisplayRole).toString());
            return {};
        }
        if (index.column() != HostModel::Host)
            return room;
        if (option.state & QStyle::State_Selected) // Paints the left edge of a selected row, as panels do.
            painter.fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), theme().color("accent.fill"));
        paintHostBadge(painter, QPointF(room.left() + 4, option.rect.center().y() - BadgeSize / 2 + 1),
                       static_cast<const HostModel*>(index.model())->heading(index.row()), theme());
        return room.adjusted(BadgeSize + 8, 0, 0, 0);
    }
};

} // namespace

HostModel::HostModel()
{
    using Line = std::size_t;
    ColumnModel::Columns columns;
    for (const QString& title : {tr("Host"), tr("Offset"), tr("Drift ppm"), tr("Error"), tr("Method"), QString()}) {
        const int column = int(columns.size());
        const auto color = [this, column](const Line& it) {
            const bool isDoubtful = column == Method && m_clocks[it].path.empty() && m_clocks[it].method != ClockMethod::Reference;
            return isDoubtful ? QStringLiteral("severity.warning") : QStringLiteral("text.primary");
        };
        columns.push_back({title,
                           [this, column](const Line& it) { return textOf(m_clocks[it], column); },
                           isNumber(column),
                           {},
                           [this, column](const Line& it) { return tipOf(m_clocks[it], column); },
                           {},
                           color});
    }
    setColumns(std::move(columns));
}

void HostModel::setClocks(std::shared_ptr<const Timeline> timeline, std::vector<HostClockFacts> clocks)
{
    const bool areTheSame = std::ranges::equal(clocks, m_clocks, {}, &HostClockFacts::label, &HostClockFacts::label);
    m_timeline = std::move(timeline);
    m_clocks = std::move(clocks);
    m_headings = m_timeline ? hostHeadings(*m_timeline) : std::vector<HostHeading>();
    std::vector<std::size_t> lines(m_clocks.size());
    std::iota(lines.begin(), lines.end(), std::size_t(0));
    areTheSame ? refreshCells() : setLines(std::move(lines));
    setTitle(Messages, capital(m_timeline ? text(messagesPlural(*m_timeline)) : QString()));
}

namespace {

/// Returns a drift in ppm with as many digits as its error allows.
QString shownDrift(const HostClockFacts& clock)
{
    if (!clock.driftError)
        return ppmText(-clock.line.driftPpm());
    const QString rounded = text(driftText(clock)).section(u' ', 0, 0);
    return rounded.toDouble() == 0 ? QStringLiteral("0") : rounded.startsWith(u'-') ? QChar(0x2212) + rounded.mid(1) : u'+' + rounded;
}

} // namespace

QString HostModel::textOf(const HostClockFacts& clock, int column) const
{
    const bool isReference = clock.method == ClockMethod::Reference;
    const bool isPlaced = !isReference && !clock.path.empty();
    const QString none = QStringLiteral("\u2013");
    switch (column) {
    case Host: return QString::fromStdString(clock.name);
    case Offset:
        return isReference ? QStringLiteral("0")
            : isPlaced     ? tr("%1 s").arg(secondsText(clock.offset, clock.method == ClockMethod::Manual ? Duration{} : clock.minError))
                           : none;
    case Drift: return isReference ? QStringLiteral("0") : isPlaced ? shownDrift(clock) : none;
    case Error: return errorText(clock);
    case Method: return methodText(*m_timeline, clock);
    case Messages: return clock.matches > 0 ? countText(qint64(clock.matches)) : none;
    default: return {};
    }
}

QString HostModel::tipOf(const HostClockFacts& clock, int column) const
{
    const QString reference = text(hostName(*m_timeline, clock.path.empty() ? m_timeline->reference : clock.path.front()));
    switch (column) {
    case Offset: return tr("Added to its times, in the middle of its traces, to show them on the clock of %1").arg(reference);
    case Drift:
        return tr("How much faster (+) or slower (\u2212) its clock runs than that of %1").arg(reference)
            + (clock.driftError ? tr(": %1 ppm if both run evenly").arg(text(driftText(clock))) : QString());
    case Error: return tr("Largest error bound of the host's times");
    case Messages:
        return clock.matches == 0
            ? QString()
            : tr("%1 received, %2 sent; %3 contradict the others")
                  .arg(countText(qint64(clock.matchesTo)), countText(qint64(clock.matchesFrom)), countText(qint64(clock.outliers)));
    default: return QString::fromStdString(sentenceOf(*m_timeline, clock));
    }
}

HostTable::HostTable(QWidget* parent)
    : QTreeView(parent)
{
    showModel(*this, m_model, tr("Hosts and their clocks"), new HostDelegate(this, {LineHeight}));
    header()->setSectionsMovable(false);
    header()->setSectionResizeMode(QHeaderView::Fixed);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &HostTable::hostChosen);
}

void HostTable::setClocks(std::shared_ptr<const Timeline> timeline, std::vector<HostClockFacts> clocks)
{
    const QString before = currentIndex().siblingAtColumn(0).data().toString();
    const auto reference = timeline ? timeline->reference : 0;
    const std::size_t count = m_model.clocks().size();
    m_model.setClocks(std::move(timeline), std::move(clocks));
    if (count != m_model.clocks().size())
        updateGeometry();
    if (currentIndex().isValid() || m_model.clocks().empty())
        return;
    const auto same = std::ranges::find(m_model.clocks(), before.toStdString(), &HostClockFacts::label);
    const auto other = std::ranges::find_if(m_model.clocks(), [&](const HostClockFacts& it) { return it.host != reference; });
    const auto chosen = same != m_model.clocks().end() ? same : other != m_model.clocks().end() ? other : m_model.clocks().begin();
    choose(int(chosen - m_model.clocks().begin()));
}

void HostTable::choose(int host) { setCurrentIndex(m_model.index(host, 0)); }

QSize HostTable::sizeHint() const
{
    const int lines = std::clamp(m_model.rowCount(), 1, MostLines);
    const int bar = header()->length() > viewport()->width() ? horizontalScrollBar()->sizeHint().height() : 0;
    return {360, header()->sizeHint().height() + lines * LineHeight + bar + 2};
}

/// Gives the name column the width that the number columns leave. If less than LeastName is left, the column is LeastName wide and the
/// table scrolls horizontally.
void HostTable::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    const int before = sizeHint().height();
    const double scale = fonts().scale();
    const int widths[] = {LeastName, 104, 70, 64, 74, 70};
    for (int column = HostModel::Host; column < HostModel::Columns; ++column)
        header()->resizeSection(column, int(widths[column] * scale));
    const int others = header()->length() - header()->sectionSize(HostModel::Host);
    header()->resizeSection(HostModel::Host, std::max(int(LeastName * scale), viewport()->width() - others));
    if (sizeHint().height() != before) // The height includes the horizontal scroll bar, which must not cover a line.
        updateGeometry();
}

} // namespace helio
