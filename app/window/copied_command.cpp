#include "app/window/copied_command.h"

#include "core/query/rows/row_lookup.h"
#include "core/query/rows/views.h"
#include "widgets/time/qt_text.h"
#include "widgets/timegraph/time_panel.h"
#include "widgets/view/view_context.h"

#include <functional>
#include <map>

namespace helio {

namespace {

QString quoted(const QString& word)
{
    const auto isPlain = [](QChar c) { return (c.unicode() < 128 && c.isLetterOrNumber()) || QStringLiteral("-_./:=,+%@").contains(c); };
    if (!word.isEmpty() && std::ranges::all_of(word, isPlain))
        return word;
    return u'\'' + QString(word).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

/// An option with its value; nothing if the value is empty.
QStringList option(const char* name, const QString& value) { return value.isEmpty() ? QStringList() : QStringList{name, value}; }

QStringList threadOption(ViewContext& context)
{
    const auto timeline = context.timeline();
    const auto row = timeline ? rowOf(*timeline, context.time().row()) : std::nullopt;
    return row && row->tid >= 0 ? QStringList{"--thread", QString::number(row->tid)} : QStringList();
}

QString ns(Timestamp at) { return QString::number(nanoseconds(at)); }

QStringList rangeOptions(const TimeWindow& time)
{
    const TimeRange range = time.focus();
    QStringList words;
    if (range.begin > time.full().begin)
        words << "--begin" << ns(range.begin);
    if (range.end < time.full().end)
        words << "--end" << ns(range.end);
    return words;
}

/// A command without its traces; empty if there is none.
QStringList commandOf(const CommandSubject& it, ViewContext& context)
{
    const auto choice = [&](const char* key) { return it.choices[QLatin1StringView(key)].toString(); };
    const QStringList range = rangeOptions(context.time());
    const auto timeline = context.timeline();
    if (it.view.isEmpty() && it.panel && timeline) {
        const bool areCurves = viewNamed(*timeline, it.panel->id()).shape == TrackView::Shape::Curves;
        return QStringList{areCurves ? "counters" : "states", "--view", QString::fromStdString(it.panel->id())} + range;
    }
    const std::map<QString, std::function<QStringList()>> commands{
        {"events", [&] { return QStringList{"events"} + option("--filter", choice("filter")); }},
        {"search", [&] { return QStringList{"events"} + option("--filter", context.hits().text()); }},
        {"statistics",
         [&] {
             const QString rows = choice("rows"); // Empty: threads.
             return QStringList{"stats", "--view", rows.isEmpty() && timeline ? text(viewWith(*timeline, TrackRole::Thread)) : rows}
             + range;
         }},
        {"durations",
         [&] {
             const QString kind = choice("kind").isEmpty() ? choice("pair") : choice("kind");
             return kind.isEmpty() ? QStringList() : QStringList{"latency", "--of", kind} + range;
         }},
        {"flame_graph", [&] { return QStringList{"flame"} + option("--event", choice("kind")) + range; }},
        {"functions",
         [&] {
             return QStringList{"flame", "--table"} + range;
         }},
        {"packets", [&] { return QStringList{"connections"} + range; }},
        {"requests",
         [&] {
             return choice("kind").isEmpty() ? QStringList() : QStringList{"critical-path", "--requests", choice("kind")} + range;
         }},
        {"waited_for",
         [&] {
             return QStringList{"critical-path", "--summary"} + threadOption(context) + range;
         }},
        {"why",
         [&] {
             return QStringList{"critical-path", "--why", ns(context.time().cursor())} + threadOption(context);
         }},
        {"clocks", [] { return QStringList{"sync"}; }},
        {"messages", [] { return QStringList{"info"}; }},
        {"lock_stat", [] { return QStringList{"lock-stat"}; }},
    };
    const auto found = commands.find(it.view);
    return found == commands.end() ? QStringList() : found->second();
}

} // namespace

QString copiedCommand(const CommandSubject& subject, ViewContext& context, const QStringList& paths)
{
    QStringList words = commandOf(subject, context);
    if (words.isEmpty())
        return {};
    words = QStringList{"heliograph", words.front()} + (subject.file.isEmpty() ? paths : QStringList{subject.file}) + words.mid(1);
    for (QString& word : words)
        word = quoted(word);
    return words.join(u' ');
}

} // namespace helio
