#include "widgets/docks/durations/call_durations_view.h"

#include "core/query/segments/segments.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_style.h"
#include "widgets/docks/durations/duration_chart.h"
#include "widgets/docks/durations/hits_strip.h"
#include "widgets/paint/cell.h"
#include "widgets/theme/themes.h"
#include "widgets/workspace/go_to_call.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int FetchDelay = 80; ///< Delay in ms; a held key steps faster than the user can read.
constexpr int LineHeight = 20;
constexpr std::uint64_t NoEvent = ~0ull; ///< An event number that no event has: event lists mark no line for a call.

enum class Scale : bool { Linear, Logarithmic };
constexpr FileWord<Scale> Scales[] = {{Scale::Logarithmic, "logarithmic"}, {Scale::Linear, "linear"}};

bool hasCalls(const Timeline& timeline) { return std::ranges::any_of(segmentKinds(timeline), &SegmentKind::areCalls); }

QString callsText(std::uint64_t count)
{
    return count == 1 ? CallDurationsView::tr("1 call") : CallDurationsView::tr("%1 calls").arg(countText(qint64(count)));
}

} // namespace

/// A query for the durations of a function's calls.
struct CallDurationsView::Question {
    std::shared_ptr<const Timeline> timeline;
    TrackRef row;
    Timestamp at{};
    std::optional<SampledFunction> function; ///< Empty for the function of the call at `row` and `at`.
    std::shared_ptr<const FunctionDurations> before; ///< The durations shown now; nullptr if none.

    struct Answer {
        std::shared_ptr<const FunctionDurations> durations;
        std::optional<Segment> own;
    };
    /// Without a function and without a call at the cursor, what is shown stays, so that the user can compare it with other places.
    Answer answer(const std::stop_token& stop) const
    {
        const bool isKnown = before && before->timeline == timeline;
        const auto names = isKnown ? before->names : callNamesOf(timeline, stop);
        const auto own = callAt(*timeline, row, at);
        Answer found{isKnown ? before : nullptr, {}};
        if (function && !(isKnown && before->calls.hasSameFunction({*timeline, *names, *function})))
            found.durations = computeDurations(timeline, names, *function, stop);
        else if (!function && own && !(isKnown && before->calls.contains(*own)))
            found.durations = computeDurations(timeline, names, *own, stop);
        else if (before && !isKnown) // More of the recording was read.
            found.durations = computeDurations(timeline, names, before->function, stop);
        if (own && found.durations && found.durations->calls.contains(*own))
            found.own = own;
        return found;
    }
};

