#include "widgets/compare/durations/durations_view.h"

#include "core/compare/significance.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "widgets/compare/side_style.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/controls/menus.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_style.h"
#include "widgets/flame/frame/flame_head.h"
#include "widgets/paint/duration_histogram.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace helio {

namespace {

constexpr int FetchDelay = 80; ///< Delay in ms between a change and the query.
constexpr int LineHeight = 21;
constexpr int LeastCause = 150;
constexpr int LeastLengths = 150;

class CauseDelegate : public LineDelegate {
public:
    using LineDelegate::LineDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {40, LineHeight}; }

private:
    QRect paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& room) const override
    {
        if (index.column() != DurationsModel::Cause)
            return room;
        paintSwatch(painter, QRectF(option.rect.left(), option.rect.center().y() - 5, 10, 10),
                    theme().lookOf(static_cast<const DurationsModel*>(index.model())->at(index.row()).state));
        return room.adjusted(13, 0, 0, 0);
    }
};

} // namespace

struct DurationsView::QueryResult {
    std::vector<ComparedDurations> durations;
    QString name;
    std::uint32_t runsA = 0;
    std::uint32_t runsB = 0;
};

DurationsView::DurationsView(CompareContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_title(makeElidingLabel(120, 11.5, 400, "text.secondary"))
    , m_copy(new Pill(tr("Copy as CSV")))
    , m_log(new Pill(tr("Log Y")))
    , m_stack(new QStackedWidget)
    , m_page(new EmptyPage)
    , m_table(new QTreeView)
    , m_histogram(new DurationHistogram)
    , m_difference(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_answer(DebouncedQuery::Pace::Debounce, FetchDelay, [this] { fetch(); })
{
    auto* head = m_head = new FoldingLayout;
    head->addWidget(m_title);
    for (Pill* pill : {m_copy, m_log}) {
        head->addWidget(pill);
        head->setFolding(pill);
    }
    m_log->setCheckable(true);
    m_log->setToolTip(tr("Logarithmic count axis"));
    connect(m_log, &QAbstractButton::toggled, m_histogram, &DurationHistogram::setLogarithmic);
    head->addStretch(1);
    QToolButton* more = makeHeadButton("more", tr("More"));
    more->setMenu(makeMenu(more, [head](QMenu* menu) { head->fillFolded(*menu); }));
    head->addWidget(more);
    head->setMore(more, false);
    showModel(*m_table, m_model, tr("Causes, with their durations in A and B"), new CauseDelegate(m_table));
    m_table->header()->setSectionsClickable(true);
    for (int column = DurationsModel::TimesA; column < DurationsModel::ColumnCount; ++column)
        m_table->header()->resizeSection(column, column <= DurationsModel::TimesB ? 60 : 80);
    stretchColumn(*m_table, DurationsModel::Cause, LeastCause);
    m_page->setInDock();
    auto* parts = new QSplitter(Qt::Horizontal);
    parts->setHandleWidth(4);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_table);
    auto* lengths = new QWidget;
    auto* below = new QVBoxLayout(lengths);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(4);
    below->addWidget(m_histogram, 1);
    below->addWidget(m_difference);
    m_difference->setWordWrap(true);
    // The text may be cut, because the table must keep its width.
    m_difference->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_difference->setToolTip(tr("Mann-Whitney rank test; it assumes that the durations are independent of each other"));
    parts->addWidget(lengths);
    lengths->setMinimumWidth(LeastLengths);
    m_table->setMinimumWidth(LeastCause + 2 * 60);
    m_histogram->setAccessibleName(tr("Durations in A and B"));
    m_histogram->setHeightTitle(tr("count per run"));
    parts->setStretchFactor(0, 1);
    parts->setSizes({LeastCause + 480, 2 * LeastLengths}); // The table is wider than the histogram beside it, because it has many columns.
    m_stack->addWidget(m_page);
    m_stack->addWidget(parts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_table);
    connect(&context, &CompareContext::timelineChanged, &m_answer, &DebouncedQuery::queueQuery);
    connect(&context, &CompareContext::questionChanged, &m_answer, &DebouncedQuery::soon);
    connect(m_copy, &QAbstractButton::clicked, this, [this] { copyText(m_model.csv()); });
    connect(m_table->header(), &QHeaderView::sectionClicked, this, [this, isDescending = false, last = -1](int column) mutable {
        isDescending = std::exchange(last, column) != column ? column != DurationsModel::Cause : !isDescending;
        m_model.sort(column, isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
        showChosen();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection& selected) {
        if (selected.isEmpty())
            return;
        m_chosen = m_model.at(selected.indexes().front().row());
        m_histogram->setHistograms({{m_chosen->a, double(std::max(1u, m_runsA)), sideRole(Side::A), tr("%1 times in all of A's runs")},
                                    {m_chosen->b, double(std::max(1u, m_runsB)), sideRole(Side::B), tr("%1 in B's")}});
        m_difference->setText(QString::fromStdString(rankTestText(rankTest(m_chosen->a, m_chosen->b))));
    });
    show({});
}

void DurationsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

void DurationsView::fetch()
{
    const auto a = m_context.a().timeline();
    const auto b = m_context.b().timeline();
    if (!isVisible()) // The query waits until the view is visible: showEvent() starts it.
        return;
    if (!a || !b || !m_context.hasSubject()) {
        m_answer.cancel();
        return show({});
    }
    m_answer.post([this, a, b, inA = m_context.comparedRange(Side::A), inB = m_context.comparedRange(Side::B),
                   ofA = m_context.subject(Side::A), ofB = m_context.subject(Side::B)](std::stop_token stop) -> LatestTask::Delivery {
        const auto runsA = runsOf(*a, ofA, inA, stop);
        const auto runsB = runsOf(*b, ofB, inB, stop);
        QueryResult answer;
        answer.durations = compareDurations(*a, ofA, runsA, *b, ofB, runsB, stop);
        answer.runsA = std::uint32_t(runsA.size());
        answer.runsB = std::uint32_t(runsB.size());
        return [this, answer = std::move(answer)]() mutable { show(std::move(answer)); };
    });
}

void DurationsView::show(QueryResult answer)
{
    const bool isThere = !answer.durations.empty();
    m_runsA = answer.runsA;
    m_runsB = answer.runsB;
    m_model.setDurations(std::move(answer.durations));
    for (Pill* pill : {m_copy, m_log})
        m_head->setShown(pill, isThere);
    const auto runs = [](std::uint32_t n) { return n == 1 ? tr("1 run") : tr("%1 runs").arg(n); };
    m_title->setText(isThere ? tr("Complete state intervals of all threads of %1 in A and %2 in B").arg(runs(m_runsA), runs(m_runsB))
                             : QString());
    const auto a = m_context.a().timeline();
    const auto b = m_context.b().timeline();
    if (a && b && (!hasTimes(*a) || !hasTimes(*b)))
        m_page->setText(tr("These recordings have no times, so durations are unknown."));
    else if (!m_context.hasSubject())
        m_page->setText(tr("Waiting for the compared runs \u2026"));
    else if (m_runsA == 0 || m_runsB == 0)
        m_page->setText(m_runsA == 0 ? tr("Nothing that is compared ran in A in this range.")
                                     : tr("Nothing that is compared ran in B in this range."),
                        tr("Select a longer range, or clear the selection."));
    else if (!m_context.isSettled())
        m_page->setText(tr("Reading \u2026"));
    else if (!m_context.a().time().selection().isEmpty() || !m_context.b().time().selection().isEmpty())
        m_page->setText(tr("No complete state interval in this range."), tr("Select a longer range, or clear the selection."));
    else
        m_page->setText(tr("No scheduler events, so durations are unknown."),
                        QString::fromStdString(adviseRecording(RecordableData::SampledStates, a.get(), b.get()).sentences()));
    m_stack->setCurrentIndex(isThere ? 1 : 0);
    showChosen();
}

void DurationsView::showChosen()
{
    const int row = m_chosen ? m_model.find(*m_chosen) : -1;
    if (m_model.rowCount() > 0)
        m_table->setCurrentIndex(m_model.index(std::max(0, row), 0));
    else
        m_histogram->setHistograms({});
    if (m_model.rowCount() == 0)
        m_difference->clear();
}

} // namespace helio
