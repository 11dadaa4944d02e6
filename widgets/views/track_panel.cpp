#include "widgets/views/track_panel.h"

#include "core/query/facts.h"
#include "core/query/statistics.h"
#include "widgets/theme/themes.h"
#include "widgets/views/graph_row_source.h"

#include <QLineEdit>
#include <QMenu>

#include <set>

namespace helio {

namespace {

constexpr int SharesDelay = 200; ///< ms after the window last moved.

} // namespace

TrackPanel::TrackPanel(ViewContext& context, TimeAxis& axis, std::string id, const QString& title, QWidget* parent)
    : TimePanel(axis, std::move(id), title, parent)
    , m_context(context)
{
    m_tree.setClosedKinds(closedKinds(this->id()));
    m_sharesTimer.setSingleShot(true);
    m_sharesTimer.setInterval(SharesDelay);
    connect(&m_sharesTimer, &QTimer::timeout, this, &TrackPanel::requestShares);
    connect(&axis, &TimeAxis::timelineChanged, this, &TrackPanel::onTimelineChanged);
    connect(&axis.window(), &TimeWindow::visibleChanged, this, &TrackPanel::scheduleShares);
    connect(&axis.window(), &TimeWindow::rowChanged, this, &TrackPanel::revealSelected);
    connect(graph(), &TimeGraph::rowToggled, this, [this](int row) {
        const GraphRow& it = graph()->rows()[row];
        m_tree.setOpen(it.source, !it.isOpen);
        showRows();
    });
    connect(header()->filter(), &QLineEdit::textChanged, this, [this](const QString& text) {
        m_tree.setFilter(text.trimmed());
        showRows();
    });
    connect(header(), &PanelHeader::columnClicked, this, &TrackPanel::sortBy);
    connect(header(), &PanelHeader::moreClicked, this, &TrackPanel::showMenu);
    connect(&Themes::instance(), &Themes::changed, this, &TrackPanel::updateLegend);
    QMetaObject::invokeMethod(this, &TrackPanel::onTimelineChanged, Qt::QueuedConnection); // once the derived panel is whole
}

void TrackPanel::onTimelineChanged()
{
    const auto timeline = axis().timeline();
    if (!timeline) {
        m_rowsJob.cancel();
        m_tree.setRows({});
        showRows();
        return;
    }
    m_rowsJob.post([this, timeline, view = id()](std::stop_token) -> LatestJob::Delivery {
        auto found = std::make_shared<ViewRows>(viewRows(*timeline, view));
        return [this, found] {
            m_frequencies = std::move(found->frequencies);
            m_tree.setRows(std::move(found->rows));
            showRows();
            scheduleShares();
        };
    });
}

void TrackPanel::showRows()
{
    graph()->setRows(graphRows(m_tree, m_frequencies));
    header()->setSubtitle(subtitle());
    if (!axis().timeline())
        graph()->setEmptyText({}, {});
    else if (m_tree.rows().empty()) {
        const EmptyText text = isComplete(*axis().timeline()) ? emptyText() : EmptyText{tr("Reading…"), {}};
        graph()->setEmptyText(text.what, text.how);
    } else if (header()->filter()->text().isEmpty())
        graph()->setEmptyText(tr("All rows rest in the visible window."), tr("They are hidden as the menu of this panel says."));
    else
        graph()->setEmptyText(
            tr("Nothing matches “%1”.").arg(header()->filter()->text()),
            tr("%1 rows are hidden by the filter. Esc in the field clears it.").arg(countText(qint64(m_tree.rows().size()))));
    emit rowsChanged();
}

void TrackPanel::revealSelected()
{
    const TrackRef row = axis().window().row();
    if (const int shown = graph()->rows().find(row); !row.isValid() || shown >= 0) {
        graph()->ensureRowVisible(shown);
        return;
    }
    const std::int32_t index = m_tree.find(row);
    if (index < 0)
        return;
    m_tree.reveal(index);
    showRows();
    graph()->ensureRowVisible(graph()->selectedRow());
}

void TrackPanel::setHidesIdle(bool hides)
{
    m_hidesIdle = hides;
    if (hides) {
        requestShares();
        return;
    }
    m_tree.setAccepts({});
    showRows();
}

void TrackPanel::scheduleShares()
{
    if (m_hidesIdle || m_tree.sortColumn() == RowTree::Column::Share)
        m_sharesTimer.start();
}

/// The shares of all rows: what sorting by CPU % and hiding idle rows need.
void TrackPanel::requestShares()
{
    const auto timeline = axis().timeline();
    if (!timeline)
        return;
    std::vector<TrackRef> refs;
    for (const Row& row : m_tree.rows())
        refs.push_back(row.ref);
    m_sharesJob.post(
        [this, timeline, refs = std::move(refs), window = axis().window().visible()](std::stop_token stop) -> LatestJob::Delivery {
            std::unordered_map<std::int32_t, double> shares;
            for (std::size_t i = 0; i < refs.size(); ++i) {
                if (stop.stop_requested())
                    return {};
                if (refs[i].isValid())
                    shares[std::int32_t(i)] = busyShare(*timeline, refs[i], window);
            }
            return [this, shares = std::move(shares)]() mutable {
                if (m_hidesIdle) {
                    std::set<TrackRef> running;
                    for (const auto& [index, share] : shares) {
                        if (share > 0 && std::size_t(index) < m_tree.rows().size())
                            running.insert(m_tree.rows()[std::size_t(index)].ref);
                    }
                    m_tree.setAccepts([running = std::move(running)](const Row& row) { return running.contains(row.ref); });
                }
                m_tree.setShares(std::move(shares));
                showRows();
            };
        });
}

void TrackPanel::sortBy(int column)
{
    const auto wanted = RowTree::Column(column);
    const bool isSame = m_tree.sortColumn() == wanted;
    const bool startsDescending = wanted == RowTree::Column::Share;
    if (isSame && m_tree.isDescending() != startsDescending) // the third click: as recorded
        m_tree.setSort(RowTree::Column::Time, false);
    else
        m_tree.setSort(wanted, isSame ? !m_tree.isDescending() : startsDescending);
    header()->setSorted(int(m_tree.sortColumn() == RowTree::Column::Time ? RowTree::Column(-1) : m_tree.sortColumn()),
                        m_tree.isDescending());
    if (m_tree.sortColumn() == RowTree::Column::Share)
        requestShares();
    showRows();
}

void TrackPanel::showMenu(const QPoint& at)
{
    QMenu menu;
    QAction* hide = menu.addAction(tr("Hide rows that rest in the window"));
    hide->setCheckable(true);
    hide->setChecked(m_hidesIdle);
    connect(hide, &QAction::toggled, this, &TrackPanel::setHidesIdle);
    menu.addAction(tr("Filter rows…"), this, [this] { header()->openFilter(); });
    menu.addSeparator();
    menu.addAction(tr("Open all"), this, [this] {
        m_tree.setAllOpen(true);
        showRows();
    });
    menu.addAction(tr("Close all"), this, [this] {
        m_tree.setAllOpen(false);
        showRows();
    });
    menu.addSeparator();
    QMenu* sort = menu.addMenu(tr("Sort by"));
    for (const auto& [name, column] : {std::pair{tr("As recorded"), RowTree::Column::Time}, std::pair{tr("Name"), RowTree::Column::Name},
                                       std::pair{tr("Number"), RowTree::Column::Id}, std::pair{tr("CPU %"), RowTree::Column::Share}})
        sort->addAction(name, this, [this, column = column] { sortBy(int(column)); });
    menu.exec(at);
}

void TrackPanel::setLegendStates(std::vector<LegendState> states)
{
    m_legend = std::move(states);
    updateLegend();
}

void TrackPanel::updateLegend()
{
    std::vector<LegendChip> chips;
    for (const LegendState& state : m_legend) {
        const StateLook look = theme().lookOf(state.set, state.state);
        chips.push_back({look, look.legend});
    }
    header()->setLegend(std::move(chips));
}

} // namespace helio