CallDurationsView::CallDurationsView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_samples(SampleModel::of(context))
    , m_title(makeLabel({}, 12, 600, "text.primary"))
    , m_count(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_logLengths(new Pill(tr("Log durations")))
    , m_logHeights(new Pill(tr("Log calls")))
    , m_chart(new DurationChart)
    , m_list(new QTreeView)
    , m_range(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_strip(new HitsStrip(context))
    , m_showAll(new QPushButton)
    , m_place(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_previous(new QToolButton)
    , m_next(new QToolButton)
    , m_stack(new QStackedWidget)
    , m_page(new EmptyPage)
    , m_answer(DebouncedQuery::Pace::Debounce, FetchDelay, [this] { fetch(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_page->setInDock();
    layout->addWidget(m_stack);
    m_stack->addWidget(m_page);
    auto* all = new QWidget;
    m_stack->addWidget(all);
    auto* rows = new QVBoxLayout(all);
    rows->setContentsMargins(12, 6, 12, 6);
    rows->setSpacing(4);
    makeHead();
    makeList();
    auto* parts = new QSplitter(Qt::Horizontal);
    parts->setHandleWidth(4);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_chart);
    parts->addWidget(m_list);
    parts->setStretchFactor(0, 1);
    parts->setSizes({600, 330});
    rows->addWidget(parts, 1);
    makeFoot();
    setFocusProxy(m_chart);
    wire();
    showPage();
    showFoot();
}

void CallDurationsView::makeHead()
{
    m_title->setTextFormat(Qt::PlainText); // Function names may contain angle brackets.
    m_logLengths->setToolTip(tr("Buckets are equal in ratio, not in width"));
    m_logHeights->setToolTip(tr("Heights grow with the logarithm: what is rare shows"));
    for (Pill* pill : {m_logLengths, m_logHeights}) {
        pill->setCheckable(true);
        pill->setChecked(true);
    }
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_title);
    head->addWidget(m_count);
    head->addStretch(1);
    head->addWidget(m_logLengths);
    head->addWidget(m_logHeights);
    static_cast<QVBoxLayout*>(m_stack->widget(1)->layout())->addLayout(head);
    m_chart->setAccessibleName(tr("Durations of the calls of a function"));
}

void CallDurationsView::makeList()
{
    m_calls.setTimeFormat(m_context.timeFormat());
    m_list->setModel(&m_calls);
    m_list->setItemDelegate(new LineDelegate(m_list, {LineHeight}));
    styleTable(*m_list);
    makeSortable(*m_list, CallListModel::Begin, Qt::AscendingOrder);
    m_list->setAccessibleName(tr("Calls of the selected bar"));
    m_list->header()->resizeSection(CallListModel::Begin, 150);
    m_list->header()->resizeSection(CallListModel::Length, 84);
    m_list->header()->setSectionResizeMode(CallListModel::Thread, QHeaderView::Stretch);
    m_list->hide();
}

void CallDurationsView::makeFoot()
{
    m_showAll->setObjectName("show-all");
    m_showAll->setToolTip(tr("Zooms until all of them are in view"));
    for (const auto& [button, icon, name] :
         {std::tuple(m_previous, "back", tr("Previous call of this bar")), std::tuple(m_next, "forward", tr("Next call of this bar"))}) {
        button->setIcon(themedIcon(icon));
        button->setToolTip(name);
        button->setAccessibleName(name);
        button->setAutoRaise(true);
        button->setFixedSize(24, 24);
    }
    auto* foot = new QHBoxLayout;
    foot->setSpacing(10);
    foot->addWidget(m_range);
    foot->addWidget(m_strip, 1);
    for (QWidget* part : {static_cast<QWidget*>(m_showAll), static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_place),
                          static_cast<QWidget*>(m_next)})
        foot->addWidget(part);
    static_cast<QVBoxLayout*>(m_stack->widget(1)->layout())->addLayout(foot);
}

void CallDurationsView::wire()
{
    connect(&m_context.time(), &TimeWindow::cursorChanged, this, [this] { follow(false); });
    connect(&m_context.time(), &TimeWindow::rowChanged, this, [this] { follow(false); });
    connect(&m_samples, &SampleModel::functionChosen, this, [this] { follow(m_samples.isOfCalls()); });
    connect(&m_context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::queueQuery);
    connect(&m_context, &ViewContext::timeFormatChanged, this, [this] { m_calls.setTimeFormat(m_context.timeFormat()); });
    for (Pill* pill : {m_logLengths, m_logHeights})
        connect(pill, &QAbstractButton::toggled, this, [this, pill] {
            m_chart->setLogarithmicHeights(m_logHeights->isChecked());
            if (pill == m_logLengths)
                showBuckets();
        });
    connect(m_chart, &DurationChart::selectedChanged, this, &CallDurationsView::fetchCalls);
    for (const auto signal : {&QTreeView::clicked, &QTreeView::activated})
        connect(m_list, signal, this, [this](const QModelIndex& index) { goTo(m_calls.callAt(index.row())); });
    connect(m_showAll, &QPushButton::clicked, this, &CallDurationsView::zoomToAll);
    connect(m_previous, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    connect(&m_context.hits(), &SearchHits::currentChanged, this, &CallDurationsView::showCurrent);
    connect(&m_context.hits(), &SearchHits::changed, this, &CallDurationsView::showFoot);
    connect(&Themes::instance(), &Themes::changed, this, [this] {
        m_previous->setIcon(themedIcon("back"));
        m_next->setIcon(themedIcon("forward"));
        m_showAll->setIcon(themedIcon("zoom-in"));
    });
}

void CallDurationsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

void CallDurationsView::follow(bool chosen)
{
    m_followsChosen = chosen;
    m_answer.soon();
}

ShownCommand CallDurationsView::shownCommand() const
{
    if (!m_shown)
        return ShownCommand::none(tr("The durations of no function are shown."));
    if (m_shown->function.name.empty() && !m_shown->label.starts_with("0x"))
        return ShownCommand::none(tr("No command selects calls of a function whose symbol is missing."));
    const std::vector<SegmentKind> kinds = segmentKinds(*m_shown->timeline);
    const auto calls = std::ranges::find_if(kinds, &SegmentKind::areCalls);
    if (calls == kinds.end())
        return ShownCommand::none(tr("No calls of functions were recorded."));
    return {QStringList{"latency"} + optionWords("--of", QString::fromStdString(calls->id))
                + optionWords("--filter", makeNameFilter(*m_shown)),
            {},
            {}};
}

void CallDurationsView::fetch()
{
    if (!isVisible()) // showEvent() fetches when the view becomes visible.
        return;
    const auto timeline = m_context.timeline();
    if (!timeline || !hasCalls(*timeline)) {
        m_answer.cancel();
        return take(nullptr, {});
    }
    Question question{timeline, m_context.time().row(), m_context.time().cursor(), {}, m_shown};
    if (m_followsChosen)
        question.function = m_samples.function();
    m_answer.post([this, question](std::stop_token stop) -> LatestTask::Delivery {
        auto answer = question.answer(stop);
        return [this, answer = std::move(answer)] { take(answer.durations, answer.own); };
    });
}

void CallDurationsView::take(std::shared_ptr<const FunctionDurations> durations, std::optional<Segment> own)
{
    if (std::exchange(m_shown, durations) != durations)
        showBuckets();
    m_chart->setOwn(own ? std::optional(lengthOf(own->range)) : std::nullopt);
    showPage();
}

void CallDurationsView::showPage()
{
    const bool isThere = m_shown && m_shown->lengths.count > 0;
    m_stack->setCurrentIndex(isThere ? 1 : 0);
    const auto timeline = m_context.timeline();
    if (m_shown && !isThere)
        m_page->setText(tr("%1 was never called").arg(QString::fromStdString(m_shown->label)));
    else if (timeline && !hasCalls(*timeline))
        m_page->setText(tr("No calls of functions were recorded"),
                        tr("LTTng records those of programs built with -finstrument-functions, and of Python"));
    else
        m_page->setText(tr("Select a call in a panel of call stacks, or a function under Functions"));
}

void CallDurationsView::showBuckets()
{
    if (!m_shown)
        return m_chart->setBuckets({}, {}, true);
    m_title->setText(QString::fromStdString(m_shown->label));
    m_count->setText(tr("%1 in the whole trace").arg(callsText(m_shown->lengths.count)));
    const bool isLogarithmic = m_logLengths->isChecked();
    m_chart->setBuckets(isLogarithmic ? m_shown->logarithmic : m_shown->linear, m_shown->lengths, isLogarithmic);
}

void CallDurationsView::fetchCalls()
{
    const auto selected = m_chart->selected();
    if (!selected || !m_shown) {
        m_callsJob.cancel();
        return takeCalls(nullptr);
    }
    m_callsJob.post([this, shown = m_shown, bucket = m_chart->buckets()[*selected]](std::stop_token stop) -> LatestTask::Delivery {
        return [this, calls = findBucketCalls(*shown, bucket, stop)] { takeCalls(calls); };
    });
}

void CallDurationsView::takeCalls(std::shared_ptr<const ListedCalls> calls)
{
    unmark();
    m_bucket = std::move(calls);
    m_calls.setCalls(m_bucket);
    m_list->setVisible(m_bucket != nullptr);
    mark();
    showFoot();
}

bool CallDurationsView::areHitsOurs() const { return m_bucket && m_context.hits().text() == m_marks; }

void CallDurationsView::mark()
{
    const auto timeline = m_context.timeline();
    if (!m_bucket || !m_shown || !timeline)
        return;
    std::vector<EventHit> marks;
    std::vector<SearchHits::Place> places;
    for (const ListedCalls::Call& it : m_bucket->calls) {
        marks.push_back({NoEvent, it.call.range.begin, traceOf(*m_shown->timeline, it.call.row())});
        places.push_back({it.call.range, it.call.row()});
    }
    m_marks = makeDurationSearch(*m_shown, m_bucket->bucket);
    m_context.hits().begin(m_marks);
    m_context.hits().append(marks, 1);
    m_context.hits().setPlaces(std::move(places));
    m_context.hits().finish(m_bucket->isCut());
}

void CallDurationsView::unmark()
{
    if (areHitsOurs())
        m_context.hits().clear();
}

void CallDurationsView::goTo(std::size_t call)
{
    const Segment there = m_bucket->calls[call].call;
    if (!areHitsOurs()) // Another search replaced the marks.
        mark();
    goToCall(m_context, there);
    m_context.hits().setCurrent(call);
}

void CallDurationsView::step(int by)
{
    if (!m_bucket || m_bucket->calls.empty())
        return;
    const auto current = areHitsOurs() ? m_context.hits().current() : std::nullopt;
    const auto count = std::ptrdiff_t(m_bucket->calls.size());
    const std::ptrdiff_t next = current ? std::ptrdiff_t(*current) + by : by > 0 ? 0 : count - 1;
    if (next >= 0 && next < count)
        goTo(std::size_t(next));
}

/// Selects the current call in the list; the keys that step through hits may have changed it.
void CallDurationsView::showCurrent()
{
    showFoot();
    const auto current = areHitsOurs() ? m_context.hits().current() : std::nullopt;
    if (!current || *current >= m_bucket->calls.size())
        return m_list->clearSelection();
    const QModelIndex line = m_calls.index(m_calls.lineOf(*current), 0);
    m_list->setCurrentIndex(line);
    m_list->scrollTo(line);
}

void CallDurationsView::showFoot()
{
    const bool areShown = areHitsOurs();
    for (QWidget* part : {static_cast<QWidget*>(m_strip), static_cast<QWidget*>(m_showAll), static_cast<QWidget*>(m_place),
                          static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_next)})
        part->setVisible(areShown);
    if (!m_bucket)
        return m_range->setText(tr("A click on a bar lists its calls and marks them on the time axis."));
    const HistogramBucket& it = m_bucket->bucket;
    m_range->setText(tr("%1 \u2013 %2, %3").arg(durationText(it.from), durationText(it.to), callsText(it.count))
                     + (m_bucket->isCut() ? tr(", the first %1 are listed").arg(countText(qint64(m_bucket->calls.size()))) : QString()));
    const auto count = m_bucket->calls.size();
    m_showAll->setText(count == 1 ? tr("Show it") : tr("Show these %1").arg(countText(qint64(count))));
    m_showAll->setIcon(themedIcon("zoom-in"));
    const auto current = areShown ? m_context.hits().current() : std::nullopt;
    m_place->setText(tr("%1 of %2").arg(current ? countText(qint64(*current + 1)) : QStringLiteral("\u2013"), countText(qint64(count))));
    m_previous->setEnabled(!current || *current > 0);
    m_next->setEnabled(!current || *current + 1 < count);
}

void CallDurationsView::zoomToAll()
{
    if (!m_bucket || m_bucket->calls.empty())
        return;
    TimeRange all = m_bucket->calls.front().call.range;
    for (const ListedCalls::Call& it : m_bucket->calls)
        all.end = std::max(all.end, it.call.range.end);
    const Duration margin = lengthOf(all) / 20;
    m_context.time().jump({.visible = TimeRange{all.begin - margin, all.end + margin}});
}

QJsonObject CallDurationsView::save() const
{
    return {{"lengths", fileWord(Scale(m_logLengths->isChecked()), Scales)},
            {"heights", fileWord(Scale(m_logHeights->isChecked()), Scales)}};
}

void CallDurationsView::restore(const QJsonObject& kept)
{
    m_logLengths->setChecked(valueOf(kept["lengths"], Scales) == Scale::Logarithmic);
    m_logHeights->setChecked(valueOf(kept["heights"], Scales) == Scale::Logarithmic);
}

} // namespace helio
