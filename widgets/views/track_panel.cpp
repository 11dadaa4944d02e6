#include "widgets/views/track_panel.h"

#include "core/query/facts.h"
#include "core/query/messages.h"
#include "core/query/sample_stacks.h"
#include "core/query/statistics.h"
#include "widgets/theme/themes.h"
#include "widgets/views/graph_row_source.h"
#include "widgets/work/discard.h"

#include <QElapsedTimer>
#include <QLineEdit>
#include <QMenu>

namespace helio {

namespace {

constexpr int SharesDelay = 200; ///< ms after the window last moved.
constexpr std::size_t FewRows = 2000; ///< Are arranged at once: within 1 ms.
constexpr int RowsRest = 4; ///< Asking for rows while reading rests so many times as long as it took.

/// Whether samples are all that tells what these rows did: each is of one state, the unknown.
bool haveOnlySamples(const std::vector<Row>& rows, const Timeline& timeline)
{
    return !sampleKinds(timeline).empty() && std::ranges::all_of(rows, [](const Row& row) { return row.intervals <= 1; });
}

} // namespace

TrackPanel::TrackPanel(ViewContext& context, TimeAxis& axis, std::string id, const QString& title, QWidget* parent)
    : TimePanel(axis, std::move(id), title, parent)
    , m_context(context)
{
    m_tree.setClosedKinds(closedKinds(this->id()));
    m_sharesTimer.setSingleShot(true);
    m_sharesTimer.setInterval(SharesDelay);
    connect(&m_sharesTimer, &QTimer::timeout, this, &TrackPanel::requestShares);
    m_rowsTimer.setSingleShot(true);
    connect(&m_rowsTimer, &QTimer::timeout, this, [this] {
        if (m_areRowsOld)
            requestRows();
    });
    connect(&axis, &TimeAxis::timelineChanged, this, &TrackPanel::onTimelineChanged);
    connect(&axis.window(), &TimeWindow::visibleChanged, this, &TrackPanel::scheduleShares);
    connect(&axis.window(), &TimeWindow::rowChanged, this, &TrackPanel::revealSelected);
    connect(graph(), &TimeGraph::rowToggled, this, &TrackPanel::toggle);
    connect(header()->filter(), &QLineEdit::textChanged, this, [this](const QString& text) {
        m_tree.setFilter(text.trimmed());
        arrange();
    });
    connect(header(), &PanelHeader::columnClicked, this, &TrackPanel::sortBy);
    connect(header(), &PanelHeader::moreClicked, this, &TrackPanel::showMenu);
    connect(&Themes::instance(), &Themes::changed, this, &TrackPanel::updateLegend);
    QMetaObject::invokeMethod(this, &TrackPanel::onTimelineChanged, Qt::QueuedConnection); // once the derived panel is whole
}

void TrackPanel::onTimelineChanged()
{
    if (!axis().timeline()) {
        m_rowsJob.cancel();
        m_rowsTimer.stop();
        return takeRows(std::make_shared<RowSet>(), {}, true);
    }
    m_areRowsOld = true;
    if (!m_rowsJob.isBusy() && !m_rowsTimer.isActive())
        requestRows();
}

void TrackPanel::requestRows()
{
    m_areRowsOld = false;
    m_rowsJob.post([this, timeline = axis().timeline(), view = id(), before = m_tree.rowSet()](std::stop_token) -> LatestJob::Delivery {
        QElapsedTimer clock;
        clock.start();
        ViewRows found = viewRows(*timeline, view);
        const bool hasOnlySamples = haveOnlySamples(found.rows, *timeline);
        auto rows = std::make_shared<const RowSet>(std::move(found.rows));
        auto frequencies = std::make_shared<const std::vector<TrackRef>>(std::move(found.frequencies));
        const bool areOthers = !rows->looksLike(*before);
        return [this, rows, frequencies, areOthers, hasOnlySamples, took = clock.elapsed(), isComplete = isComplete(*timeline)] {
            setHasOnlySamples(hasOnlySamples);
            takeRows(rows, frequencies, areOthers);
            if (isComplete && m_areRowsOld)
                return requestRows();
            m_rowsTimer.start(isComplete ? 0 : int(took) * RowsRest);
        };
    });
}

void TrackPanel::takeRows(std::shared_ptr<const RowSet> rows, Frequencies frequencies, bool areOthers)
{
    const bool areFrequenciesOthers = !m_frequencies || !frequencies || *m_frequencies != *frequencies;
    m_frequencies = std::move(frequencies);
    auto before = m_tree.rowSet();
    m_tree.setRows(std::move(rows));
    discard(std::move(before), m_tree.rows().size());
    if (areOthers || areFrequenciesOthers)
        arrange();
    else
        updateEmptyText(); // Reading may have ended.
    scheduleShares();
}

/// Puts the rows into order and shows them: at once where they are few.
void TrackPanel::arrange()
{
    static const std::vector<TrackRef> None;
    const auto made = [](const RowTree& tree, const Frequencies& frequencies, Density density) {
        return GraphRows(graphRows(tree, frequencies ? *frequencies : None), density);
    };
    const Density density = axis().density();
    if (m_tree.rows().size() <= FewRows) {
        m_arrangeJob.cancel();
        return show(made(m_tree, m_frequencies, density));
    }
    m_arrangeJob.post([this, tree = m_tree, frequencies = m_frequencies, density, made](std::stop_token) -> LatestJob::Delivery {
        auto rows = std::make_shared<GraphRows>(made(tree, frequencies, density));
        return [this, rows] { show(std::move(*rows)); };
    });
}

void TrackPanel::show(GraphRows rows)
{
    graph()->setRows(std::move(rows));
    header()->setSubtitle(subtitle());
    updateEmptyText();
    if (std::exchange(m_reveals, false))
        graph()->ensureRowVisible(graph()->selectedRow());
    emit rowsChanged();
}

void TrackPanel::toggle(int row)
{
    const GraphRow& it = graph()->rows()[row];
    const bool isKnown = it.source >= 0 && std::size_t(it.source) < m_tree.rows().size();
    const std::int32_t index = it.ref.isValid() ? m_tree.find(it.ref) : isKnown ? it.source : -1;
    if (index < 0)
        return; // The rows became others meanwhile.
    m_tree.setOpen(index, !it.isOpen);
    arrange();
}

void TrackPanel::updateEmptyText()
{
    setVacant(axis().timeline() && isComplete(*axis().timeline()) && m_tree.rows().empty());
    if (!axis().timeline())
        graph()->setEmptyText({}, {});
    else if (m_tree.rows().empty()) {
        const EmptyText text = !isComplete(*axis().timeline()) ? EmptyText{tr("Reading…"), {}}
            : hasTimes(*axis().timeline())
            ? emptyText()
            : EmptyText{tr("This file holds no times, so nothing is shown along time."),
                        tr("The flame graph and the functions have all of its samples.")};
        graph()->setEmptyText(text.what, text.how);
    } else if (header()->filter()->text().isEmpty())
        graph()->setEmptyText(tr("All rows rest in the visible window."), tr("They are hidden as the menu of this panel says."));
    else
        graph()->setEmptyText(
            tr("Nothing matches “%1”.").arg(header()->filter()->text()),
            tr("%1 rows are hidden by the filter. Esc in the field clears it.").arg(countText(qint64(m_tree.rows().size()))));
}

QString TrackPanel::howToRecord(const char* view) const
{
    const std::string command = commandFor(*axis().timeline(), view);
    return command.empty() ? QString() : tr("To see it, record: %1").arg(QString::fromStdString(command));
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
    m_reveals = true;
    arrange();
}

void TrackPanel::setHidesIdle(bool hides)
{
    m_hidesIdle = hides;
    if (hides) {
        requestShares();
        return;
    }
    m_tree.setAccepts({});
    arrange();
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
    m_sharesJob.post(
        [this, timeline, rows = m_tree.rowSet(), window = axis().window().visible()](std::stop_token stop) -> LatestJob::Delivery {
            std::vector<TrackRef> tracks;
            for (const Row& row : rows->rows())
                if (row.ref.isValid())
                    tracks.push_back(row.ref);
            const auto found = busyShares(*timeline, tracks, window, stop);
            if (stop.stop_requested())
                return {};
            auto shares = std::make_shared<Shares>(found.begin(), found.end());
            return [this, shares] {
                if (m_hidesIdle)
                    m_tree.setAccepts([shares](const Row& row) {
                        const auto it = shares->find(row.ref);
                        return it != shares->end() && it->second > 0;
                    });
                m_tree.setShares(shares);
                arrange();
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
    arrange();
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
        arrange();
    });
    menu.addAction(tr("Close all"), this, [this] {
        m_tree.setAllOpen(false);
        arrange();
    });
    menu.addSeparator();
    QMenu* sort = menu.addMenu(tr("Sort by"));
    for (const auto& [name, column] : {std::pair{tr("As recorded"), RowTree::Column::Time}, std::pair{tr("Name"), RowTree::Column::Name},
                                       std::pair{tr("Number"), RowTree::Column::Id}, std::pair{tr("CPU %"), RowTree::Column::Share}})
        sort->addAction(name, this, [this, column = column] { sortBy(int(column)); });
    menu.exec(at);
}

void TrackPanel::setLegendStates(std::vector<LegendState> states, std::vector<LegendState> sampled)
{
    m_legend = std::move(states);
    m_sampledLegend = std::move(sampled);
    updateLegend();
}

void TrackPanel::setHasOnlySamples(bool hasOnlySamples)
{
    if (std::exchange(m_hasOnlySamples, hasOnlySamples) != hasOnlySamples)
        updateLegend();
}

void TrackPanel::updateLegend()
{
    std::vector<LegendChip> chips;
    for (const LegendState& state : m_hasOnlySamples ? m_sampledLegend : m_legend) {
        const StateLook look = theme().lookOf(state.set, state.state);
        chips.push_back({look, look.legend});
    }
    header()->setLegend(std::move(chips));
}

} // namespace helio
