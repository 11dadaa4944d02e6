#include "widgets/docks/durations/navigable_table.h"

#include "widgets/controls/line_delegate.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_style.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int NavigableDelay = 80; ///< Delay in ms between a change and the query.
/// Long texts are elided in the middle, because their ends distinguish them.
constexpr LineMetrics NavigableLines{19, 8, -1, -1, 420, Qt::ElideMiddle};

} // namespace

const NavigableCell& NavigableTable::cellIn(const std::vector<Cell>& line, std::size_t column)
{
    static const Cell none;
    return column < line.size() ? line[column] : none;
}

void NavigableTable::setLines(const std::vector<Column>& columns, std::vector<std::vector<Cell>> lines)
{
    using Line = std::vector<Cell>;
    Columns made;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto isLess = [i](const Line& a, const Line& b) {
            const Cell &left = cellIn(a, i), &right = cellIn(b, i);
            return left.number != right.number ? left.number < right.number : left.text < right.text;
        };
        made.push_back({columns[i].title, [i](const Line& it) { return cellIn(it, i).text; }, columns[i].isNumber, isLess,
                        [i](const Line& it) { return cellIn(it, i).text.toHtmlEscaped(); }});
    }
    setAll(std::move(made), std::move(lines));
}

NavigablePanel::NavigablePanel(ViewContext& context, const QStringList& pills, const QString& name, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_scope(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_lines(new QTreeView)
    , m_answer(DebouncedQuery::Pace::Debounce, NavigableDelay, [this] { fetch(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 0, 12, 0);
    head->setSpacing(8);
    auto* group = new QButtonGroup(this);
    for (const QString& words : pills) {
        auto* pill = new Pill(words);
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
    showModel(*m_lines, m_table, name, new LineDelegate(m_lines, NavigableLines));
    m_lines->setSortingEnabled(true);
    m_lines->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_lines->header()->setMinimumSectionSize(60); // Keeps the stretched column readable in a narrow dock.
    setFocusProxy(m_lines);
    connect(group, &QButtonGroup::idClicked, this, &NavigablePanel::choose);
    onChosen(*m_lines, this, [this](const QModelIndex& index) {
        const LongestLoss place = m_table.cell(index).place; // Copied, because the calls below may replace the lines.
        if (!place.row.isValid())
            return;
        m_context.time().jump({.row = place.row, .cursor = place.at});
        m_context.focusRows();
    });
    connect(&context.time(), &TimeWindow::selectionChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::queueQuery);
}

void NavigablePanel::choose(int pill)
{
    m_chosen = pill;
    m_pills[std::size_t(pill)]->setChecked(true);
    fill();
}

void NavigablePanel::setLines(const std::vector<NavigableTable::Column>& columns, std::vector<std::vector<NavigableCell>> lines)
{
    m_lines->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table.setLines(columns, std::move(lines));
    // The first column of texts takes the width that the other columns leave.
    const auto isStretched = std::ranges::find(columns, false, &NavigableTable::Column::isNumber);
    for (int column = 0; column < int(columns.size()); ++column)
        m_lines->header()->setSectionResizeMode(
            column, column == int(isStretched - columns.begin()) ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
}

void NavigablePanel::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

} // namespace helio
