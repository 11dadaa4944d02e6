#include "app/gui/common/window_palette.h"

#include "app/gui/common/experiment_pane.h"
#include "core/profiling/calls/function_calls.h"
#include "core/query/filters/time_text.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/views.h"
#include "widgets/async/discard.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/workspace/go_to.h"

#include <QMenuBar>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

const QString Step = QStringLiteral(" \u203a ");

/// Returns the prefix of palette items that belong to a pane, for example "A › "; empty if the window has only one pane.
QString stepsOf(const ExperimentPane& pane) { return pane.letter().isEmpty() ? QString() : pane.letter() + Step; }

/// Adds the commands of a menu and its submenus.
void addCommands(const QList<QAction*>& actions, const QString& group, PaletteItems& items)
{
    for (QAction* action : actions) {
        // Drop the text after a tab: menus show it in the column of the shortcuts, but it is not part of the command's name.
        const QString text = action->text().section('\t', 0, 0).remove('&');
        if (action->isSeparator() || !action->isVisible() || text.isEmpty())
            continue;
        if (action->menu()) {
            addCommands(action->menu()->actions(), group.isEmpty() ? text : group + Step + text, items);
            continue;
        }
        items.push_back({PaletteItem::Kind::Command, action->property("iconName").toString(), text, group,
                         action->shortcut().toString(QKeySequence::NativeText), action->isEnabled(),
                         // Keep the action in a QPointer, which becomes null if the menu is refilled and the action is deleted.
                         [chosen = QPointer(action)] {
                             if (chosen)
                                 chosen->trigger();
                         },
                         action->statusTip()});
    }
}

QString textOf(const Row& row)
{
    const QString label = QString::fromStdString(row.label);
    return row.shownTid() >= 0 ? QStringLiteral("%1  %2").arg(label).arg(row.tid) : label;
}

/// Returns the first row with intervals among the rows below a heading in the tree; nullptr if there is none.
const Row* firstBelow(const std::vector<Row>& all, const Row& heading)
{
    const auto index = std::int32_t(&heading - all.data());
    std::int32_t parent = index;
    for (std::size_t i = std::size_t(index) + 1; i < all.size() && all[i].parent >= index; ++i) {
        if (all[i].parent != parent)
            continue;
        if (all[i].ref.isValid() && all[i].role != TrackRole::Group)
            return &all[i];
        parent = std::int32_t(i);
    }
    return nullptr;
}

std::function<void()> goingTo(ExperimentPane& pane, const Row& row)
{
    return [&pane, ref = row.ref, life = row.life] {
        TimeWindow& time = pane.time();
        TimeWindow::Target target{.row = ref};
        if (!life.isEmpty() && !life.overlaps(time.visible()))
            target.cursor = life.begin;
        time.jump(target);
        pane.context().focusRows();
    };
}

void addFunctions(ViewContext& context, const QString& text, PaletteItems& items)
{
    SampleModel& samples = SampleModel::of(context);
    // Add nothing if there are no samples; functionsOf() adds functions with recorded calls.
    if (!samples.shown().names || samples.showsCalls())
        return;
    std::ranges::move(functionItems(samples.shown().names->functions, text,
                                    [&context, &samples](const SampledFunction& chosen) {
                                        context.showView("functions");
                                        samples.chooseFunction(chosen);
                                    }),
                      std::back_inserter(items));
}

/// Returns the description of a function's calls, for example "30 calls, longest 12.3 ms".
QString textOf(const FunctionSum& sum)
{
    const QString calls = sum.calls == 1 ? WindowPalette::tr("1 call") : WindowPalette::tr("%1 calls").arg(countText(qint64(sum.calls)));
    const QString longest = durationText(sum.longest.range.duration());
    return sum.isFinished ? WindowPalette::tr("%1, longest %2").arg(calls, longest)
                          : WindowPalette::tr("%1, longest at least %2").arg(calls, longest);
}

} // namespace

PaletteItems functionItems(std::span<const SampledFunction> functions, const QString& text,
                           const std::function<void(const SampledFunction&)>& choose)
{
    constexpr std::size_t Most = 8;
    std::vector<const SampledFunction*> found;
    for (const SampledFunction& function : functions)
        if (!function.name.empty() && function.code != CodeKind::Thread
            && QString::fromStdString(function.label()).contains(text, Qt::CaseInsensitive))
            found.push_back(&function);
    const auto isBegun = [&](const SampledFunction* it) {
        return QString::fromStdString(it->label()).startsWith(text, Qt::CaseInsensitive);
    };
    std::ranges::stable_partition(found, isBegun);
    found.resize(std::min(found.size(), Most));
    PaletteItems items;
    for (const SampledFunction* function : found)
        items.push_back({PaletteItem::Kind::Search,
                         "search",
                         QString::fromStdString(function->label()),
                         WindowPalette::tr("Function") + Step + QString::fromStdString(function->module),
                         {},
                         true,
                         [choose, chosen = *function] { choose(chosen); }});
    return items;
}

