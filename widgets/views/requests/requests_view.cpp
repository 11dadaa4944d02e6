#include "widgets/views/requests/requests_view.h"

#include "widgets/shell/table_look.h"
#include "widgets/time/qt_text.h"
#include "widgets/view/path_choice.h"
#include "widgets/views/requests/request_model.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace helio {

namespace {

constexpr int RequestFetchDelay = 200; ///< ms, as the next.
constexpr int RequestRest = 1000; ///< Between two answers while the trace is read, and five times as long as one took.
constexpr std::size_t MostRequests = 20'000;

} // namespace

RequestsView::RequestsView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_kinds(new QComboBox)
    , m_filter(new QLineEdit)
    , m_words(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_model(new RequestModel(this))
    , m_lines(new QTreeView)
    , m_answer(FreshAnswer::Pace::WhenStill, RequestFetchDelay, [this] { fetch(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 0, 12, 0);
    head->setSpacing(8);
    m_kinds->setToolTip(
        tr("What requests are: calls of functions, or the segments of an analysis that is switched on in the menu Analyse"));
    m_kinds->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_filter->setPlaceholderText(tr("Name or thread"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(220);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    head->addWidget(m_kinds);
    head->addWidget(m_filter);
    head->addWidget(m_words, 1);
    layout->addLayout(head);
    m_lines->setModel(m_model);
    m_lines->setItemDelegate(new RequestDelegate(*m_model, m_lines));
    giveTableLook(*m_lines);
    makeSortable(*m_lines, RequestModel::Length, Qt::DescendingOrder);
    m_lines->header()->setStretchLastSection(false);
    m_lines->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_lines->header()->setSectionResizeMode(RequestModel::Parts, QHeaderView::Stretch);
    m_lines->setAccessibleName(tr("Requests and what their time went into"));
    layout->addWidget(m_lines, 1);
    setFocusProxy(m_lines);
    connect(m_kinds, &QComboBox::activated, &m_answer, &FreshAnswer::now);
    connect(m_filter, &QLineEdit::textChanged, m_model, &RequestModel::setFilter);
    for (const auto signal : {&QTreeView::clicked, &QTreeView::activated})
        connect(m_lines, signal, this, &RequestsView::goTo);
    connect(m_lines, &QTreeView::doubleClicked, this, &RequestsView::showPath);
    m_answer.setRest({RequestRest, 5});
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        if (!m_context.timeline()) { // Its rows are gone.
            m_answer.cancel();
            return take({}, {}, false);
        }
        m_answer.onceAnswered();
    });
}

void RequestsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

/// As the timeline has them; the chosen one stays.
void RequestsView::updateKinds()
{
    const auto timeline = m_context.timeline();
    const QString chosen = m_kinds->currentData().toString();
    const QSignalBlocker blocker(m_kinds);
    m_kinds->clear();
    for (const RequestKind& kind : timeline ? requestKinds(*timeline) : std::vector<RequestKind>())
        m_kinds->addItem(text(kind.title), text(kind.id));
    m_kinds->setCurrentIndex(std::max(0, m_kinds->findData(chosen)));
    m_kinds->setEnabled(m_kinds->count() > 0);
}

/// All of the experiment: what a click leads to is one of them, and the others stay listed.
void RequestsView::fetch()
{
    if (!isVisible()) // It asks once it is looked at.
        return;
    updateKinds();
    const auto timeline = m_context.timeline();
    const std::string kind = m_kinds->currentData().toString().toStdString();
    const TimeRange range{Timestamp::min(), Timestamp::max()};
    if (!timeline || kind.empty()) {
        m_answer.cancel();
        return take(timeline, {}, false);
    }
    m_answer.post([this, timeline, kind, range](std::stop_token stop) -> LatestJob::Delivery {
        auto all = std::make_shared<std::vector<RequestPath>>();
        std::stop_source full;
        const std::stop_callback stopped(stop, [&] { full.request_stop(); });
        eachRequestPath(
            *timeline, kind, {}, range,
            [&](RequestPath&& it) {
                all->push_back(std::move(it));
                if (all->size() > MostRequests)
                    full.request_stop();
            },
            full.get_token());
        if (stop.stop_requested())
            return {};
        const bool isCut = all->size() > MostRequests;
        if (isCut)
            all->pop_back();
        return [this, timeline, all, isCut] { take(timeline, std::move(*all), isCut); };
    });
}

void RequestsView::take(std::shared_ptr<const Timeline> timeline, std::vector<RequestPath> all, bool isCut)
{
    const bool hasKinds = m_kinds->count() > 0;
    const std::size_t count = all.size();
    m_model->setRequests(std::move(timeline), std::move(all), m_context.timeFormat());
    m_words->setText(
        !hasKinds ? tr("Nothing here lasted: calls of functions (LTTng-UST, -finstrument-functions) or an analysis with segments, as "
                       "Server requests in the menu Analyse, are requests.")
            : count == 0 ? tr("None of these is on a thread whose states are known: open the kernel's trace of the same time, too.")
            : isCut      ? tr("The first %1. %2").arg(count).arg(m_model->difference())
                         : m_model->difference());
}

void RequestsView::goTo(const QModelIndex& index)
{
    const RequestPath it = m_model->request(index.row()); // A copy: what follows may replace the lines.
    m_context.time().visit();
    m_context.time().setRow(it.thread);
    m_context.time().setSelection(it.range);
    m_context.time().setCursor(it.range.begin);
    m_context.time().showAt(it.range.begin);
    m_context.focusRows();
}

void RequestsView::showPath(const QModelIndex& index)
{
    const RequestPath it = m_model->request(index.row());
    m_context.time().setVisible(it.range);
    PathChoice::of(m_context).setQuestion(PathQuestion{it.thread, it.range});
}

} // namespace helio
