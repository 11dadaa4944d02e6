#include "widgets/docks/events/state_results.h"

#include "core/query/rows/facts.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/controls/table_style.h"
#include "widgets/paint/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QTreeView>

#include <algorithm>

namespace helio {

namespace {

constexpr int LineHeight = 20;
constexpr int FunctionWidth = 220;
constexpr int DetailWidth = 120;

} // namespace

StateResults::StateResults(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_list(new QTreeView)
    , m_summary(new QTreeView)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* split = new QSplitter;
    layout->addWidget(split);
    split->addWidget(m_list);
    split->addWidget(m_summary);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    m_lines.setTimeFormat(context.timeFormat());
    showModel(*m_list, m_lines, tr("States found"), new LineDelegate(m_list, {LineHeight}));
    showModel(*m_summary, m_groups, tr("Durations by state and thread"), new LineDelegate(m_summary, {LineHeight}));
    makeSortable(*m_list, StateOrder::Begin, Qt::AscendingOrder);
    setColumnWidths(*m_list, {170, 84, 112, 150, 40, DetailWidth, 80});
    setColumnWidths(*m_summary, {150, 60, 90, 90, 90, 90, 90, 90});
    m_summary->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setFocusProxy(m_list);
    connect(&m_lines, &StateListModel::orderChanged, this, &StateResults::order);
    onChosen(*m_list, this, [this](const QModelIndex& index) { emit chosen(m_lines.hitAt(index.row())); });
    connect(m_summary, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        const StateGroup* group = m_groups.groupAt(index.row());
        m_lines.setOnly(group ? QString::fromStdString(group->state) : QString(), group ? group->track : TrackRef{});
    });
}

void StateResults::setFound(std::shared_ptr<const StateSearchResult> found)
{
    m_found = std::move(found);
    m_current.reset();
    m_groups.setFound(m_found);
    m_summary->setCurrentIndex(m_groups.index(0, 0));
    m_lines.setLines(m_found, {});
    m_lines.setOnly({}, {});
}

/// Sorts on another thread, because many hits take longer than a frame.
void StateResults::order()
{
    if (!m_found)
        return m_job.cancel();
    m_job.post([this, found = m_found, order = m_lines.order()](std::stop_token) -> LatestTask::Delivery {
        auto lines = std::make_shared<std::vector<std::uint32_t>>(ordered(*found, order));
        const bool hasDetails =
            std::ranges::any_of(found->findings.hits, [&](const StateHit& hit) { return !found->detailOf(hit).isEmpty(); });
        return [this, found, lines, hasDetails] {
            showColumns(hasDetails);
            m_lines.setLines(found, std::move(*lines));
            setCurrent(m_current);
        };
    });
}

/// Hides columns without values.
void StateResults::showColumns(bool hasDetails)
{
    const bool hasCpus = std::ranges::any_of(m_found->rows, [](const auto& it) { return it.second.cpu >= 0; });
    m_list->setColumnHidden(StateOrder::Cpu, !hasCpus);
    m_list->setColumnHidden(StateOrder::Host, hostFacts(*m_found->timeline).size() < 2); // The host is redundant if there is only one.
    m_list->setColumnHidden(StateOrder::Detail, !hasDetails);
    const bool areCalls = m_found->findings.areCalls;
    m_list->setColumnHidden(StateOrder::State, areCalls); // The state of a call only says how it ended; the called function matters.
    QHeaderView& header = *m_list->header();
    const int place = areCalls ? StateOrder::State : StateOrder::Detail;
    if (header.visualIndex(StateOrder::Detail) == place)
        return; // Widths are only set once, because the user may have changed them.
    header.moveSection(header.visualIndex(StateOrder::Detail), place);
    header.resizeSection(StateOrder::Detail, areCalls ? FunctionWidth : DetailWidth);
}

void StateResults::setCurrent(std::optional<std::size_t> hit)
{
    m_current = hit;
    const int line = hit ? m_lines.findRow([hit](std::uint32_t it) { return it == *hit; }) : -1;
    if (line < 0)
        return m_list->clearSelection();
    m_list->setCurrentIndex(m_lines.index(line, 0));
    m_list->scrollTo(m_lines.index(line, 0));
}

} // namespace helio
