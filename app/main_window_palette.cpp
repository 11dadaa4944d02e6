// What the command palette offers.

#include "app/main_window.h"
#include "core/query/rows.h"
#include "core/query/time_text.h"
#include "widgets/shell/header_bar.h"
#include "widgets/shell/omnibox.h"
#include "widgets/views/sample_model.h"
#include "widgets/work/discard.h"

#include <algorithm>

namespace helio {

void MainWindow::fillPalette()
{
    std::vector<PaletteItem> items;
    for (const ActionSpec& spec : actionTable()) {
        QAction* action = &m_actions->at(spec.id);
        const QString group = tr(spec.menu).replace('/', QStringLiteral(" \u203a "));
        items.push_back({PaletteItem::Kind::Command, spec.icon, action->text(), group,
                         action->shortcut().toString(QKeySequence::NativeText), action->isEnabled(), [action] { action->trigger(); }});
    }
    m_header->omnibox().model().setItems(std::move(items), m_rowItems);
}

void MainWindow::fetchPaletteRows()
{
    const auto timeline = m_context.timeline();
    if (!timeline) {
        m_paletteJob.cancel();
        m_rowItems.reset();
        return;
    }
    if (m_paletteJob.isBusy())
        return;
    m_paletteJob.post([this, timeline](std::stop_token stop) -> LatestJob::Delivery {
        std::vector<PaletteItem> items;
        const std::pair<const char*, const char*> views[] = {{"control-flow", "Control flow"}, {"resources", "Resources"}};
        for (const auto& [view, title] : views) {
            const std::vector<Row> all = rows(*timeline, view);
            for (const Row& row : all) {
                if (stop.stop_requested() || !row.ref.isValid())
                    continue;
                QString text = QString::fromStdString(row.label);
                if (row.tid >= 0)
                    text += QStringLiteral("  %1").arg(row.tid);
                QString group = tr(title);
                if (row.parent >= 0 && std::size_t(row.parent) < all.size())
                    group += QStringLiteral(" \u203a ") + QString::fromStdString(all[std::size_t(row.parent)].label);
                items.push_back({PaletteItem::Kind::Row, "row", text, group, {}, true, [this, ref = row.ref, life = row.life] {
                                     TimeWindow& time = m_context.time();
                                     time.visit();
                                     time.setRow(ref);
                                     if (!life.isEmpty() && !life.overlaps(time.visible()))
                                         m_navigator->goTo(life.begin);
                                 }});
            }
        }
        auto made = std::make_shared<const PaletteItems>(std::move(items));
        return [this, made, timeline] {
            discard(std::exchange(m_rowItems, made), made->size());
            m_rowItemsOf = timeline;
            if (m_header->omnibox().isOpen())
                fillPalette();
        };
    });
}

/// Sampled functions whose names hold the text, those that begin with it first.
void MainWindow::addFunctions(const QString& text, std::vector<PaletteItem>& items)
{
    constexpr std::size_t Most = 8;
    SampleModel& samples = SampleModel::of(m_context);
    if (!samples.shown().names)
        return;
    std::vector<const SampledFunction*> found;
    for (const SampledFunction& function : samples.shown().names->functions)
        if (!function.name.empty() && QString::fromStdString(function.name).contains(text, Qt::CaseInsensitive))
            found.push_back(&function);
    std::ranges::stable_partition(found, [&](const SampledFunction* it) { return QString::fromStdString(it->name).startsWith(text, Qt::CaseInsensitive); });
    found.resize(std::min(found.size(), Most));
    for (const SampledFunction* function : found)
        items.push_back({PaletteItem::Kind::Search, "search", QString::fromStdString(function->name),
                         tr("Function \u203a %1").arg(QString::fromStdString(function->module)), {}, true, [this, &samples, chosen = *function] {
                             m_context.showView("functions");
                             samples.chooseFunction(chosen);
                         }});
}

std::vector<PaletteItem> MainWindow::itemsFor(const QString& text)
{
    std::vector<PaletteItem> items;
    const bool isTime = text.startsWith(':');
    const QString written = isTime ? text.mid(1).trimmed() : text.trimmed();
    const TimeRange full = m_context.time().full();
    if (full.isEmpty() || text.startsWith('>') || text.startsWith('@'))
        return items;
    if (const auto time = parseTime(written.toStdString()); time && !written.isEmpty()) {
        const Timestamp at = resolve(*time, full.begin);
        items.push_back(
            {PaletteItem::Kind::Time, "clock", tr("Go to %1").arg(timeText(at, m_context.timeFormat())), tr("Time"), {}, true, [this, at] {
                 m_navigator->goTo(at);
             }});
    } else if (isTime) {
        items.push_back(
            {PaletteItem::Kind::Time, "clock", tr("12:34:56.789012345, +1.5s from the start, or ns since the epoch"), {}, {}, false, {}});
    }
    if (!isTime && !written.isEmpty())
        items.push_back(
            {PaletteItem::Kind::Search, "search", tr("Search the events for: %1").arg(written), tr("Enter"), {}, true, [this, written] {
                 m_context.search(written);
             }});
    if (!isTime && !written.isEmpty())
        addFunctions(written, items);
    return items;
}

} // namespace helio
