#include "app/window/window_palette.h"

#include "app/window/navigator.h"
#include "core/query/filters/time_text.h"
#include "core/query/rows/rows.h"
#include "widgets/sampling/sample_model.h"
#include "widgets/shell/header_bar.h"
#include "widgets/shell/omnibox.h"
#include "widgets/timegraph/time_panels.h"
#include "widgets/tracks/time_area.h"
#include "widgets/tracks/track_panel.h"
#include "widgets/view/panel_kind.h"
#include "widgets/view/view_context.h"
#include "widgets/work/discard.h"

#include <QMenuBar>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

const QString Step = QStringLiteral(" \u203a ");

/// What a menu and those below it do.
void addCommands(const QList<QAction*>& actions, const QString& group, PaletteItems& items)
{
    for (QAction* action : actions) {
        const QString text = action->text().remove('&');
        if (action->isSeparator() || !action->isVisible() || text.isEmpty())
            continue;
        if (action->menu()) {
            addCommands(action->menu()->actions(), group.isEmpty() ? text : group + Step + text, items);
            continue;
        }
        items.push_back({PaletteItem::Kind::Command, action->property("iconName").toString(), text, group,
                         action->shortcut().toString(QKeySequence::NativeText), action->isEnabled(),
                         [chosen = QPointer(action)] { // Of a menu that may have been made anew since.
                             if (chosen)
                                 chosen->trigger();
                         }});
    }
}

QString textOf(const Row& row)
{
    const QString label = QString::fromStdString(row.label);
    return row.tid >= 0 ? QStringLiteral("%1  %2").arg(label).arg(row.tid) : label;
}

/// Sampled functions whose names hold the text, those that begin with it first.
void addFunctions(ViewContext& context, const QString& text, PaletteItems& items)
{
    constexpr std::size_t Most = 8;
    SampleModel& samples = SampleModel::of(context);
    if (!samples.shown().names)
        return;
    std::vector<const SampledFunction*> found;
    for (const SampledFunction& function : samples.shown().names->functions)
        if (!function.name.empty() && QString::fromStdString(function.name).contains(text, Qt::CaseInsensitive))
            found.push_back(&function);
    const auto isBegun = [&](const SampledFunction* it) { return QString::fromStdString(it->name).startsWith(text, Qt::CaseInsensitive); };
    std::ranges::stable_partition(found, isBegun);
    found.resize(std::min(found.size(), Most));
    for (const SampledFunction* function : found)
        items.push_back({PaletteItem::Kind::Search,
                         "search",
                         QString::fromStdString(function->name),
                         WindowPalette::tr("Function") + Step + QString::fromStdString(function->module),
                         {},
                         true,
                         [&context, &samples, chosen = *function] {
                             context.showView("functions");
                             samples.chooseFunction(chosen);
                         }});
}

} // namespace

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

void WindowPalette::add(ViewContext& context, Navigator& navigator, const QString& name)
{
    m_places.push_back({&context, &navigator, name});
    connect(&context, &ViewContext::timelineChanged, this, [this, &context] {
        if (!context.timeline())
            forgetRows();
    });
}

void WindowPalette::addMenu(const QString& title, std::function<void(QMenu&)> fill) { m_extras.push_back({title, std::move(fill), {}}); }

void WindowPalette::addPanels(TimeArea& area, const QString& name)
{
    for (TimePanel* panel : area.panels()->panels())
        if (auto* tracks = qobject_cast<TrackPanel*>(panel))
            addMenu(name.isEmpty() ? tracks->name() : name + Step + tracks->name(), [tracks](QMenu& menu) { tracks->fillMenu(menu); });
}

void WindowPalette::fill()
{
    PaletteItems items;
    addCommands(m_header.menus().actions(), {}, items);
    for (Extra& extra : m_extras) {
        auto menu = std::make_shared<QMenu>();
        extra.fill(*menu);
        addCommands(menu->actions(), extra.title, items);
        extra.menu.swap(menu); // The former one's lines go once none is offered.
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
    return !std::ranges::equal(m_places, m_rowsOf,
                               [](const Place& place, const auto& of) { return place.context->timeline() == of.lock(); });
}

void WindowPalette::fetchRows()
{
    if (m_job.isBusy())
        return;
    std::vector<std::shared_ptr<const Timeline>> timelines;
    for (const Place& place : m_places)
        timelines.push_back(place.context->timeline());
    m_job.post([this, timelines](std::stop_token stop) -> LatestJob::Delivery {
        PaletteItems items;
        for (std::size_t i = 0; i < timelines.size(); ++i)
            if (timelines[i])
                std::ranges::move(rowsOf(i, *timelines[i], stop), std::back_inserter(items));
        auto made = std::make_shared<const PaletteItems>(std::move(items));
        return [this, made, timelines] {
            discard(std::exchange(m_rows, made), made->size());
            m_rowsOf.assign(timelines.begin(), timelines.end());
            if (m_header.omnibox().isOpen())
                fill();
        };
    });
}

/// On another thread: of this object only what does not change is read.
PaletteItems WindowPalette::rowsOf(std::size_t index, const Timeline& timeline, std::stop_token stop) const
{
    const Place& place = m_places[index];
    PaletteItems items;
    for (const PanelKind* panel : builtinPanels()) {
        const QString title = tr(panel->title);
        const std::vector<Row> all = rows(timeline, panel->id);
        for (const Row& row : all) {
            if (stop.stop_requested() || !row.ref.isValid())
                continue;
            QString group = place.name.isEmpty() ? title : place.name + Step + title;
            if (row.parent >= 0 && std::size_t(row.parent) < all.size())
                group += Step + QString::fromStdString(all[std::size_t(row.parent)].label);
            items.push_back({PaletteItem::Kind::Row, "row", textOf(row), group, {}, true, [place, ref = row.ref, life = row.life] {
                                 TimeWindow& time = place.context->time();
                                 time.visit();
                                 time.setRow(ref);
                                 if (!life.isEmpty() && !life.overlaps(time.visible()))
                                     place.navigator->goTo(life.begin);
                             }});
        }
    }
    return items;
}

/// What the text itself is: a time to go to, words to search for.
PaletteItems WindowPalette::itemsFor(const QString& text) const
{
    PaletteItems items;
    const bool isTime = text.startsWith(':');
    const QString written = isTime ? text.mid(1).trimmed() : text.trimmed();
    if (m_places.empty() || text.startsWith('>') || text.startsWith('@'))
        return items;
    const auto& [context, navigator, name] = m_places.front();
    const TimeRange full = context->time().full();
    if (full.isEmpty())
        return items;
    if (const auto time = parseTime(written.toStdString()); time && !written.isEmpty()) {
        const Timestamp at = resolve(*time, full.begin);
        items.push_back({PaletteItem::Kind::Time,
                         "clock",
                         tr("Go to %1").arg(timeText(at, context->timeFormat())),
                         tr("Time"),
                         {},
                         true,
                         [navigator = navigator, at] { navigator->goTo(at); }});
    } else if (isTime) {
        items.push_back(
            {PaletteItem::Kind::Time, "clock", tr("12:34:56.789012345, +1.5s from the start, or ns since the epoch"), {}, {}, false, {}});
    }
    if (m_searches && !isTime && !written.isEmpty()) {
        items.push_back({PaletteItem::Kind::Search,
                         "search",
                         tr("Search the events for: %1").arg(written),
                         tr("Enter"),
                         {},
                         true,
                         [context = context, written] { context->search(written); }});
        addFunctions(*context, written, items);
    }
    return items;
}

} // namespace helio
