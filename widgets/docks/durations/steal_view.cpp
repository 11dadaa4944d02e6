#include "widgets/docks/durations/steal_view.h"

#include "widgets/controls/pill.h"
#include "widgets/controls/table_style.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QButtonGroup>
#include <QHeaderView>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace helio {

namespace {

constexpr int LossFetchDelay = 80; ///< Delay in ms between a change and the query.
NavigableTable::Cell named(const std::string& name, const LongestLoss& place) { return {text(name), -1, place}; }
NavigableTable::Cell counted(std::uint64_t count, const LongestLoss& place) { return {countText(qint64(count)), qint64(count), place}; }
NavigableTable::Cell lasted(Duration length, const LongestLoss& place) { return {durationText(length), length.count(), place}; }

std::vector<std::vector<NavigableTable::Cell>> linesOf(const StealMatrix& matrix)
{
    std::vector<std::vector<NavigableTable::Cell>> lines;
    for (std::size_t loser = 0; loser < matrix.losers.size(); ++loser) {
        StealMatrix::Cell sum;
        std::vector<NavigableTable::Cell> line;
        for (const StealMatrix::Cell& it : matrix.cells[loser]) {
            sum.total += it.total;
            if (it.longest.length > sum.longest.length)
                sum.longest = it.longest;
            line.push_back(it.count > 0 ? lasted(it.total, it.longest) : NavigableTable::Cell{QStringLiteral("\u2013"), 0, {}});
        }
        line.insert(line.begin(), named(matrix.losers[loser], sum.longest));
        line.push_back(lasted(sum.total, sum.longest));
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace

StealView::StealView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_scope(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_lines(new QTreeView)
    , m_answer(DebouncedQuery::Pace::Debounce, LossFetchDelay, [this] { fetch(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 0, 12, 0);
    head->setSpacing(8);
    auto* group = new QButtonGroup(this);
    for (const QString& word : {tr("Who took it"), tr("Machine by machine"), tr("Who lost it")}) {
        auto* pill = new Pill(word);
        pill->setCheckable(true);
        pill->setChecked(m_pills.empty());
        group->addButton(pill, int(m_pills.size()));
        head->addWidget(pill);
        m_pills.push_back(pill);
    }
    m_scope->setWordWrap(true);
    m_scope->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_scope->setTextInteractionFlags(Qt::TextSelectableByMouse); // The text may contain a command to copy.
    head->addWidget(m_scope, 1);
    layout->addLayout(head);
    layout->addWidget(m_lines, 1);
    m_lines->setModel(&m_table);
    m_lines->setItemDelegate(new LineDelegate(m_lines, NavigableLineMetrics));
    styleTable(*m_lines);
    m_lines->setSortingEnabled(true);
    m_lines->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_lines->header()->setStretchLastSection(false);
    m_lines->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_lines->setAccessibleName(tr("What machines lost of their CPUs"));
    setFocusProxy(m_lines);
    connect(group, &QButtonGroup::idClicked, this, [this](int id) { list(Shown(id)); });
    for (const auto signal : {&QTreeView::clicked, &QTreeView::activated})
        connect(m_lines, signal, this, &StealView::goTo);
    connect(&context.time(), &TimeWindow::visibleChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context.time(), &TimeWindow::selectionChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::queueQuery);
}

void StealView::list(Shown what)
{
    m_shown = what;
    m_pills[std::size_t(what)]->setChecked(true);
    fill();
}

void StealView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

ShownCommand StealView::shownCommand() const
{
    if (m_shown == Shown::Matrix)
        return ShownCommand::none(tr("No command prints this matrix. The lists beside it have commands."));
    return {QStringList{"vm", m_shown == Shown::Culprits ? "--culprits" : "--steal"}
                + rangeOptions(m_context.time(), m_context.time().focus()),
            {},
            {}};
}

void StealView::fetch()
{
    if (!isVisible()) // showEvent() fetches when the view becomes visible.
        return;
    const auto timeline = m_context.timeline();
    const TimeRange range = m_context.time().focus();
    if (!timeline) {
        m_answer.cancel();
        m_losses = {};
        return fill();
    }
    m_answer.post([this, timeline, range](std::stop_token stop) -> LatestTask::Delivery {
        auto losses = std::make_shared<StealTables>(computeStealTables(*timeline, range, stop));
        if (stop.stop_requested())
            return {};
        return [this, losses, range] {
            m_losses = std::move(*losses);
            m_range = range;
            fill();
        };
    });
}

void StealView::fill()
{
    using Column = NavigableTable::Column;
    std::vector<std::vector<NavigableTable::Cell>> lines;
    std::vector<Column> columns;
    switch (m_shown) {
    case Shown::Culprits:
        columns = {{tr("From"), false}, {tr("Taken by"), false}, {tr("What that is"), false},
                   {tr("times"), true}, {tr("total"), true},     {tr("longest"), true}};
        for (const CulpritLine& it : m_losses.culprits)
            lines.push_back({named(it.from, it.longest), named(it.by, it.longest), named(it.kind, it.longest),
                             counted(it.count, it.longest), lasted(it.total, it.longest), lasted(it.longest.length, it.longest)});
        break;
    case Shown::Matrix:
        columns = {{tr("From"), false}};
        for (const std::string& taker : m_losses.matrix.takers)
            columns.push_back({text(taker), true});
        columns.push_back({tr("all"), true});
        lines = linesOf(m_losses.matrix);
        break;
    case Shown::Threads:
        columns = {{tr("Thread"), false}, {tr("of"), false},    {tr("During"), false},
                   {tr("times"), true},   {tr("stolen"), true}, {tr("longest"), true}};
        for (const ThreadLossLine& it : m_losses.threads)
            lines.push_back({named(it.thread, it.longest), named(it.machine, it.longest), named(it.during, it.longest),
                             counted(it.count, it.longest), lasted(it.total, it.longest), lasted(it.longest.length, it.longest)});
        break;
    }
    m_lines->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table.setLines(std::move(columns), std::move(lines));
    const bool isSelected = !m_context.time().selection().isEmpty();
    const QString nothing = m_losses.missing.empty() ? tr("No vCPU was preempted here.") : text(m_losses.missing);
    m_scope->setText(m_losses.isEmpty()
                         ? nothing
                         : (isSelected ? tr("In the selected range, %1") : tr("In the window, %1")).arg(durationText(m_range.duration())));
}

void StealView::goTo(const QModelIndex& index)
{
    const LongestLoss place = m_table.cell(index).place; // Copied, because the calls below may replace the lines.
    if (!place.row.isValid())
        return;
    m_context.time().jump({.row = place.row, .cursor = place.at});
    m_context.focusRows();
}

} // namespace helio
