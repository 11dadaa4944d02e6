#include "widgets/docks/requests/requests_view.h"

#include "core/query/related/related.h"
#include "core/query/rows/facts.h"
#include "core/waits/path/wait_causes.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_copy.h"
#include "widgets/controls/table_style.h"
#include "widgets/docks/requests/request_model.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/analysis_list.h"
#include "widgets/workspace/filter_changes.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPersistentModelIndex>
#include <QSignalBlocker>
#include <QTreeView>
#include <QVBoxLayout>

#include <optional>
#include <unordered_map>
#include <utility>

namespace helio {

namespace {

constexpr int RequestFetchDelay = 200; ///< Delay in ms between a change and the query.
/// Constant part of the pause between two queries while the trace is being read, in ms. Five times the duration of the last query is added.
constexpr int RequestPause = 1000;
constexpr int ProgressPeriod = 200;
constexpr int LeastListHeight = 68; ///< Minimum height of the list in pixels: titles and two requests.
const QString ServerRequestsKind = QStringLiteral("server-requests"); ///< Id of the analysis of server requests, and of its requests.
const QString SystemCallsKind = QStringLiteral("syscall");
constexpr std::size_t MostRequests = 20'000;

/// Tests whether the name of a request or of its thread contains a text; caches results.
/// Threads: one thread.
class RequestFilter {
public:
    RequestFilter(const Timeline& timeline, QString part)
        : m_timeline(timeline)
        , m_part(std::move(part))
    {
    }

    bool operator()(const std::string& name, TrackRef thread)
    {
        const auto [known, isNew] = m_names.try_emplace(name);
        if (isNew)
            known->second = text(name).contains(m_part, Qt::CaseInsensitive);
        return known->second || isIn(thread);
    }

private:
    bool isIn(TrackRef thread)
    {
        const auto [known, isNew] = m_threads.try_emplace(thread);
        if (isNew)
            known->second = text(threadWords(m_timeline, thread)).contains(m_part, Qt::CaseInsensitive);
        return known->second;
    }

    const Timeline& m_timeline;
    const QString m_part;
    std::unordered_map<std::string, bool> m_names;
    std::unordered_map<TrackRef, bool, TrackRefHash> m_threads;
};

} // namespace

/// Line with the colours of the causes in the listed requests, the cause with the most time first. Causes for which there is no room are
/// left out.
class CauseLegend : public QWidget {
public:
    explicit CauseLegend(const RequestModel& model)
        : m_model(model)
    {
        setFixedHeight(18);
        setAccessibleName(RequestsView::tr("Colours of the causes"));
        const auto changed = [this] {
            m_kinds = m_model.causes();
            setVisible(!m_kinds.empty());
            update();
        };
        connect(&model, &QAbstractItemModel::modelReset, this, changed);
        connect(&model, &QAbstractItemModel::layoutChanged, this, changed);
        connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
        changed();
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        constexpr int Swatch = 9, TextLeft = 14, Gap = 14;
        QPainter painter(this);
        painter.setFont(fonts().legend());
        painter.setPen(theme().color("text.secondary"));
        double x = 12;
        for (const PathKind kind : m_kinds) {
            const StateAppearance look = theme().lookOf(stateOf(kind));
            const double right = x + TextLeft + QFontMetricsF(painter.font()).horizontalAdvance(look.legend);
            if (right > width() - Gap)
                break;
            paintSwatch(painter, QRectF(x, (height() - Swatch) / 2.0, Swatch, Swatch), look);
            painter.drawText(QPointF(x + TextLeft, centredBaseline(painter.font(), rect())), look.legend);
            x = right + Gap;
        }
    }

