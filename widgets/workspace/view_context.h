#pragma once

#include "core/network/connection_packets.h"
#include "core/profiling/samples/row_times.h"
#include "core/query/rows/highlight_mask.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/finding_marks.h"
#include "widgets/time/search_hits.h"
#include "widgets/time/time_format.h"
#include "widgets/time/time_window.h"
#include "widgets/workspace/bookmark_changes.h"
#include "widgets/workspace/clock_history.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace helio {

struct Timeline;

/// Connection that the user selected, and one of its packets if the user selected one. Details shows both.
struct ChosenConnection {
    ConnectionFacts facts;
    std::optional<ConnectionPacket> packet;
};

/// Data that the views of a window share: the latest published timeline, the time window, and everything that all views mark.
/// Ownership: owned by the window; views have a reference.
class ViewContext : public QObject {
    Q_OBJECT

public:
    /// Creates a context that records changes in `changes`, which outlives it; in a history of its own if nullptr.
    explicit ViewContext(QObject* parent = nullptr, ChangeHistory* changes = nullptr)
        : QObject(parent)
        , m_changes(changes ? *changes : *new ChangeHistory(this))
        , m_time(this)
        , m_bookmarks(this)
        , m_hits(this)
        , m_clocks(m_changes, this)
    {
        new BookmarkChanges(m_bookmarks, m_changes, this);
        connect(&m_clocks, &ClockHistory::looksChanged, this, &ViewContext::showLooks);
        for (const auto signal : {&TimeWindow::cursorChanged, &TimeWindow::rowChanged})
            connect(&m_time, signal, this, [this] {
                setLink({});
                setConnection({});
            });
    }

    std::shared_ptr<const Timeline> timeline() const { return m_timeline; } ///< Latest timeline; nullptr if no trace is open.
    TimeWindow& time() { return m_time; }
    Bookmarks& bookmarks() { return m_bookmarks; }
    SearchHits& hits() { return m_hits; }
    ChangeHistory& changes() { return m_changes; } ///< Changes that the user can undo, in all experiments of the window.
    /// Records a change of this experiment that was already made.
    void record(Change change) { m_changes.add(this, std::move(change)); }
    ClockHistory& clocks() { return m_clocks; } ///< User's settings for the hosts: clocks, names and colours.

    /// Event that is selected in the Events dock; nullptr if none.
    std::shared_ptr<const EventRow> selectedEvent() const { return m_event; }

    /// Link that the user selected, shown in Details until the cursor or the selected row changes; nullptr if none.
    std::shared_ptr<const Arrow> link() const { return m_link; }
    void setLink(std::shared_ptr<const Arrow> link)
    {
        if (link == m_link)
            return;
        m_link = std::move(link);
        emit linkChanged();
    }

    /// Connection that the user selected, shown in Details until the cursor or the selected row changes; nullptr if none.
    std::shared_ptr<const ChosenConnection> connection() const { return m_connection; }
    void setConnection(std::shared_ptr<const ChosenConnection> connection)
    {
        if (connection == m_connection)
            return;
        m_connection = std::move(connection);
        emit connectionChanged();
    }

    void setTimeline(std::shared_ptr<const Timeline> timeline)
    {
        m_given = std::move(timeline);
        showLooks();
    }
    /// Makes the views query the timeline again, because data that was missing on this machine can be fetched now.
    void queryAgain() { showLooks(); }
    void setEvent(std::shared_ptr<const EventRow> event)
    {
        m_event = std::move(event);
        emit eventChanged();
    }

    /// Times that all time panels mark on their rows; nullptr if there are none.
    const std::shared_ptr<const SampleTimesByRow>& rowTimes() const { return m_rowTimes; }
    void setRowTimes(std::shared_ptr<const SampleTimesByRow> times)
    {
        if (times == m_rowTimes)
            return;
        m_rowTimes = std::move(times);
        emit rowTimesChanged();
    }

    /// Times in ascending order that the ruler and the overview mark; they belong to no row, unlike rowTimes(). nullptr if there are none.
    const std::shared_ptr<const std::vector<Timestamp>>& moments() const { return m_moments; }
    void setMoments(std::shared_ptr<const std::vector<Timestamp>> moments)
    {
        if (moments == m_moments)
            return;
        m_moments = std::move(moments);
        emit momentsChanged();
    }

    /// Marks of the selected finding in overview, ruler and time panels; nullptr if no finding is selected.
    const std::shared_ptr<const FindingMarks>& findingMarks() const { return m_findingMarks; }
    void setFindingMarks(std::shared_ptr<const FindingMarks> marks)
    {
        if (marks == m_findingMarks)
            return;
        m_findingMarks = std::move(marks);
        emit findingMarksChanged();
    }

    /// Intervals of rows to highlight; nullptr if nothing is highlighted.
    const std::shared_ptr<const HighlightMask>& light() const { return m_light; }
    void setLight(std::shared_ptr<const HighlightMask> light)
    {
        if (light == m_light)
            return;
        m_light = std::move(light);
        emit lightChanged();
    }

