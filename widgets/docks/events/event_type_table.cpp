#include "widgets/docks/events/event_type_table.h"

#include "core/query/rows/facts.h"
#include "widgets/controls/table_copy.h"
#include "widgets/controls/table_style.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/sql_requests.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QTreeView>

#include <algorithm>
#include <numeric>

namespace helio {

namespace {

/// Returns the counts by CPU, e.g. "CPU 0: 12, CPU 3: 4".
QString cpusOf(const EventTypeCount& it)
{
    constexpr std::size_t MostListed = 32;
    QStringList parts;
    for (std::size_t cpu = 0; cpu < std::min(it.byCpu.size(), MostListed); ++cpu)
        if (it.byCpu[cpu] > 0)
            parts << EventTypeModel::tr("CPU %1: %2").arg(cpu).arg(countText(qint64(it.byCpu[cpu])));
    return parts.join(QLatin1String(", "));
}

} // namespace

EventTypeModel::EventTypeModel()
{
    using Line = EventTypeCount;
    const auto isRarer = [](const Line& a, const Line& b) { return a.count < b.count; };
    const auto primary = [](const Line&) { return QStringLiteral("text.primary"); };
    const auto share = [this](const Line& it) {
        const double percent = 100.0 * double(it.count) / double(std::max<std::uint64_t>(1, m_all));
        return percent < 0.05 ? tr("<0.1 %") : tr("%1 %").arg(percent, 0, 'f', 1);
    };
    setColumns({
        {tr("Event"), [](const Line& it) { return QString::fromStdString(it.name); }, false,
         [](const Line& a, const Line& b) { return a.name < b.name; }, cpusOf},
        {tr("Host"), [this](const Line& it) { return it.host < m_hosts.size() ? m_hosts[it.host] : QString(); }, false,
         [](const Line& a, const Line& b) { return a.host < b.host; }, cpusOf},
        {tr("Count"), [](const Line& it) { return countText(qint64(it.count)); }, true, isRarer, cpusOf, {}, primary},
        {tr("Share"), share, true, isRarer, cpusOf},
    });
    setFirstOrder(Qt::AscendingOrder);
}

void EventTypeModel::setCounts(std::vector<EventTypeCount> counts, std::vector<QString> hosts)
{
    m_hosts = std::move(hosts);
    m_all = std::accumulate(counts.begin(), counts.end(), std::uint64_t(0),
                            [](std::uint64_t sum, const EventTypeCount& it) { return sum + it.count; });
    setLines(std::move(counts));
}

EventTypeTable::EventTypeTable(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_table(new QTreeView)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    showModel(*m_table, m_model, tr("Events by type"));
    setFurtherActions(*m_table, [this](QMenu& menu, const QModelIndex&) {
        const TimeRange selected = m_context.time().selection();
        const QString range = selected.isEmpty()
            ? QString()
            : QStringLiteral("WHERE ts >= %1 AND ts < %2\n").arg(nanoseconds(selected.begin)).arg(nanoseconds(selected.end));
        addSqlAction(menu, m_context,
                     QStringLiteral("-- Events by name\nSELECT name, host_id, count(*) AS events\nFROM event\n%1"
                                    "GROUP BY name, host_id\nORDER BY events DESC")
                         .arg(range));
    });
    makeSortable(*m_table, EventTypeModel::Count, Qt::DescendingOrder);
    setColumnWidths(*m_table, {320, 120, 110, 80});
    setFocusProxy(m_table);
    onChosen(*m_table, this, [this](const QModelIndex& index) { emit chosen(m_model.nameAt(index.row())); });
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
        };
    });
}

} // namespace helio