    const RequestModel& m_model;
    std::vector<PathKind> m_kinds;
};

RequestsView::RequestsView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_kinds(new QComboBox)
    , m_filter(new QLineEdit)
    , m_ofThread(new Pill(tr("Selected thread")))
    , m_aligned(new Pill(tr("Align starts")))
    , m_paths(new Pill(tr("Compare waits")))
    , m_words(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_model(new RequestModel(this))
    , m_offer(new Pill(tr("Enable server requests")))
    , m_lines(new QTreeView)
    , m_legend(new CauseLegend(*m_model))
    , m_answer(DebouncedQuery::Pace::Debounce, RequestFetchDelay, [this] { fetch(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 0, 12, 0);
    head->setSpacing(8);
    m_kinds->setToolTip(tr("What counts as a request: function calls, or segments of an analysis that is enabled in the Analysis menu"));
    m_kinds->setAccessibleName(tr("Kind of requests"));
    m_filter->setAccessibleName(tr("Filter requests"));
    m_kinds->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_filter->setPlaceholderText(tr("Name or thread"));
    m_filter->setClearButtonEnabled(true);
    recordFilterChanges(*m_filter, context, tr("requests"));
    m_filter->setMaximumWidth(220);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    head->addWidget(m_kinds);
    m_aligned->setCheckable(true);
    m_aligned->setToolTip(tr("Draw each request from a common start, in time order; the sort order stays"));
    m_paths->setMenu([this](QMenu* menu) { fillOfferedMenus(*menu); });
    m_paths->setToolTip(tr("Show the critical paths of these requests together, or what slow ones waited for more than others"));
    m_ofThread->setCheckable(true);
    m_ofThread->setToolTip(tr("List only the requests of the selected thread"));
    m_offer->setToolTip(tr("Run the analysis that finds the requests that servers answer"));
    m_offer->hide();
    head->addWidget(m_offer);
    head->addWidget(m_ofThread);
    head->addWidget(m_filter);
    head->addWidget(m_aligned);
    head->addWidget(m_paths);
    head->addWidget(m_words, 1);
    layout->addLayout(head);
    showModel(*m_lines, *m_model, tr("Requests and their time by cause"), new RequestDelegate(*m_model, m_lines));
    makeSortable(*m_lines, RequestModel::Length, Qt::DescendingOrder);
    m_lines->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_lines->header()->setSectionResizeMode(RequestModel::Parts, QHeaderView::Stretch);
    // The list takes the height that is left. Its preferred height would make a low dock scroll, because the text above it wraps.
    m_lines->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_lines->setMinimumHeight(LeastListHeight);
    layout->addWidget(m_lines, 1);
    layout->addWidget(m_legend);
    setFocusProxy(m_lines);
    connect(m_ofThread, &QAbstractButton::clicked, this, [this](bool isOn) {
        m_limitsToThread = isOn;
        followThread();
    });
    connect(&context.time(), &TimeWindow::rowChanged, this, &RequestsView::followThread);
    connect(m_offer, &QAbstractButton::clicked, this, &RequestsView::enableServerRequests);
    connect(&AnalysisList::of(context), &AnalysisList::changed, this, &RequestsView::showOffer);
    connect(m_kinds, &QComboBox::activated, this, [this] {
        m_wantedKind.clear();
        m_hasUserKind = true;
        m_areTooMany = false;
        take({}, {}, {}, 0); // The listed requests are of the previous kind, so the list is cleared.
        m_words->setText(tr("Finding requests…"));
        m_answer.now();
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setFilter(text);
        showWords();
        if (m_model->mayLackMatches())
            m_answer.soon();
    });
    onChosen(*m_lines, this, [this](const QModelIndex& index) { goTo(index); });
    connect(m_lines, &QTreeView::doubleClicked, this, &RequestsView::showPath);
    m_lines->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_lines, &QWidget::customContextMenuRequested, this, &RequestsView::showMenu);
    connect(m_aligned, &QAbstractButton::toggled, this, &RequestsView::setAligned);
    m_progressTimer.setInterval(ProgressPeriod);
    connect(&m_progressTimer, &QTimer::timeout, this, &RequestsView::showProgress);
    m_answer.setPause({RequestPause, 5});
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        if (!m_context.timeline()) { // The experiment was closed.
            m_answer.cancel();
            return take({}, {}, {}, 0);
        }
        if (!m_model->timeline() || isBusy() || !haveSameRequests(*m_model->timeline(), *m_context.timeline()))
            m_answer.queueQuery();
    });
}

void RequestsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

/// Updates the list of the timeline's kinds, and keeps the selected one.
void RequestsView::updateKinds()
{
    const auto timeline = m_context.timeline();
    const QString chosen = !m_wantedKind.isEmpty() ? m_wantedKind : m_hasUserKind ? kind() : QString();
    const QSignalBlocker blocker(m_kinds);
    m_kinds->clear();
    for (const RequestKind& kind : timeline ? requestKinds(*timeline) : std::vector<RequestKind>())
        m_kinds->addItem(text(kind.title), text(kind.id));
    const int place = m_kinds->findData(chosen);
    m_kinds->setCurrentIndex(place >= 0 ? place : defaultKind());
    if (m_kinds->findData(m_wantedKind) >= 0) {
        m_wantedKind.clear();
        m_hasUserKind = true;
    }
    m_kinds->setEnabled(m_kinds->count() > 0);
    showThreadSwitch();
    showOffer();
}

/// Returns the index of the default kind: what servers answer, otherwise system calls, otherwise calls of functions. Waits for locks come
/// last, because a lock serves no request.
int RequestsView::defaultKind() const
{
    for (const QString& id : {ServerRequestsKind, SystemCallsKind})
        if (const int place = m_kinds->findData(id); place >= 0)
            return place;
    for (int place = 0; place < m_kinds->count(); ++place)
        if (!m_kinds->itemData(place).toString().startsWith(QLatin1String("lock")))
            return place;
    return 0;
}

QString RequestsView::kind() const { return m_kinds->currentData().toString(); }

bool RequestsView::isOfSelectedThread() const { return m_limitsToThread.value_or(kind() == SystemCallsKind); }

/// Updates the switch that limits the list to the selected thread. The row of a CPU or disk, for example, is no thread.
void RequestsView::showThreadSwitch()
{
    const auto timeline = m_context.timeline();
    const TrackRef row = m_context.time().row();
    const bool hasThread = timeline && row.isValid() && findPathThread(*timeline, row, m_context.time().cursor()).isValid();
    m_ofThread->setEnabled(m_kinds->count() > 0 && hasThread);
    m_ofThread->setChecked(hasThread && isOfSelectedThread());
}

/// Queries the requests again if another thread's requests are to be listed.
void RequestsView::followThread()
{
    const auto timeline = m_context.timeline();
    showThreadSwitch();
    if (timeline && isVisible() && threadToList(*timeline) != m_thread)
        m_answer.soon();
}

/// Returns the thread whose requests are to be listed; not valid for those of all threads.
TrackRef RequestsView::threadToList(const Timeline& timeline) const
{
    const TrackRef row = isOfSelectedThread() ? m_context.time().row() : TrackRef();
    return row.isValid() ? findPathThread(timeline, row, m_context.time().cursor()) : TrackRef();
}

/// Shows the button that enables the analysis of server requests, if the traces have its events and it is not enabled.
void RequestsView::showOffer()
{
    const AnalysisEntry* analysis = AnalysisList::of(m_context).find(ServerRequestsKind);
    m_offer->setVisible(m_context.timeline() && analysis && !analysis->isOn && analysis->applies && analysis->canRun());
}

void RequestsView::enableServerRequests()
{
    m_wantedKind = ServerRequestsKind;
    m_isSavedKind = false;
    m_hasUserKind = true;
    AnalysisList::of(m_context).switchOn(ServerRequestsKind, true);
}

