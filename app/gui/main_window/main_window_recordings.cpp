// Choice of recordings: an archive or folder may contain recordings of different times.

#include "app/gui/common/position_link.h"
#include "app/gui/main_window/main_window.h"
#include "core/query/rows/recording_groups.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/time/time_format.h"

#include <algorithm>
#include <utility>

namespace helio {

void MainWindow::wireRecordings()
{
    m_timesNotice->setCloseTip(tr("Dismiss"));
    connect(m_timesNotice, &NoticeBar::linkActivated, this, &MainWindow::chooseRecordings);
    connect(&context(), &ViewContext::timelineChanged, this, &MainWindow::offerRecordings);
    m_actions->on("file.recordings", [this] { chooseRecordings(); });
}

/// Stores the list of recordings that the user can choose from, and shows a notice if the recordings do not overlap in time. The list stays
/// unchanged while some of its recordings are open, so that the user can choose the other recordings later. It is replaced when the user
/// opens traces that are not in the list.
void MainWindow::offerRecordings()
{
    const auto timeline = context().timeline();
    QList<OfferedRecording> open = timeline ? offeredRecordings(*timeline, context().timeFormat()) : QList<OfferedRecording>();
    const auto isListed = [this](const OfferedRecording& it) {
        return std::ranges::find(m_recordings, it.path, &OfferedRecording::path) != m_recordings.end();
    };
    if (open.size() >= m_recordings.size() || !std::ranges::all_of(open, isListed))
        m_recordings = open;
    else if (!open.isEmpty() && open.size() < m_recordings.size())
        for (OfferedRecording& it : m_recordings)
            it.isMarked = std::ranges::find(open, it.path, &OfferedRecording::path) != open.end();
    const auto groups = timeline ? groupRecordings(*timeline) : std::vector<RecordingGroup>();
    const bool isApart = areApart(groups);
    QString notice;
    if (isApart) {
        const RecordingGroup& shown = groups[shownGroup(*timeline, groups)];
        showFirst(shown);
        notice = tr("The times of the recordings do not overlap. %1 of %2 recordings are shown.")
                     .arg(countText(qint64(shown.traces.size())), countText(qint64(timeline->traces.size())));
    }
    m_timesNotice->setNotice(notice, {{QStringLiteral("choose"), tr("Choose recordings…")}});
    updateActions();
}

/// Makes the time range of a group visible, because most of the whole range is empty if the recordings do not overlap.
/// Called often, but changes the visible range only once for the open traces. Keeps it if a session or the command line gives the window a
/// position, or if the visible range was already changed.
void MainWindow::showFirst(const RecordingGroup& group)
{
    TimeWindow& time = m_pane->time();
    const bool isPlaced = m_pending || !m_position.isEmpty() || m_link || time.visible() != time.full();
    if (std::exchange(m_isFirstGroupShown, true) || isPlaced || time.full() == group.range)
        return;
    const Duration margin = group.range.duration() / 50;
    time.jump({.visible = TimeRange{group.range.begin - margin, group.range.end + margin}});
}

void MainWindow::chooseRecordings()
{
    if (const QStringList chosen = RecordingsDialog::ask(m_recordings, this); !chosen.isEmpty()) {
        const QList<OfferedRecording> offered = m_recordings;
        open(chosen);
        m_recordings = offered;
    }
}

} // namespace helio
