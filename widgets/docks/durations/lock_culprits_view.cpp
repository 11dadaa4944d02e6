#include "widgets/docks/durations/lock_culprits_view.h"

#include "core/query/rows/facts.h"
#include "widgets/controls/table_copy.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/sql_requests.h"

#include <QMenu>
#include <QTreeView>

#include <utility>

namespace helio {

LockCulpritsView::LockCulpritsView(ViewContext& context, QWidget* parent)
    : NavigablePanel(context, {tr("Culprits"), tr("Locks")}, tr("Lock culprits"), parent)
{
    setFurtherActions(view(), [this](QMenu& menu, const QModelIndex&) { addSqlAction(menu, this->context(), shownQuery()); });
}

/// Returns the query in SQL for the waits by lock, in the range of the table. No table of the database has the culprits.
QString LockCulpritsView::shownQuery() const
{
    const TimeRange range = context().time().selection();
    const QString inRange = m_usesSelection && !range.isEmpty()
        ? QStringLiteral("\n  AND ts < %1 AND ts + dur > %2").arg(nanoseconds(range.end)).arg(nanoseconds(range.begin))
        : QString();
    return QStringLiteral("-- Waits by lock\n"
                          "SELECT slice.name, count(*) AS waits, sum(dur) AS total_dur, max(dur) AS longest_dur\n"
                          "FROM slice\nJOIN track ON track.id = track_id\nWHERE type = 'lock' AND dur >= 0%1\n"
                          "GROUP BY slice.name\nORDER BY total_dur DESC")
        .arg(inRange);
}

ShownCommand LockCulpritsView::shownCommand() const
{
    QStringList command{"locks"};
    if (Shown(chosen()) == Shown::Culprits)
        command << "--culprits";
    return {command + (m_usesSelection ? rangeOptions(context().time(), context().time().selection()) : QStringList()), {}, {}};
}

void LockCulpritsView::fetch()
{
    if (!isVisible()) // Do not fetch while hidden: showEvent() fetches when the view becomes visible.
        return;
    const auto timeline = context().timeline();
    const TimeRange selection = context().time().selection();
    if (!timeline) {
        answer().cancel();
        m_tables = {};
        m_of.reset();
        return fill();
    }
    answer().post([this, timeline, selection](std::stop_token stop) -> LatestTask::Delivery {
        const LockSelection selected{selection.isEmpty() ? TimeRange{Timestamp::min(), Timestamp::max()} : selection, {}};
        auto tables =
            std::make_shared<Tables>(Tables{lockCulprits(*timeline, selected, stop), computeLockContention(*timeline, selected, stop),
                                            countKernelLockWaits(*timeline, selected, stop)});
        if (stop.stop_requested())
            return {};
        return [this, tables, timeline, isOfSelection = !selection.isEmpty()] {
            m_tables = std::move(*tables);
            m_of = timeline;
            m_usesSelection = isOfSelection;
            fill();
        };
    });
}

void LockCulpritsView::fill()
{
    using Cell = NavigableTable::Cell;
    std::vector<NavigableTable::Column> columns;
    std::vector<std::vector<Cell>> lines;
    const auto counted = [](std::uint64_t count, const LongestLoss& place) { return Cell{countText(qint64(count)), qint64(count), place}; };
    const auto lasted = [](Duration time, const LongestLoss& place) { return Cell{durationText(time), time.count(), place}; };
    const auto named = [](const std::string& name, const LongestLoss& place) { return Cell{text(name), -1, place}; };
    const bool hasHosts = m_of && m_of->hosts.size() > 1;
    const auto hostOf = [&](std::uint32_t host) { return m_of ? hostName(*m_of, host) : std::string(); };
    Duration all{};
    if (Shown(chosen()) == Shown::Culprits) {
        columns = {{tr("Culprit"), false}, {tr("Made others wait"), true}, {tr("Count"), true},
                   {tr("Longest"), true},  {tr("Evidence"), false},        {tr("Lock"), false}};
        for (const LockCulprit& it : m_tables.culprits) {
            const LongestLoss place{it.row, it.longest.begin, it.most};
            const QString did = it.did == LockCulprit::Evidence::Held ? tr("held the lock") : tr("ended the waits");
            lines.push_back({named(it.who, place), lasted(it.causedWait, place), counted(it.times, place), lasted(it.most, place),
                             Cell{did, -1, place}, named(it.lock, place)});
            if (hasHosts)
                lines.back().push_back(named(hostOf(it.host), place));
            all += it.causedWait;
        }
    } else {
        columns = {{tr("Lock"), false},   {tr("Waited"), true}, {tr("Waits"), true},          {tr("Longest"), true},
                   {tr("Threads"), true}, {tr("Held"), true},   {tr("Waited for work"), true}};
        for (const LockContention& it : m_tables.locks) {
            lines.push_back({named(it.name, {}), lasted(it.waited, {}), counted(it.waits, {}), lasted(it.longest.duration(), {}),
                             counted(it.threads, {}), lasted(it.held, {}), lasted(it.waitedForWork, {})});
            if (hasHosts)
                lines.back().push_back(named(hostOf(it.host), {}));
            all += it.waited;
        }
    }
    if (hasHosts)
        columns.push_back({tr("Host"), false});
    const bool isEmpty = lines.empty();
    setLines(columns, std::move(lines));
    const QString scope = m_usesSelection ? tr("in the selected range") : tr("in the whole trace");
    QString what = isEmpty ? tr("No thread waited for a lock %1.").arg(scope) : tr("%1 of waiting %2").arg(durationText(all), scope);
    if (Shown(chosen()) == Shown::Culprits && m_tables.kernelWaits > 0)
        what += tr("; owners of %1 waits for kernel locks are not recorded").arg(countText(qint64(m_tables.kernelWaits)));
    scopeLabel().setText(what);
}

} // namespace helio
