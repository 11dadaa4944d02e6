#include "widgets/workspace/shown_command.h"

#include "core/query/rows/row_lookup.h"
#include "core/timesync/host_clocks.h"
#include "widgets/time/time_window.h"

#include <QCoreApplication>

#include <algorithm>

namespace helio {

QString rowPattern(const std::string& text)
{
    QString pattern;
    for (const QChar c : QString::fromStdString(text))
        pattern += QStringLiteral("*?[").contains(c) ? QStringLiteral("[%1]").arg(c) : QString(c);
    return pattern;
}

QStringList optionWords(const char* name, const QString& value)
{
    // A value that begins with "-" is joined to the option, because as a separate word it would be parsed as an option.
    if (value.startsWith(u'-'))
        return {QStringLiteral("%1=%2").arg(QLatin1StringView(name), value)};
    return value.isEmpty() ? QStringList() : QStringList{name, value};
}

QStringList rangeOptions(const TimeWindow& time, TimeRange range)
{
    QStringList words;
    if (range.begin > time.full().begin)
        words << "--begin" << QString::number(nanoseconds(range.begin));
    if (range.end < time.full().end)
        words << "--end" << QString::number(nanoseconds(range.end));
    return words;
}

QStringList hostOptions(const Timeline& timeline, std::uint32_t host)
{
    // The recorded name is used, because the command has no access to names that the user gave to hosts.
    const auto& hosts = timeline.hosts;
    return hosts.size() > 1 && host < hosts.size() ? optionWords("--host", QString::fromStdString(hosts[host].label)) : QStringList();
}

QStringList threadOptions(const Timeline& timeline, const Row& thread)
{
    const auto isOfNumber = [&](const Row& row) {
        return row.role == TrackRole::Thread && row.host == thread.host && row.tid == thread.tid;
    };
    const std::vector<Row> all = rows(timeline, findViewWithRole(timeline, TrackRole::Thread));
    const bool isUnique = thread.tid >= 0 && (thread.role != TrackRole::Thread || std::ranges::count_if(all, isOfNumber) < 2);
    const QStringList words = isUnique ? QStringList{"--thread", QString::number(thread.tid)} : QStringList{"--row", rowPattern(thread.id)};
    return words + hostOptions(timeline, thread.host);
}

ShownCommand pathCommand(const Timeline& timeline, const TimeWindow& time, const PathRequest& path, const QStringList& options)
{
    const auto thread = rowOf(timeline, path.thread);
    if (!thread)
        return ShownCommand::none(QCoreApplication::translate("helio::ShownCommand", "The thread of the critical path is unknown."));
    const QStringList range = path.range.isEmpty() ? QStringList() : rangeOptions(time, path.range);
    return {QStringList{"critical-path"} + options + threadOptions(timeline, *thread) + range, {}, {}};
}

} // namespace helio
