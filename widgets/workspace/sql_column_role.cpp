#include "widgets/workspace/sql_column_role.h"

#include "widgets/time/qt_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace helio {

namespace {

QString lower(std::string_view name) { return text(name).toLower(); }

/// Returns the name of the column that an aggregate of one column adds up: "dur" for "sum(s.dur)"; otherwise the name itself.
QString columnIn(const QString& name)
{
    static const QRegularExpression aggregate(QStringLiteral("^(?:sum|min|max|avg|total)\\s*\\(\\s*(?:\\w+\\.)?(\\w+)\\s*\\)$"));
    const auto match = aggregate.match(name);
    return match.hasMatch() ? match.captured(1) : name;
}

} // namespace

SqlColumnRole sqlColumnRole(std::string_view name)
{
    const QString written = lower(name);
    const QString column = columnIn(written);
    static const std::array numbers{"id",       "cpu", "ucpu",           "tid",     "pid",     "utid",       "upid", "depth",
                                    "priority", "uid", "is_main_thread", "certain", "io_wait", "irq_context"};
    if (column == "thread_ts")
        return SqlColumnRole::Plain; // On a CPU clock, not on the experiment's.
    if (column == "ts" || column.endsWith("_ts") || column == "ts_end")
        return written.startsWith("sum") || written.startsWith("total") ? SqlColumnRole::Plain : SqlColumnRole::Time;
    if (column == "dur" || column.endsWith("_dur"))
        return SqlColumnRole::Length;
    if (column == "state" || column == "end_state")
        return SqlColumnRole::State;
    if (column.endsWith("_id") || column.endsWith("_utid") || column.endsWith("_upid")
        || std::ranges::any_of(numbers, [&](const char* it) { return column == QLatin1String(it); }))
        return SqlColumnRole::Number;
    return SqlColumnRole::Plain;
}

} // namespace helio
