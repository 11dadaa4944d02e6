#include "widgets/docks/durations/leaks_view.h"

#include "widgets/controls/pill.h"
#include "widgets/controls/table_style.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QButtonGroup>
#include <QHeaderView>
#include <QLabel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

namespace helio {

namespace {

constexpr int LeakFetchDelay = 80; ///< Delay in ms between a change and the query.

/// Returns e.g. "heap.cpp:117"; empty if the source is not known.
QString sourceOf(const HeapUse& use)
{
    if (use.file.empty())
        return {};
    const QString name = QString::fromStdString(std::filesystem::path(use.file).filename().string());
    return use.line > 0 ? QStringLiteral("%1:%2").arg(name).arg(use.line) : name;
}

/// Sums the leaks of each function. The file is kept if a function has several source lines in it.
std::vector<HeapUse> byFunction(const std::vector<HeapUse>& leaks)
{
    std::map<std::tuple<std::uint32_t, std::int32_t, std::string, std::string>, HeapUse> sums;
    for (const HeapUse& it : leaks) {
        const auto [sum, isNew] = sums.try_emplace({it.trace, it.pid, it.function, it.module}, it);
        if (isNew)
            continue;
        HeapUse& all = sum->second;
        all.unfreed += it.unfreed;
        all.unfreedBytes += it.unfreedBytes;
        if (all.file != it.file)
            all.file.clear();
        if (all.file != it.file || all.line != it.line)
            all.line = 0;
        if (it.unfreedAt < all.unfreedAt)
            std::tie(all.unfreedAt, all.unfreedRow) = std::tie(it.unfreedAt, it.unfreedRow);
    }
    std::vector<HeapUse> all;
    for (auto& [key, sum] : sums)
        all.push_back(std::move(sum));
    return all;
}

} // namespace

LeaksView::LeaksView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_scope(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_lines(new QTreeView)
    , m_answer(DebouncedQuery::Pace::Debounce, LeakFetchDelay, [this] { fetch(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 0, 12, 0);
    head->setSpacing(8);
    auto* group = new QButtonGroup(this);
    for (const QString& word : {tr("By function"), tr("By source line")}) {
        auto* pill = new Pill(word);
        pill->setCheckable(true);
        pill->setChecked(m_pills.empty());
        group->addButton(pill, int(m_pills.size()));
        head->addWidget(pill);
        m_pills.push_back(pill);
    }
    m_scope->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    head->addWidget(m_scope, 1);
    layout->addLayout(head);
    layout->addWidget(m_lines, 1);
    m_lines->setModel(&m_table);
    m_lines->setItemDelegate(new LineDelegate(m_lines, NavigableLineMetrics));
    styleTable(*m_lines);
    m_lines->setSortingEnabled(true);
    m_lines->header()->setStretchLastSection(false);
    m_lines->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_lines->setAccessibleName(tr("Memory that was never freed"));
    setFocusProxy(m_lines);
    connect(group, &QButtonGroup::idClicked, this, [this](int id) { list(By(id)); });
    for (const auto signal : {&QTreeView::clicked, &QTreeView::activated})
        connect(m_lines, signal, this, &LeaksView::goTo);
    connect(&context.time(), &TimeWindow::selectionChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::queueQuery);
}

void LeaksView::list(By by)
{
    m_by = by;
    m_pills[std::size_t(by)]->setChecked(true);
    fill();
}

QString LeaksView::scope() const { return m_scope->text(); }

void LeaksView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

ShownCommand LeaksView::shownCommand() const
{
    const QStringList range = m_usesSelection ? rangeOptions(m_context.time(), m_context.time().selection()) : QStringList();
    return {QStringList{"heap", "--leaks", "--by", m_by == By::Function ? "function" : "line"} + range, {}, {}};
}

void LeaksView::fetch()
{
    if (!isVisible()) // showEvent() fetches when the view becomes visible.
        return;
    const auto timeline = m_context.timeline();
    const TimeRange selection = m_context.time().selection();
    if (!timeline) {
        m_answer.cancel();
        m_leaks.clear();
        return fill();
    }
    m_answer.post([this, timeline, selection](std::stop_token stop) -> LatestTask::Delivery {
        const HeapFilter filter = selection.isEmpty() ? HeapFilter() : HeapFilter{selection, {}};
        auto leaks = std::make_shared<std::vector<HeapUse>>(heapUses(*timeline, HeapGrouping::FunctionLine, filter, stop));
        if (stop.stop_requested())
            return {};
        std::erase_if(*leaks, [](const HeapUse& it) { return it.unfreed == 0; });
        return [this, leaks, isOfSelection = !selection.isEmpty()] {
            m_leaks = std::move(*leaks);
            m_usesSelection = isOfSelection;
            fill();
        };
    });
}

void LeaksView::fill()
{
    std::vector<HeapUse> leaks = m_by == By::Function ? byFunction(m_leaks) : m_leaks;
    std::ranges::sort(leaks, {}, [](const HeapUse& it) {
        return std::tuple(-it.unfreedBytes, -std::int64_t(it.unfreed), it.function, it.file, it.line, it.pid);
    });
    std::vector<std::vector<NavigableTable::Cell>> lines;
    std::uint64_t blocks = 0;
    std::int64_t bytes = 0;
    for (const HeapUse& it : leaks) {
        const LongestLoss place{it.unfreedRow, it.unfreedAt, {}};
        const auto number = [&](std::int64_t count) { return NavigableTable::Cell{countText(count), count, place}; };
        const auto words = [&](const QString& word) { return NavigableTable::Cell{word, -1, place}; };
        const QString process = it.pid >= 0 ? QStringLiteral("%1 (%2)").arg(text(it.process)).arg(it.pid) : text(it.process);
        lines.push_back({number(it.unfreedBytes), number(std::int64_t(it.unfreed)),
                         words(it.function.empty() ? tr("[unknown]") : text(it.function)), words(sourceOf(it)), words(text(it.module)),
                         words(process)});
        blocks += it.unfreed;
        bytes += it.unfreedBytes;
    }
    m_lines->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table.setLines({{tr("Bytes"), true},
                      {tr("Blocks"), true},
                      {tr("Allocated in"), false},
                      {tr("Source"), false},
                      {tr("Module"), false},
                      {tr("Process"), false}},
                     std::move(lines));
    const QString what = (blocks == 1 ? tr("1 block, %1 B") : tr("%1 blocks, %2 B").arg(countText(qint64(blocks)))).arg(countText(bytes));
    m_scope->setText(blocks == 0           ? tr("All memory that was allocated here was freed.")
                         : m_usesSelection ? tr("%1 allocated in the selected range").arg(what)
                                           : tr("%1 of the whole recording").arg(what));
}

void LeaksView::goTo(const QModelIndex& index)
{
    const LongestLoss place = m_table.cell(index).place; // Copied, because the calls below may replace the lines.
    if (!place.row.isValid())
        return;
    m_context.time().jump({.row = place.row, .cursor = place.at});
    m_context.focusRows();
}

} // namespace helio