/// Queries the requests of the whole experiment, not of the selection: a click on a request selects its range, and the other requests must
/// stay listed.
void RequestsView::fetch()
{
    if (!isVisible()) // Do not fetch while hidden: showEvent() fetches when the view becomes visible.
        return;
    updateKinds();
    const auto timeline = m_context.timeline();
    const std::string kind = this->kind().toStdString();
    const TimeRange range{Timestamp::min(), Timestamp::max()};
    if (!timeline || kind.empty()) {
        m_answer.cancel();
        return take(timeline, {}, {}, 0);
    }
    const TrackRef thread = threadToList(*timeline);
    m_areTooMany = m_areTooMany && thread == m_thread;
    m_thread = thread;
    const QString filter = m_areTooMany ? m_filter->text().trimmed() : QString();
    const auto progress = std::make_shared<QueryProgress>();
    m_progress = progress;
    m_progressTimer.start();
    m_answer.post([this, timeline, kind, range, filter, thread, progress](std::stop_token stop) -> LatestTask::Delivery {
        auto all = std::make_shared<std::vector<RequestPath>>();
        RequestFilter passes(*timeline, filter);
        RequestSelection choice{{}, MostRequests};
        if (!filter.isEmpty() || thread.isValid())
            choice.accepts = [&](const std::string& name, TrackRef of, TimeRange) {
                return (!thread.isValid() || of == thread) && (filter.isEmpty() || passes(name, of));
            };
        const auto takeOne = [&](RequestPath&& it) { all->push_back(std::move(it)); };
        const std::uint64_t count = forEachRequestPath(*timeline, kind, choice, range, takeOne, stop, progress.get());
        if (stop.stop_requested())
            return {};
        return [this, timeline, all, filter, count] { take(timeline, std::move(*all), filter, count); };
    });
}

/// Shows the progress of a long query; the list is kept until the query is done.
void RequestsView::showProgress()
{
    const std::uint64_t total = m_progress ? m_progress->total.load() : 0;
    if (!m_answer.isBusy())
        return m_progressTimer.stop();
    if (total == 0)
        return m_words->setText(tr("Finding requests…"));
    m_words->setText(tr("Computing the critical paths of the requests, %1 %").arg(100 * m_progress->done.load() / total));
}

/// Replaces the requests. The selected request stays selected if it still exists.
void RequestsView::take(std::shared_ptr<const Timeline> timeline, std::vector<RequestPath> all, const QString& filter, std::size_t count)
{
    m_progress.reset();
    m_progressTimer.stop();
    const QModelIndex current = m_lines->currentIndex();
    const std::optional<RequestPath> chosen =
        current.isValid() && current.row() < m_model->rowCount() ? std::optional(m_model->line(current.row())) : std::nullopt;
    m_areTooMany = m_areTooMany || count > all.size();
    m_model->setRequests(std::move(timeline), std::move(all), m_context.timeFormat(), filter, count);
    for (int line = 0; chosen && line < m_model->rowCount(); ++line)
        if (const RequestPath& it = m_model->line(line); it.thread == chosen->thread && it.range == chosen->range)
            m_lines->setCurrentIndex(m_model->index(line, 0));
    showWords();
    if (m_model->mayLackMatches()) // The filter may match requests that were not queried, so the query is repeated.
        m_answer.soon();
}

void RequestsView::showWords()
{
    if (m_kinds->count() == 0)
        return m_words->setText(tr("No requests here. Requests are function calls (LTTng-UST, -finstrument-functions), segments of an "
                                   "analysis, such as Server requests in the Analysis menu, and system calls."));
    QStringList sentences{missingKind()};
    if (m_model->rowCount() == 0 && m_thread.isValid() && m_filter->text().trimmed().isEmpty())
        sentences << tr("The selected thread has none of these. Switch off “Selected thread” to list those of all threads.");
    else if (m_model->rowCount() == 0)
        sentences << (m_filter->text().trimmed().isEmpty()
                          ? tr("None of these is on a thread with known states. Record a kernel trace at the same time.")
                          : tr("No name or thread matches the filter."));
    else if (m_model->missing() > 0)
        sentences << tr("The longest %1 of %2 are listed.")
                         .arg(countText(m_model->rowCount()), countText(qint64(m_model->missing()) + m_model->rowCount()));
    if (m_model->rowCount() > 0)
        sentences << m_model->difference();
    sentences.removeAll(QString());
    m_words->setText(sentences.join(u' '));
}

