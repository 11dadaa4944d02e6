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
///   "state"     "empty", "opening", "reading", "ready", "stopped", "failed"      "problem"  why it failed
///   "complete"  whether the timeline is complete                                "rows"     rows of Control flow and Resources
///   "full", "visible", "selection"  [begin, end]                                "cursor"   a time
///   "row"       id of the selected row, "" for none                             "bookmarks" how many
///   "events"    rows of the event table     "eventRow"  its current row, -1 for none
///   "eventTime" of the current row, absent until it was read
///   "hits"      of the search, "searched" whether it is complete, "hit" its current one or -1
///   "warnings"  lines of warning            "theme"     "dark" or "light"       "focus"    object or class that has the focus
class Report : public QObject {
    Q_OBJECT

public:
    Report(const QString& path, ViewContext& context, Session& session, std::function<void(QJsonObject&)> more, QObject* parent = nullptr);

    /// Writes a line soon: changes that come together make one line.
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
    QHash<QString, QString> m_rowIds; ///< Ids of rows, keyed by "trace/track".
    int m_rows = 0;
    LatestJob m_job;
};

} // namespace helio
