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

/// Returns a short text for a step, e.g. "python3: network, tcp 10.0.1.1:48540 > 10.0.1.2:8080", because a line has no room for the
/// complete text.
QString shortWords(const Timeline& timeline, const WaitStep& step)
{
    const auto row = rowOf(timeline, step.row);
    const QString who = row ? text(row->label) : QString();
    const QString kind = step.kind == PathKind::Running ? QString() : theme().lookOf(stateOf(step.kind)).legend;
    const QString what = text(step.what);
    return who + ": " + (kind.isEmpty() || what.isEmpty() ? kind + what : kind + ", " + what);
}

constexpr int StepIndent = 10; ///< Indentation in pixels for each wait that contains the step.
constexpr int MostIndents = 6;
constexpr int SwatchWidth = 3, SwatchHeight = 12;

} // namespace

QString errorWords(const WaitStep& step)
{
    return step.error == Duration::zero() ? QString()
        : step.error == UnknownError      ? StepModel::tr("±?")
                                          : StepModel::tr("±%1").arg(durationText(step.error));
}

StepModel::StepModel(QObject* parent)
    : ColumnModel({}, parent)
{
    using Line = WaitStep;
    const auto tip = [this](const Line& it) { return tipOf(it); };
    const auto color = [](const Line& it) { return it.isFollowed ? QStringLiteral("text.secondary") : QStringLiteral("text.primary"); };
    setColumns({
        {tr("Step"), [this](const Line& it) { return shortWords(*m_timeline, it); }, false, {}, tip, {}, color},
        {tr("Start"),
         [this](const Line& it) { return QStringLiteral("+") + durationText(it.range.begin - lines().front().range.begin); },
         true,
         {},
         tip,
         {},
         [](const Line&) { return QStringLiteral("text.link"); }},
        {tr("Duration"), [](const Line& it) { return durationText(it.range.duration()); }, true, {}, tip, {}, color},
    });
}

void StepModel::setSteps(std::shared_ptr<const Timeline> timeline, std::vector<WaitStep> steps, std::size_t main, const TimeFormat& format)
{
    m_timeline = std::move(timeline);
    m_hosts = m_timeline ? hostHeadings(*m_timeline) : std::vector<HostHeading>();
    m_format = format;
    m_main = main;
    setLines(std::move(steps));
}

const HostHeading* StepModel::hostOf(const WaitStep& step) const
{
    const std::uint32_t host = m_hosts.size() > 1 ? helio::hostOf(*m_timeline, traceOf(*m_timeline, step.row)) : 0;
    return m_hosts.size() > 1 && host < m_hosts.size() ? &m_hosts[host] : nullptr;
}

QString StepModel::tipOf(const WaitStep& it) const
{
    const QString event = it.event.empty() ? QString() : tr("\nUntil %1 at %2").arg(text(it.event), timeText(it.eventAt, m_format));
    const QString when = tr("\nFrom %1").arg(timeText(it.range.begin, m_format));
    const QString gone = it.isFollowed ? tr("\nThe indented lines below are its steps") : QString();
    const QString sure = errorWords(it).isEmpty() ? QString()
        : it.error == UnknownError                ? tr("\nOn another host whose clock is not related to the first host's")
                                                  : tr("\nOn another host; times accurate to %1").arg(errorWords(it));
    return QString("<qt>" + (text(it.words) + when + sure + event + gone).toHtmlEscaped().replace('\n', "<br>") + "</qt>");
}

QVariant StepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return role == Qt::DisplayRole ? ColumnModel::headerData(section, orientation, role) : QVariant();
}

QSize StepDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem widest = option;
    widest.font.setWeight(QFont::DemiBold); // The highlighted step is bold, which is the widest case.
    return LineDelegate::sizeHint(widest, index);
}

void StepDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem shown = option;
    if (static_cast<const StepModel*>(index.model())->isMain(index.row()))
        shown.font.setWeight(QFont::DemiBold);
    LineDelegate::paint(painter, shown, index);
}

QRect StepDelegate::paintMarks(QPainter& painter, const QStyleOptionViewItem&, const QModelIndex& index, const QRect& room) const
{
    if (index.column() != StepModel::What)
        return room;
    const auto& model = *static_cast<const StepModel*>(index.model());
    const WaitStep& step = model.line(index.row());
    const QRect mark(room.left() + StepIndent * std::min<int>(step.depth, MostIndents), room.center().y() - SwatchHeight / 2 + 1,
                     SwatchWidth, SwatchHeight);
    painter.fillRect(mark, theme().lookOf(stateOf(step.kind)).color);
    int left = mark.right() + 7;
    if (const HostHeading* host = model.hostOf(step)) {
        paintHostBadge(painter, QPointF(left, room.center().y() - BadgeSize / 2 + 1), *host, theme());
        left += BadgeSize + 6;
    }
    return {QPoint(left, room.top()), room.bottomRight()};
}

} // namespace helio
