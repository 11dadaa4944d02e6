#include "app/gui/common/experiment_pane.h"

#include "app/gui/common/file_dialogs.h"
#include "app/gui/common/window_text.h"
#include "widgets/controls/status_bar.h"
#include "widgets/timeline/graph/time_graph.h"

#include <QApplication>
#include <QPointer>

namespace helio {

namespace {

constexpr int LeastHeight = 120;

} // namespace

ExperimentPane::ExperimentPane(QWidget& window, StatusBar& status, const QString& letter, ChangeHistory* changes)
    : m_status(status)
    , m_letter(letter)
    , m_context(nullptr, changes)
    , m_session(m_context)
    , m_navigator(m_context)
    , m_area(new TimeArea(m_context))
{
    m_area->setMinimumHeight(LeastHeight);
    for (const QObject* owner : {static_cast<QObject*>(&m_context), static_cast<QObject*>(&m_context.clocks())})
        m_context.changes().setOwnerName(owner, letter);
    ask(window);
    wire();
}

ExperimentPane::~ExperimentPane() { delete m_area; }

void ExperimentPane::ask(QWidget& window)
{
    m_context.setAskPath([&window](const QString& title, const QString& suggestion, const QString& filter) {
        return askSaveFile(&window, title, suggestion, filter);
    });
    m_context.setAskFile([&window](const QString& title, const QString& filter, bool isFolder) {
        return isFolder ? askOpenFolder(&window, title) : askOpenFile(&window, title, filter);
    });
}

void ExperimentPane::wire()
{
    connect(&m_context, &ViewContext::remark, &m_status, &StatusBar::say);
    connect(&m_context, &ViewContext::rowsFocusRequested, this, &ExperimentPane::focusRows);
    connect(&m_navigator, &Navigator::remark, &m_status, &StatusBar::say);
    connect(m_area, &TimeArea::shownTracesChanged, &m_session, &Session::prefer);
    connect(m_area, &TimeArea::eventStepRequested, &m_navigator, &Navigator::stepEvent);
    connect(&m_session, &Session::stateChanged, this, [this] {
        axis().setStopped(m_session.state() == Session::State::Stopped);
        emit progressChanged();
    });
    connect(&m_session, &Session::progressChanged, this, &ExperimentPane::progressChanged);
    connect(&m_context.hits(), &SearchHits::changed, this, &ExperimentPane::progressChanged);
}

void ExperimentPane::focusRows() { m_area->focusPanel(); }

bool ExperimentPane::hasFocus() const { return m_area->isAncestorOf(QApplication::focusWidget()); }

bool ExperimentPane::isBeingRead() const
{
    return m_session.state() == Session::State::Opening || m_session.state() == Session::State::Reading;
}

void ExperimentPane::cancel()
{
    if (isBeingRead() || m_session.isMakingRows())
        m_session.cancel();
    else if (!m_context.hits().isComplete())
        m_context.search({});
}

void ExperimentPane::showTimes()
{
    // Use the status bar as the context object of these connections. They then end when the status bar is destroyed, which may happen
    // before the pane is destroyed.
    const auto say = [this] { showTimeTexts(); };
    for (const auto signal : {&TimeWindow::visibleChanged, &TimeWindow::cursorChanged, &TimeWindow::selectionChanged})
        connect(&time(), signal, &m_status, say);
    connect(&m_context, &ViewContext::timeFormatChanged, &m_status, say);
    showTimeTexts();
}

void ExperimentPane::showTimeTexts()
{
    const TimeRange visible = time().visible();
    const TimeRange selection = time().selection();
    if (time().full().isEmpty()) {
        for (const auto set : {&StatusBar::setWindow, &StatusBar::setSpan, &StatusBar::setSelected, &StatusBar::setCursorTime})
            (m_status.*set)(QStringLiteral("\u2013"));
        return;
    }
    const TimeFormat& format = m_context.timeFormat();
    m_status.setWindow(rangeText(visible, format, digitsFor(visible.duration() / 1000)));
    m_status.setSpan(durationText(visible.duration()));
    m_status.setSelected(selection.isEmpty() ? QString() : durationText(selection.duration()));
    m_status.setCursorTime(timeText(time().cursor(), format, 9));
}

bool ExperimentPane::showProgress()
{
    const SearchHits& hits = m_context.hits();
    const auto show = [this](const QString& work, double share, const QString& rest) {
        m_status.showProgress(named(work), share, rest, [pane = QPointer(this)] {
            if (pane)
                pane->cancel();
        });
    };
    if (m_session.state() == Session::State::Reading && m_session.progress().isComparingHosts)
        show(tr("Matching packets"), -1, {});
    else if (m_session.state() == Session::State::Reading)
        show(tr("Reading"), progressShare(m_session.progress()), progressText(m_session.progress()));
    else if (m_session.state() == Session::State::Opening)
        show(tr("Opening"), -1, {});
    else if (m_session.isFollowing())
        show(tr("Computing critical path"), -1, {});
    else if (m_session.isMakingRows())
        show(tr("Building rows"), -1, {});
    else if (!hits.isComplete())
        show(tr("Searching"), hits.share(), tr("%1 found").arg(countText(qint64(hits.hits().size()))));
    else
        return false;
    return true;
}

} // namespace helio