WindowPalette::WindowPalette(HeaderBar& header, QObject* parent)
    : QObject(parent)
    , m_header(header)
{
    connect(&header.omnibox(), &Omnibox::opened, this, [this] {
        fill();
        if (areRowsOld())
            fetchRows();
    });
    header.omnibox().model().setMaker([this](const QString& text) { return itemsFor(text); });
}

void WindowPalette::add(ExperimentPane& pane)
{
    m_panes.push_back(&pane);
    connect(&pane.context(), &ViewContext::timelineChanged, this, [this, &pane] {
        if (!pane.context().timeline())
            forgetRows();
    });
    const auto addPanel = [this, &pane](TimePanel* panel) {
        addMenu(stepsOf(pane) + panel->name(), [panel = QPointer(panel)](QMenu& menu) {
            if (panel) // `panel` is null if it was deleted together with its view.
                panel->fillMenu(menu);
        });
    };
    for (TimePanel* panel : pane.area().panels()->panels())
        addPanel(panel);
    connect(&pane.area(), &TimeArea::panelAdded, this, addPanel);
}

void WindowPalette::addMenu(const QString& title, std::function<void(QMenu&)> fill) { m_extras.push_back({title, std::move(fill), {}}); }

void WindowPalette::fill()
{
    PaletteItems items;
    addCommands(m_header.menus().actions(), {}, items);
    for (Extra& extra : m_extras) {
        auto menu = std::make_shared<QMenu>();
        extra.fill(*menu);
        addCommands(menu->actions(), extra.title, items);
        // Keep the new menu, because it owns the offered actions. The previous menu is destroyed; setItems() below replaces its actions.
        extra.menu.swap(menu);
    }
    m_header.omnibox().model().setItems(std::move(items), m_rows);
}

void WindowPalette::forgetRows()
{
    m_job.cancel();
    m_rows.reset();
    m_rowsOf.clear();
}

bool WindowPalette::areRowsOld() const
{
    return !std::ranges::equal(m_panes, m_rowsOf,
                               [](ExperimentPane* pane, const auto& of) { return pane->context().timeline() == of.lock(); });
}

void WindowPalette::fetchRows()
{
    if (m_job.isBusy())
        return;
    std::vector<std::shared_ptr<const Timeline>> timelines;
    for (ExperimentPane* pane : m_panes)
        timelines.push_back(pane->context().timeline());
    m_job.post([this, timelines](std::stop_token stop) -> LatestTask::Delivery {
        PaletteItems items;
        const auto take = [&]() -> LatestTask::Delivery {
            return [this, timelines, made = std::make_shared<const PaletteItems>(items)] { takeRows(made, timelines); };
        };
        for (std::size_t i = 0; i < timelines.size(); ++i)
            if (timelines[i])
                std::ranges::move(rowsOf(*m_panes[i], *timelines[i], stop), std::back_inserter(items));
        m_job.deliver(stop, take()); // Deliver the rows first, because functions take longer: symbols and all calls are read.
        for (std::size_t i = 0; i < timelines.size(); ++i)
            if (timelines[i] && isComplete(*timelines[i]))
                std::ranges::move(functionsOf(*m_panes[i], *timelines[i], stop), std::back_inserter(items));
        return take();
    });
}

void WindowPalette::takeRows(std::shared_ptr<const PaletteItems> rows, const std::vector<std::shared_ptr<const Timeline>>& of)
{
    discard(std::exchange(m_rows, rows), rows->size());
    m_rowsOf.assign(of.begin(), of.end());
    if (m_header.omnibox().isOpen())
        fill();
}

/// Returns an item for each row of a pane.
/// Threads: called in a background thread; reads only constant members of the palette and the pane.
PaletteItems WindowPalette::rowsOf(ExperimentPane& pane, const Timeline& timeline, std::stop_token stop) const
{
    PaletteItems items;
    for (const TrackView& view : describedViews(timeline)) {
        const QString title = QString::fromStdString(view.title);
        const std::vector<Row> all = rows(timeline, view.id);
        const auto parentOf = [&all](const Row& row) {
            return row.parent >= 0 && std::size_t(row.parent) < all.size() ? &all[std::size_t(row.parent)] : nullptr;
        };
        for (const Row& row : all) {
            if (stop.stop_requested())
                break;
            const bool isMachine = isHostRow(row) || !rowTitle(timeline, row.ref).empty();
            if (row.role == TrackRole::Group || !row.ref.isValid()) {
                if (const Row* first = isMachine ? firstBelow(all, row) : nullptr)
                    items.push_back({PaletteItem::Kind::Row, "row", textOf(row), stepsOf(pane) + title, {}, true, goingTo(pane, *first)});
                continue;
            }
            // Rows of call-stack depths have no names. Add only the row of the outermost depth, under the name of its thread.
            const bool isDepth = row.valueKind == ValueKind::Frame && parentOf(row);
            if (isDepth && parentOf(row) != &row - 1)
                continue;
            const Row& named = isDepth ? *parentOf(row) : row;
            QString group = stepsOf(pane) + title;
            if (const Row* parent = parentOf(named))
                group += Step + QString::fromStdString(parent->label);
            items.push_back(
                {PaletteItem::Kind::Row, "row", textOf(named), group, {}, true, goingTo(pane, row), {}, row.role == TrackRole::Thread});
        }
    }
    return items;
}

