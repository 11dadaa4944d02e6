#include "widgets/docks/events/event_type_table.h"

#include "core/query/rows/facts.h"
#include "widgets/controls/table_style.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QTreeView>

#include <algorithm>
#include <numeric>

namespace helio {

namespace {

bool isNumber(int column) { return column >= EventTypeModel::Count; }

} // namespace

void EventTypeModel::setCounts(std::vector<EventTypeCount> counts, std::vector<QString> hosts)
{
    beginResetModel();
    m_counts = std::move(counts);
    m_hosts = std::move(hosts);
    m_all = std::accumulate(m_counts.begin(), m_counts.end(), std::uint64_t(0),
                            [](std::uint64_t sum, const EventTypeCount& it) { return sum + it.count; });
    endResetModel();
}

int EventTypeModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_counts.size()); }
int EventTypeModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QString EventTypeModel::textAt(const EventTypeCount& it, int column) const
{
    switch (column) {
    case Name: return QString::fromStdString(it.name);
    case Host: return it.host < m_hosts.size() ? m_hosts[it.host] : QString();
    case Count: return countText(qint64(it.count));
    default: {
        const double percent = 100.0 * double(it.count) / double(std::max<std::uint64_t>(1, m_all));
        return percent < 0.05 ? tr("<0.1 %") : tr("%1 %").arg(percent, 0, 'f', 1);
    }
    }
}

/// Returns e.g. "CPU 0: 12, CPU 3: 4".
QString EventTypeModel::cpusOf(const EventTypeCount& it) const
{
    constexpr std::size_t MostListed = 32;
    QStringList parts;
    for (std::size_t cpu = 0; cpu < std::min(it.byCpu.size(), MostListed); ++cpu)
        if (it.byCpu[cpu] > 0)
            parts << tr("CPU %1: %2").arg(cpu).arg(countText(qint64(it.byCpu[cpu])));
    return parts.join(QLatin1String(", "));
}

QVariant EventTypeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const EventTypeCount& it = m_counts[std::size_t(index.row())];
    switch (role) {
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ForegroundRole: return theme().color(index.column() == Name || index.column() == Count ? "text.primary" : "text.secondary");
    case Qt::ToolTipRole: return cpusOf(it);
    case Qt::DisplayRole: return textAt(it, index.column());
    default: return {};
    }
}

QVariant EventTypeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    static const char* const names[] = {QT_TR_NOOP("Event"), QT_TR_NOOP("Host"), QT_TR_NOOP("Count"), QT_TR_NOOP("Share")};
    return role == Qt::DisplayRole ? tr(names[section]) : QVariant();
}

void EventTypeModel::sort(int column, Qt::SortOrder order)
{
    const auto isBefore = [&](const EventTypeCount& a, const EventTypeCount& b) {
        return column == Name ? a.name < b.name : column == Host ? a.host < b.host : a.count < b.count;
    };
    emit layoutAboutToBeChanged();
    std::ranges::stable_sort(m_counts,
                             [&](const auto& a, const auto& b) { return order == Qt::DescendingOrder ? isBefore(b, a) : isBefore(a, b); });
    emit layoutChanged();
}

EventTypeTable::EventTypeTable(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_table(new QTreeView)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    m_table->setModel(&m_model);
    styleTable(*m_table);
    makeSortable(*m_table, EventTypeModel::Count, Qt::DescendingOrder);
    m_table->setAccessibleName(tr("Events by type"));
    for (const auto& [column, width] :
         {std::pair{EventTypeModel::Name, 320}, {EventTypeModel::Host, 120}, {EventTypeModel::Count, 110}, {EventTypeModel::Share, 80}})
        m_table->header()->resizeSection(column, width);
    setFocusProxy(m_table);
    connect(m_table, &QTreeView::clicked, this, [this](const QModelIndex& index) { emit chosen(m_model.nameAt(index.row())); });
    connect(m_table, &QTreeView::activated, this, [this](const QModelIndex& index) { emit chosen(m_model.nameAt(index.row())); });
    connect(&context, &ViewContext::timelineChanged, this, &EventTypeTable::count);
    connect(&context.time(), &TimeWindow::selectionChanged, this, &EventTypeTable::count);
}

void EventTypeTable::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    count();
}

void EventTypeTable::say(const QString& text)
{
    m_said = text;
    emit remark(text);
}

void EventTypeTable::count()
{
    const auto timeline = m_context.timeline();
    if (!timeline)
        m_job.cancel();
    if (!isVisible())
        return;
    const TimeRange selected = m_context.time().selection();
    const TimeRange range = selected.isEmpty() ? TimeRange{Timestamp::min(), Timestamp::max()} : selected;
    if (!timeline || (timeline == m_counted.lock() && range == m_range))
        return say(m_said);
    m_counted = timeline;
    m_range = range;
    say(tr("counting…"));
    m_job.post([this, timeline, range, isPart = !selected.isEmpty()](std::stop_token stop) -> LatestTask::Delivery {
        int reported = 0;
        const auto progress = [&](double share) {
            if (int(share * 100) <= reported)
                return;
            reported = int(share * 100);
            m_job.deliver(stop, [this, reported] { say(tr("counting, %1 %").arg(reported)); });
        };
        auto counts = std::make_shared<std::vector<EventTypeCount>>(countEventTypes(timeline, range, progress, stop));
        std::vector<QString> hosts;
        for (const HostFacts& host : hostFacts(*timeline))
            hosts.push_back(QString::fromStdString(host.label));
        return [this, counts, hosts, isPart] {
            const QString number = countText(qint64(counts->size()));
            say(isPart ? tr("%1 types in the selected range").arg(number) : tr("%1 types").arg(number));
            m_model.setCounts(std::move(*counts), hosts);
            m_model.sort(m_table->header()->sortIndicatorSection(), m_table->header()->sortIndicatorOrder());
        };
    });
}

} // namespace helio
