#include "widgets/docks/why/step_model.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/rows.h"
#include "core/timesync/link_times.h"
#include "core/waits/path/path.h"
#include "widgets/controls/table_style.h"
#include "widgets/paint/host_badge.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <algorithm>

namespace helio {

namespace {

/// Returns e.g. "python3: network, tcp 10.0.1.1:48540 > 10.0.1.2:8080", because a line has no room for the full text.
QString shortWords(const Timeline& timeline, const WaitStep& step)
{
    const auto row = rowOf(timeline, step.row);
    const QString who = row ? text(row->label) : QString();
    const QString kind = step.kind == PathKind::Running ? QString() : theme().lookOf(stateOf(step.kind)).legend;
    const QString what = text(step.what);
    return who + ": " + (kind.isEmpty() || what.isEmpty() ? kind + what : kind + ", " + what);
}

constexpr int StepMargin = 8;
constexpr int StepIndent = 10; ///< Pixels for each wait that contains the step.
constexpr int MostIndents = 6;
constexpr int SwatchWidth = 3, SwatchHeight = 12;

} // namespace

QString errorWords(const WaitStep& step)
{
    return step.error == Duration::zero() ? QString()
        : step.error == UnknownError      ? StepModel::tr("±?")
                                          : StepModel::tr("±%1").arg(durationText(step.error));
}

void StepModel::setSteps(std::shared_ptr<const Timeline> timeline, std::vector<WaitStep> steps, std::size_t main, const TimeFormat& format)
{
    beginResetModel();
    m_timeline = std::move(timeline);
    m_steps = std::move(steps);
    m_hosts = m_timeline ? hostHeadings(*m_timeline) : std::vector<HostHeading>();
    m_format = format;
    m_main = main;
    endResetModel();
}

const HostHeading* StepModel::hostOf(const WaitStep& step) const
{
    const std::uint32_t host = m_hosts.size() > 1 ? helio::hostOf(*m_timeline, traceOf(*m_timeline, step.row)) : 0;
    return m_hosts.size() > 1 && host < m_hosts.size() ? &m_hosts[host] : nullptr;
}

QVariant StepModel::data(const QModelIndex& index, int role) const
{
    const WaitStep& it = m_steps[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == What ? shortWords(*m_timeline, it)
            : index.column() == When  ? QStringLiteral("+") + durationText(it.range.begin - m_steps.front().range.begin)
                                      : durationText(it.range.duration());
    case Qt::ToolTipRole: {
        const QString event = it.event.empty() ? QString() : tr("\nUntil %1 at %2").arg(text(it.event), timeText(it.eventAt, m_format));
        const QString when = tr("\nFrom %1").arg(timeText(it.range.begin, m_format));
        const QString gone = it.isFollowed ? tr("\nWhat it waited for is in the lines below, indented") : QString();
        const QString sure = errorWords(it).isEmpty() ? QString()
            : it.error == UnknownError                ? tr("\nOn another host, whose clock nothing relates to the first one's")
                                                      : tr("\nOn another host: its times are right within %1").arg(errorWords(it));
        return QString("<qt>" + (text(it.words) + when + sure + event + gone).toHtmlEscaped().replace('\n', "<br>") + "</qt>");
    }
    case Qt::TextAlignmentRole:
        return index.column() == What ? int(Qt::AlignLeft | Qt::AlignVCenter) : int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ForegroundRole: return theme().color(index.column() == When ? "text.link" : it.isFollowed ? "text.secondary" : "text.primary");
    case Qt::FontRole:
        if (std::size_t(index.row()) == m_main) {
            QFont font;
            font.setWeight(QFont::DemiBold);
            return font;
        }
        return {};
    default: return {};
    }
}

QVariant StepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == What ? tr("Step by step") : section == When ? tr("after") : tr("lasted");
}

StepDelegate::StepDelegate(const StepModel& model, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_model(model)
{
}

QSize StepDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QFont font = option.font;
    font.setWeight(QFont::DemiBold); // Weight of the highlighted step, the widest case.
    return {cellWidth(index.data().toString(), font) + 2 * StepMargin, Height};
}

void StepDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    paintLineGround(*painter, option);
    QRect room = option.rect.adjusted(StepMargin, 0, -StepMargin, 0);
    const WaitStep& step = m_model.step(index.row());
    if (index.column() == StepModel::What) {
        room.setLeft(room.left() + StepIndent * std::min<int>(step.depth, MostIndents));
        const QRect swatch(room.left(), room.center().y() - SwatchHeight / 2 + 1, SwatchWidth, SwatchHeight);
        painter->fillRect(swatch, theme().lookOf(stateOf(step.kind)).color);
        room.setLeft(swatch.right() + 7);
        if (const HostHeading* host = m_model.hostOf(step)) {
            paintHostBadge(*painter, QPointF(room.left(), room.center().y() - BadgeSize / 2 + 1), *host, theme());
            room.setLeft(room.left() + BadgeSize + 6);
        }
    }
    const QVariant font = index.data(Qt::FontRole);
    QFont with = option.font;
    if (font.isValid())
        with.setWeight(QFont::DemiBold);
    paintCell(*painter, room, index, with);
}

} // namespace helio
