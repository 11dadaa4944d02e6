#include "widgets/docks/lock_stat/lock_class_model.h"

#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <algorithm>
#include <optional>

namespace helio {
namespace {

struct LockColumn {
    const char* title;
    const char* tip; ///< Tooltip, with the name of the column in /proc/lock_stat.
};
constexpr LockColumn Titles[] = {
    {QT_TR_NOOP("Lock class"), QT_TR_NOOP("Locks initialized at the same place; -W means writers, -R readers")},
    {QT_TR_NOOP("Contentions"), QT_TR_NOOP("Number of waits: contentions")},
    {QT_TR_NOOP("Wait total"), QT_TR_NOOP("Sum of all waits: waittime-total")},
    {QT_TR_NOOP("Wait max"), QT_TR_NOOP("Longest wait: waittime-max")},
    {QT_TR_NOOP("Wait avg"), QT_TR_NOOP("Mean wait: waittime-avg")},
    {QT_TR_NOOP("Wait min"), QT_TR_NOOP("Shortest wait: waittime-min")},
    {QT_TR_NOOP("Acquisitions"), QT_TR_NOOP("Number of acquisitions: acquisitions")},
    {QT_TR_NOOP("Hold total"), QT_TR_NOOP("Sum of all holds: holdtime-total")},
    {QT_TR_NOOP("Hold max"), QT_TR_NOOP("Longest hold: holdtime-max")},
    {QT_TR_NOOP("Hold avg"), QT_TR_NOOP("Mean hold: holdtime-avg")},
    {QT_TR_NOOP("Hold min"), QT_TR_NOOP("Shortest hold: holdtime-min")},
    {QT_TR_NOOP("Con-bounces"), QT_TR_NOOP("Contentions from another CPU than the lock's last one: con-bounces")},
    {QT_TR_NOOP("Acq-bounces"), QT_TR_NOOP("Acquisitions from another CPU than the lock's last one: acq-bounces")},
};
static_assert(std::size(Titles) == LockClassModel::ColumnCount);

/// Returns the number in a column: a count, or a duration in ns. Returns nullopt for a duration of events that never occurred.
std::optional<std::int64_t> numberIn(const LockStatClass& it, int column)
{
    const auto time = [](std::int64_t count, Duration length) {
        return count > 0 || length.count() > 0 ? std::optional(length.count()) : std::nullopt;
    };
    const auto mean = [](const LockStatTimes& times, std::int64_t count) {
        const auto known = count > 0 || times.total.count() > 0 ? meanOf(times, count) : std::nullopt;
        return known ? std::optional(known->count()) : std::nullopt;
    };
    switch (column) {
    case LockClassModel::Contentions: return it.contentions;
    case LockClassModel::Waited: return time(it.contentions, it.waits.total);
    case LockClassModel::LongestWait: return time(it.contentions, it.waits.most);
    case LockClassModel::MeanWait: return mean(it.waits, it.contentions);
    case LockClassModel::ShortestWait: return time(it.contentions, it.waits.least);
    case LockClassModel::Acquisitions: return it.acquisitions;
    case LockClassModel::Held: return time(it.acquisitions, it.holds.total);
    case LockClassModel::LongestHold: return time(it.acquisitions, it.holds.most);
    case LockClassModel::MeanHold: return mean(it.holds, it.acquisitions);
    case LockClassModel::ShortestHold: return time(it.acquisitions, it.holds.least);
    case LockClassModel::WaitBounces: return it.waitBounces;
    case LockClassModel::Bounces: return it.bounces;
    default: return {};
    }
}

bool isCount(int column)
{
    return column == LockClassModel::Contentions || column == LockClassModel::Acquisitions || column >= LockClassModel::WaitBounces;
}

QString cellText(const LockStatClass& it, int column)
{
    const auto number = numberIn(it, column);
    return !number ? QStringLiteral("\u2013") : isCount(column) ? countText(*number) : durationText(Duration(*number));
}

QString csvLine(const LockStatClass& it)
{
    QStringList cells{csvQuoted(text(it.name))};
    const auto times = [&](std::int64_t count, const LockStatTimes& of) {
        const auto mean = meanOf(of, count);
        for (const std::int64_t number : {count, of.least.count(), of.most.count(), of.total.count()})
            cells << QString::number(number);
        cells << (mean ? QString::number(mean->count()) : QString());
    };
    times(it.contentions, it.waits);
    times(it.acquisitions, it.holds);
    cells << QString::number(it.waitBounces) << QString::number(it.bounces);
    return cells.join(',') + '\n';
}

} // namespace

LockClassModel::LockClassModel()
{
    using Line = const LockStatClass*;
    Columns columns;
    columns.push_back({tr(Titles[Name].title), [](const Line& it) { return text(it->name); }, false,
                       [](const Line& a, const Line& b) { return a->name < b->name; },
                       [](const Line& it) { return text(it->name).toHtmlEscaped(); }, tr(Titles[Name].tip)});
    for (int column = Contentions; column < ColumnCount; ++column)
        columns.push_back({tr(Titles[column].title),
                           [column](const Line& it) { return cellText(*it, column); },
                           true,
                           [column](const Line& a, const Line& b) { return numberIn(*a, column) < numberIn(*b, column); },
                           {},
                           tr(Titles[column].tip)});
    setColumns(std::move(columns));
    sort(Contentions, Qt::DescendingOrder);
}

void LockClassModel::setText(std::shared_ptr<const ReadLockStat> text)
{
    const auto before = std::exchange(m_text, std::move(text)); // Keep the old text alive until the items that point into it are replaced.
    m_searchable.clear();
    std::vector<const LockStatClass*> lines;
    if (m_text) {
        for (const LockStatClass& it : m_text->stat.classes) {
            m_searchable << helio::text(it.name).toLower();
            lines.push_back(&it);
        }
        for (const LockStatPoint& it : m_text->stat.points)
            // A code location belongs to one or both of the last two classes that precede it in the file.
            for (std::size_t place = it.after; place > 0 && place + 2 > it.after; --place)
                if (isOf(it, m_text->stat, place - 1))
                    m_searchable[qsizetype(place - 1)] += '\n' + helio::text(it.symbol).toLower();
    }
    setLines(std::move(lines));
}

void LockClassModel::setFilter(const QString& filter)
{
    const QString searched = filter.trimmed().toLower();
    setShown([this, searched](const LockStatClass* const& it) {
        return searched.isEmpty() || m_searchable[qsizetype(it - m_text->stat.classes.data())].contains(searched);
    });
}

int LockClassModel::find(const std::string& name) const
{
    return findRow([&](const LockStatClass* it) { return it->name == name; });
}

LockStatSum LockClassModel::sum() const
{
    std::vector<const LockStatClass*> listed;
    for (int row = 0; row < rowCount(); ++row)
        listed.push_back(&lockClass(row));
    return sumOf(listed);
}

QString LockClassModel::csv() const
{
    QString all =
        QStringLiteral("class,contentions,wait_min_ns,wait_max_ns,wait_total_ns,wait_mean_ns,acquisitions,hold_min_ns,hold_max_ns,"
                       "hold_total_ns,hold_mean_ns,contention_bounces,acquisition_bounces\n");
    for (int row = 0; row < rowCount(); ++row)
        all += csvLine(lockClass(row));
    return all;
}

} // namespace helio