/// Returns an item for each called function, which goes to the function's longest call.
/// Threads: called in a background thread, like rowsOf().
PaletteItems WindowPalette::functionsOf(ExperimentPane& pane, const Timeline& timeline, std::stop_token stop) const
{
    PaletteItems items;
    for (const FunctionSum& sum : calledFunctions(timeline, std::move(stop)))
        if (!sum.function.name.empty())
            items.push_back({PaletteItem::Kind::Function,
                             "search",
                             QString::fromStdString(sum.function.name),
                             stepsOf(pane) + tr("Function") + Step + textOf(sum),
                             {},
                             true,
                             [&pane, longest = sum.longest] {
                                 goToCall(pane.context(), longest);
                                 pane.context().focusRows();
                             }});
    return items;
}

/// Adds an item that goes to the time or the range in the text. A range is clipped to the experiment. If nothing of it is in the
/// experiment, the item cannot be chosen and says so. `isTime`: true if the user certainly meant a time; an error then names the column of
/// the mistake.
void WindowPalette::addTimes(ExperimentPane& pane, const QString& text, bool isTime, PaletteItems& items)
{
    const auto add = [&](const QString& words, std::function<void()> run) {
        items.push_back({PaletteItem::Kind::Time, "clock", words, run ? tr("Time") : QString(), {}, bool(run), std::move(run)});
    };
    const QString written = isTime ? text.mid(1) : text;
    const TimeRange full = pane.time().full();
    const TimesText times = parseTimes(written.toStdString());
    if (!times.begin) {
        // Columns are counted from 1 in the whole text of the field.
        const auto before = QString::fromUtf8(written.toUtf8().first(qsizetype(times.problemAt))).size();
        if (isTime && written.trimmed().isEmpty())
            add(tr("12:34:56.789012345, +1.5s from the start, ns since the epoch, or a range: +2s .. +2.5s"), {});
        else if (isTime)
            add(tr("Column %1: %2").arg(text.size() - written.size() + before + 1).arg(QString::fromStdString(times.problem)), {});
        return;
    }
    const TimeFormat& format = pane.context().timeFormat();
    const TimeRange range{resolve(*times.begin, full.begin), resolve(times.end.value_or(*times.begin), full.begin)};
    if (times.end && range.end <= range.begin) {
        if (isTime)
            add(tr("The range is empty: its end is not after its begin"), {});
        return;
    }
    const auto shownRange = [&](TimeRange it) { return rangeText(it, format, digitsFor(it.duration() / 1000)); };
    const TimeRange inside = range.clippedTo(full);
    const bool isOutside = times.end ? inside.isEmpty() : range.begin < full.begin || full.end < range.begin;
    if (isOutside) {
        // A plain number outside of the experiment is probably no time.
        if (isTime || times.end || times.begin->kind != TimeText::Kind::Absolute)
            add(tr("%1 is outside of the trace, which has times from %2")
                    .arg(times.end ? shownRange(range) : timeText(range.begin, format), shownRange(full)),
                {});
        return;
    }
    if (times.end)
        add(tr("Go to %1").arg(shownRange(inside)), [&pane, range] {
            pane.navigator().goTo(range); // Clips the range, and says so.
            pane.context().focusRows();
        });
    else
        add(tr("Go to %1").arg(timeText(range.begin, format)), [&pane, at = range.begin] {
            pane.navigator().goTo(at);
            pane.context().focusRows();
        });
}

/// Returns the items that are made from the typed text: an item that goes to a time, and an item that searches for the text.
PaletteItems WindowPalette::itemsFor(const QString& text) const
{
    PaletteItems items;
    const bool isTime = text.startsWith(':');
    const QString written = isTime ? text.mid(1).trimmed() : text.trimmed();
    if (m_panes.empty() || text.startsWith('>') || text.startsWith('@'))
        return items;
    ExperimentPane& pane = *m_panes.front();
    const TimeRange full = pane.time().full();
    if (full.isEmpty())
        return items;
    addTimes(pane, text, isTime, items);
    if (m_functions && !isTime && !written.isEmpty())
        std::ranges::move(m_functions(written), std::back_inserter(items));
    if (m_searches && !isTime && !written.isEmpty()) {
        items.push_back({PaletteItem::Kind::Search, "search", tr("Search for: %1").arg(written), tr("Enter"), {}, true, [&pane, written] {
                             pane.context().search(written);
                         }});
        addFunctions(pane.context(), written, items);
    }
    return items;
}

} // namespace helio