/// Returns a remark if a session file selects a kind that the timeline does not have, so that another one is listed; empty otherwise.
QString RequestsView::missingKind() const
{
    const auto timeline = m_context.timeline();
    if (m_wantedKind.isEmpty() || !m_isSavedKind || !timeline || hasMissingRows(*timeline))
        return {}; // The kind may still be found.
    return tr("These traces have no requests of the saved kind \u201c%1\u201d; %2 are listed instead.")
        .arg(m_wantedKind, m_kinds->currentText());
}

/// Returns the request of a line; nullptr after showing a message if the request does not exist any more. The list may have changed since a
/// menu was opened, or may show requests of a trace that was read again.
const RequestPath* RequestsView::requestAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.row() >= m_model->rowCount())
        return nullptr;
    const RequestPath& it = m_model->line(index.row());
    if (m_model->isOf(m_context.timeline().get(), it))
        return &it;
    m_context.say(tr("The trace changed; the list is being rebuilt"));
    return nullptr;
}

void RequestsView::goTo(const QModelIndex& index)
{
    const RequestPath* const chosen = requestAt(index);
    if (!chosen)
        return;
    const RequestPath it = *chosen; // Copied, because the calls below may replace the lines.
    if (!m_thread.isValid() && isOfSelectedThread())
        m_limitsToThread = false; // Otherwise selecting the request's thread would remove the requests of all other threads from the list.
    m_context.time().jump({.row = it.thread, .cursor = it.range.begin, .selection = it.range});
    m_context.focusRows();
}

void RequestsView::showPath(const QModelIndex& index)
{
    const RequestPath* const chosen = requestAt(index);
    if (!chosen)
        return;
    const RequestPath it = *chosen;
    const Duration margin = it.range.duration() / 20;
    m_context.time().jump({.visible = TimeRange{it.range.begin - margin, it.range.end + margin}});
    PathChoice::of(m_context).setQuestion(PathRequest{it.thread, it.range});
}

PathGroup RequestsView::setOf(const std::vector<const RequestPath*>& requests, const QString& name) const
{
    PathGroup set{name, {}};
    for (const RequestPath* it : requests)
        if (m_model->isOf(m_context.timeline().get(), *it))
            set.paths.push_back({it->thread, it->range});
    return set;
}

void RequestsView::setAligned(bool areAligned)
{
    m_aligned->setChecked(areAligned);
    m_model->setAligned(areAligned);
    for (const int column : {RequestModel::Name, RequestModel::Thread})
        m_lines->setColumnHidden(column, areAligned);
}

void RequestsView::showGroup(const PathGroup& set)
{
    PathChoice::of(m_context).showGroup(set);
    m_context.showView(QStringLiteral("waited_for"));
}

void RequestsView::compareSlowest()
{
    const auto slow = m_model->slowest();
    const auto others = m_model->others();
    PathChoice::of(m_context).compare(setOf(others, tr("%1 other requests").arg(countText(qint64(others.size())))),
                                      setOf(slow, tr("Slowest %1").arg(countText(qint64(slow.size())))));
}

