#pragma once

#include "core/profiling/samples/row_times.h"
#include "core/query/rows/row_light.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/search_hits.h"
#include "widgets/time/time_format.h"
#include "widgets/time/time_window.h"
#include "widgets/workspace/chosen_connection.h"
#include "widgets/workspace/clock_steps.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace helio {

struct Timeline;

/// What a view works on: the latest published timeline, the shared time window, and what all views mark. Owned by the window; views keep a
/// reference.
class ViewContext : public QObject {
    Q_OBJECT

public:
    explicit ViewContext(QObject* parent = nullptr)
        : QObject(parent)
        , m_time(this)
        , m_bookmarks(this)
        , m_hits(this)
        , m_clocks(this)
    {
        connect(&m_clocks, &ClockSteps::looksChanged, this, &ViewContext::showLooks);
        for (const auto signal : {&TimeWindow::cursorChanged, &TimeWindow::rowChanged})
            connect(&m_time, signal, this, [this] {
                setLink({});
                setConnection({});
            });
    }

    std::shared_ptr<const Timeline> timeline() const { return m_timeline; } ///< Null: no trace open.
    TimeWindow& time() { return m_time; }
    Bookmarks& bookmarks() { return m_bookmarks; }
    SearchHits& hits() { return m_hits; }
    ClockSteps& clocks() { return m_clocks; } ///< What is decided about the hosts: their clocks, names, colours.

    /// The event selected in the Events dock; null: none.
    std::shared_ptr<const EventRow> event() const { return m_event; }

    /// The arrow that a person chose to know more of, until another moment or row is chosen. Null: none.
    std::shared_ptr<const Arrow> link() const { return m_link; }
    void setLink(std::shared_ptr<const Arrow> link)
    {
        if (std::exchange(m_link, link) != link)
            emit linkChanged();
    }

    /// The same of a connection.
    std::shared_ptr<const ChosenConnection> connection() const { return m_connection; }
    void setConnection(std::shared_ptr<const ChosenConnection> connection)
    {
        if (std::exchange(m_connection, connection) != connection)
            emit connectionChanged();
    }

    void setTimeline(std::shared_ptr<const Timeline> timeline)
    {
        m_given = std::move(timeline);
        showLooks();
    }
    void setEvent(std::shared_ptr<const EventRow> event)
    {
        m_event = std::move(event);
        emit eventChanged();
    }

    /// Moments that all time panels mark on their rows; null: none.
    const std::shared_ptr<const RowTimes>& rowTimes() const { return m_rowTimes; }
    void setRowTimes(std::shared_ptr<const RowTimes> times)
    {
        if (times == m_rowTimes)
            return;
        m_rowTimes = std::move(times);
        emit rowTimesChanged();
    }

    /// Moments that ruler and overview mark, in time order: those of no row. Null: none.
    const std::shared_ptr<const std::vector<Timestamp>>& moments() const { return m_moments; }
    void setMoments(std::shared_ptr<const std::vector<Timestamp>> moments)
    {
        if (moments == m_moments)
            return;
        m_moments = std::move(moments);
        emit momentsChanged();
    }

    /// What of rows is to be seen before all else. Null: nothing is.
    const std::shared_ptr<const RowLight>& light() const { return m_light; }
    void setLight(std::shared_ptr<const RowLight> light)
    {
        if (std::exchange(m_light, light) != light)
            emit lightChanged();
    }

    /// How all views write moments.
    const TimeFormat& timeFormat() const { return m_timeFormat; }
    void setTimeFormat(const TimeFormat& format)
    {
        if (format != m_timeFormat) {
            m_timeFormat = format;
            emit timeFormatChanged();
        }
    }

    /// Starts a search for an expression; an empty one clears the marks. The Search dock runs it and fills hits().
    void search(const QString& text) { emit searchRequested(text); }
    /// Lists only matching events in the Events dock.
    void filter(const QString& text) { emit filterRequested(text); }

    /// Brings another view to the front: "events", "details"...
    void showView(const QString& id) { emit viewRequested(id); }
    /// Gives the keys to the time panel that has the selected row, after a button or link elsewhere led to it.
    void focusRows() { emit rowsFocusRequested(); }
    /// Starts an action of the window by its id: "view.fit", "file.open"...
    void trigger(const QString& action) { emit actionRequested(action); }
    /// A short remark in the status bar.
    void say(const QString& text) { emit remark(text); }
    /// Where to save a file; empty: nowhere. The window asks the person.
    using AskPath = std::function<QString(const QString& title, const QString& suggestion, const QString& filter)>;
    void setAskPath(AskPath ask) { m_askPath = std::move(ask); }
    QString askPath(const QString& title, const QString& suggestion, const QString& filter) const
    {
        return m_askPath ? m_askPath(title, suggestion, filter) : QString();
    }
    /// The same for an existing file or folder.
    using AskFile = std::function<QString(const QString& title, const QString& filter, bool isFolder)>;
    void setAskFile(AskFile ask) { m_askFile = std::move(ask); }
    QString askFile(const QString& title, const QString& filter, bool isFolder) const
    {
        return m_askFile ? m_askFile(title, filter, isFolder) : QString();
    }
    /// How many warnings and errors the view of the warnings lists.
    void setWarnings(int count, int errors = 0)
    {
        if (count != m_warnings || errors != m_errors) {
            m_warnings = count;
            m_errors = errors;
            emit warningsChanged();
        }
    }
    int warnings() const { return m_warnings; }
    int errors() const { return m_errors; } ///< Of those.

signals:
    void timelineChanged();
    void eventChanged();
    void linkChanged();
    void connectionChanged();
    void rowTimesChanged();
    void momentsChanged();
    void lightChanged();
    void warningsChanged();
    void timeFormatChanged();
    void searchRequested(const QString& text);
    void filterRequested(const QString& text);
    void viewRequested(const QString& id);
    void rowsFocusRequested();
    void actionRequested(const QString& id);
    void remark(const QString& text);

private:
    /// With the hosts as a person has them.
    void showLooks()
    {
        m_timeline = withLooks(m_given, m_clocks.looks());
        emit timelineChanged();
    }

    std::shared_ptr<const Timeline> m_given; ///< As setTimeline() got it.
    std::shared_ptr<const Timeline> m_timeline;
    TimeWindow m_time;
    Bookmarks m_bookmarks;
    SearchHits m_hits;
    ClockSteps m_clocks;
    std::shared_ptr<const EventRow> m_event;
    std::shared_ptr<const Arrow> m_link;
    std::shared_ptr<const ChosenConnection> m_connection;
    std::shared_ptr<const RowTimes> m_rowTimes;
    std::shared_ptr<const std::vector<Timestamp>> m_moments;
    std::shared_ptr<const RowLight> m_light;
    TimeFormat m_timeFormat;
    int m_warnings = 0;
    int m_errors = 0;
    AskPath m_askPath;
    AskFile m_askFile;
};

} // namespace helio