    /// Format of times in all views.
    const TimeFormat& timeFormat() const { return m_timeFormat; }
    void setTimeFormat(const TimeFormat& format)
    {
        if (format != m_timeFormat) {
            m_timeFormat = format;
            emit timeFormatChanged();
        }
    }

    /// Starts a search for an expression; an empty expression clears the marks. The Events dock runs the search and fills hits().
    void search(const QString& text) { emit searchRequested(text); }
    /// Sets the filter of the Events dock, which then lists only matching events.
    void filter(const QString& text) { emit filterRequested(text); }

    /// Shows a view, given by its id, in front of other views, e.g. "events" or "details".
    void showView(const QString& id) { emit viewRequested(id); }
    /// Explains in Details why the selected thread does not run at the cursor.
    void explainWait()
    {
        showView(QStringLiteral("details"));
        emit explanationRequested();
    }
    /// Intervals that the Latency dock shall show.
    struct DurationsRequest {
        QString kind; ///< Id of the kind of intervals, e.g. UnfreedBlocks.
        QString name{}; ///< Name of the intervals, without a host; empty for the name with the longest total.
        bool findsPeriods = false; ///< True to search the intervals for periodicity, too.
    };
    /// Shows the Latency dock with some intervals.
    void showDurations(const DurationsRequest& request)
    {
        showView(QStringLiteral("durations"));
        emit durationsRequested(request);
    }
    /// Gives the keyboard focus to the time panel with the selected row, after a button or link elsewhere selected it.
    void focusRows() { emit rowsFocusRequested(); }
    /// Triggers an action of the window by its id, e.g. "view.fit" or "file.open".
    void trigger(const QString& action) { emit actionRequested(action); }
    /// Shows a short remark in the status bar.
    void say(const QString& text) { emit remark(text); }
    /// Function that asks the user for the path of a file to save, by a dialog of the window. Returns an empty string if the user
    /// cancelled.
    using AskPath = std::function<QString(const QString& title, const QString& suggestion, const QString& filter)>;
    void setAskPath(AskPath ask) { m_askPath = std::move(ask); }
    QString askPath(const QString& title, const QString& suggestion, const QString& filter) const
    {
        return m_askPath ? m_askPath(title, suggestion, filter) : QString();
    }
    /// Function that asks the user for an existing file or folder, by a dialog of the window. Returns an empty string if the user
    /// cancelled.
    using AskFile = std::function<QString(const QString& title, const QString& filter, bool isFolder)>;
    void setAskFile(AskFile ask) { m_askFile = std::move(ask); }
    QString askFile(const QString& title, const QString& filter, bool isFolder) const
    {
        return m_askFile ? m_askFile(title, filter, isFolder) : QString();
    }
    /// Sets the number of warnings that the view of warnings lists. `errors` is the number of errors among them.
    void setWarnings(int count, int errors = 0)
    {
        if (count != m_warnings || errors != m_errors) {
            m_warnings = count;
            m_errors = errors;
            emit warningsChanged();
        }
    }
    int warnings() const { return m_warnings; }
    int errors() const { return m_errors; } ///< Number of errors among warnings().

signals:
    void timelineChanged();
    void eventChanged();
    void linkChanged();
    void connectionChanged();
    void rowTimesChanged();
    void momentsChanged();
    void findingMarksChanged();
    void lightChanged();
    void warningsChanged();
    void timeFormatChanged();
    void searchRequested(const QString& text);
    void filterRequested(const QString& text);
    void viewRequested(const QString& id);
    void explanationRequested();
    void durationsRequested(const helio::ViewContext::DurationsRequest& request);
    void rowsFocusRequested();
    void actionRequested(const QString& id);
    void remark(const QString& text);

private:
    /// Applies the user's names, colours and order of hosts to the timeline.
    void showLooks()
    {
        m_timeline = withHostStyles(m_given, m_clocks.looks());
        emit timelineChanged();
    }

    std::shared_ptr<const Timeline> m_given; ///< Timeline as passed to setTimeline(), before showLooks() is applied.
    std::shared_ptr<const Timeline> m_timeline;
    ChangeHistory& m_changes;
    TimeWindow m_time;
    Bookmarks m_bookmarks;
    SearchHits m_hits;
    ClockHistory m_clocks;
    std::shared_ptr<const EventRow> m_event;
    std::shared_ptr<const Arrow> m_link;
    std::shared_ptr<const ChosenConnection> m_connection;
    std::shared_ptr<const SampleTimesByRow> m_rowTimes;
    std::shared_ptr<const std::vector<Timestamp>> m_moments;
    std::shared_ptr<const FindingMarks> m_findingMarks;
    std::shared_ptr<const HighlightMask> m_light;
    TimeFormat m_timeFormat;
    int m_warnings = 0;
    int m_errors = 0;
    AskPath m_askPath;
    AskFile m_askFile;
};

} // namespace helio