void RequestsView::compareWithTypical()
{
    const RequestPath* const chosen = requestAt(m_lines->currentIndex());
    if (!chosen)
        return;
    const RequestPath* const typical = m_model->typical(*chosen);
    if (!typical)
        return m_context.say(tr("Median unknown, because only the longest requests are listed. Filter them by name."));
    const std::size_t count = m_model->alike(*chosen).size();
    if (typical == chosen)
        return m_context.say(count == 1 ? tr("This is the only listed request of its name on its host")
                                        : tr("The selected request is the median of its name on its host"));
    const QString median = tr("Median of %1 requests, %2").arg(countText(qint64(count)), durationText(typical->range.duration()));
    PathChoice::of(m_context).compare(setOf({typical}, median),
                                      setOf({chosen}, tr("Selected request, %1").arg(durationText(chosen->range.duration()))));
}

void RequestsView::fillOfferedMenus(QMenu& menu)
{
    const auto add = [&](const QString& text, bool isThere, const std::function<void()>& run) {
        menu.addAction(text, this, run)->setEnabled(isThere);
    };
    const bool areThere = m_model->rowCount() > 0;
    const bool isChosen = areThere && m_lines->currentIndex().isValid();
    add(tr("Critical path of selected request"), isChosen, [this] {
        if (const RequestPath* chosen = requestAt(m_lines->currentIndex())) {
            const RequestPath it = *chosen; // Copied, because the calls below may replace the lines.
            m_context.time().jump({.visible = it.range});
            PathChoice::of(m_context).show({it.thread, it.range}, tr("%1, %2").arg(text(it.name), durationText(it.range.duration())));
        }
    });
    add(tr("Critical path of all listed requests"), areThere, [this] {
        const auto listed = m_model->listed();
        showGroup(setOf(listed, tr("%1 requests").arg(countText(qint64(listed.size())))));
    });
    menu.addSeparator();
    add(tr("Compare selected with median"), isChosen, [this] { compareWithTypical(); });
    add(tr("Compare slowest 1 % with the rest"), !m_model->areTooFew(), [this] { compareSlowest(); });
}

void RequestsView::showMenu(QPoint at)
{
    const QModelIndex index = m_lines->indexAt(at);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (index.isValid()) {
        m_lines->setCurrentIndex(index);
        menu->addAction(tr("Go to request"), this, [this, line = QPersistentModelIndex(index)] { goTo(line); });
        menu->addAction(tr("Show critical path"), this, [this, line = QPersistentModelIndex(index)] { showPath(line); });
        menu->addSeparator();
    }
    fillOfferedMenus(*menu);
    menu->addSeparator();
    addCopyActions(*menu, *m_lines, index);
    menu->popup(m_lines->viewport()->mapToGlobal(at));
}

ShownCommand RequestsView::shownCommand() const
{
    const QString kind = this->kind();
    if (kind.isEmpty())
        return ShownCommand::none(tr("No requests are listed."));
    if (m_thread.isValid())
        return ShownCommand::none(tr("No command lists the requests of one thread. Switch off “Selected thread” first."));
    if (!m_filter->text().trimmed().isEmpty())
        return ShownCommand::none(tr("No command filters requests as this dock does. Clear its filter first."));
    return {QStringList{"critical-path"} + optionWords("--requests", kind), {}, {}};
}

QJsonObject RequestsView::save() const
{
    QJsonObject kept{{"filter", m_filter->text()}, {"aligned", m_model->areAligned()}};
    if (!m_wantedKind.isEmpty() || m_hasUserKind)
        kept["kind"] = m_wantedKind.isEmpty() ? kind() : m_wantedKind;
    if (m_limitsToThread)
        kept["selectedThread"] = *m_limitsToThread;
    return kept;
}

void RequestsView::restore(const QJsonObject& kept)
{
    m_wantedKind = kept["kind"].toString();
    m_isSavedKind = m_hasUserKind = !m_wantedKind.isEmpty();
    const QJsonValue ofThread = kept["selectedThread"];
    m_limitsToThread = ofThread.isBool() ? std::optional(ofThread.toBool()) : std::nullopt;
    m_filter->setText(kept["filter"].toString());
    setAligned(kept["aligned"].toBool());
    m_answer.now();
}

} // namespace helio
