#pragma once

#include "app/gui/common/session.h"
#include "widgets/workspace/view_context.h"

#include <QFile>
#include <QJsonObject>
#include <QObject>
#include <QTimer>

#include <functional>

namespace helio {

/// Writes the visible state of the window as a line of JSON after each change, for tests that drive the program from outside. Created if
/// the environment variable HELIOGRAPH_REPORT names a file, which is truncated at the start and flushed after each line.
///
/// Members of a line (times are texts of ns):
///   "state"     "empty", "opening", "reading", "ready", "stopped", "failed"      "problem"  reason of a failure
///   "complete"  true if the timeline is complete                                "rows"     number of rows of the views
///   "full", "visible", "selection"  [begin, end]                                "cursor"   time of the cursor
///   "row"       id of the selected row, "" if none                              "bookmarks"  number of bookmarks
///   "events"    number of rows of the event table     "eventRow"  current row of the event table, -1 if none
///   "eventTime" time of the current row, absent until the row was read
///   "hits"      number of search hits       "searched"  true if the search is complete     "hit"  index of the current hit, -1 if none
///   "warnings"  number of warnings          "theme"     "dark" or "light"       "focus"    object or class with the keyboard focus
class Report : public QObject {
    Q_OBJECT

public:
    Report(const QString& path, ViewContext& context, Session& session, std::function<void(QJsonObject&)> more, QObject* parent = nullptr);

    /// Writes a line with the state of the window to the report as soon as the event loop is idle. Several calls before that cause only one
    /// line.
    void touch() { m_soon.start(0); }

private:
    void write();
    void countRows();
    QJsonObject state() const;

    ViewContext& m_context;
    Session& m_session;
    std::function<void(QJsonObject&)> m_more;
    QFile m_file;
    QByteArray m_last;
    QTimer m_soon;
    QHash<QString, QString> m_rowIds; ///< Cached ids of rows, keyed by "trace/track".
    int m_rows = 0;
    LatestTask m_job;
};

} // namespace helio
