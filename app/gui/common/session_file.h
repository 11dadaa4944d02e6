#pragma once

#include "core/base/result.h"
#include "core/experiment/clock_choice.h"
#include "core/experiment/host_looks.h"
#include "core/store/track.h"
#include "core/symbol/symbolizer.h"
#include "widgets/time/bookmarks.h"
#include "widgets/workspace/path_choice.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QDir;
class QWidget;

namespace helio {

/// What a person did, as a `.heliograph` file keeps it: a JSON object, version 1. Times are texts of ns, since JSON's numbers are too
/// small for them. Unknown members are ignored.
struct SessionState {
    QStringList traces; ///< As opened; relative ones are relative to the session file.
    QString lockStat; ///< A text of /proc/lock_stat that is shown beside them; the same. Empty: none.
    TimeRange visible{};
    TimeRange selection{};
    Timestamp cursor{};
    int rowTrace = -1; ///< With rowId: the selected row; -1: none.
    QString rowView;
    QString rowId;
    TrackRole rowRole = TrackRole::Other; ///< Not in the file: whoever finds the row again knows it.
    bool isRowOfCalls = false; ///< Likewise.
    std::optional<NamedPath> path; ///< The critical path that is shown. Nothing: none.
    bool isPathLit = true; ///< What is not on it is faded.
    std::vector<Bookmark> bookmarks;
    HostLooks looks; ///< Of the hosts.
    std::optional<ClockChoice> clocks; ///< What was decided about them. None: a file of a former version says nothing.
    SymbolOptions symbols; ///< Options of the traces, besides those saved for all. A file never enables servers.
    QString search;
    QString filter;
    QJsonObject layout; ///< Of the window: splitters, docks, panels; and in it what was chosen in views and rows.
};

QJsonObject sessionJson(const SessionState& state);
SessionState sessionFrom(const QJsonObject& json);

/// A time as files keep it.
Timestamp sessionTime(const QJsonValue& value);

/// Paths below the folder are relative to it, others absolute; and back.
void keepRelativeTo(const QDir& folder, SessionState& state);
void makeAbsolute(const QDir& folder, SessionState& state);

/// The files: at most 16 MB. Written whole or not at all, with the version added.
Status writeSessionFile(QJsonObject json, const QString& path);
Result<QJsonObject> readSessionFile(const QString& path);

Status saveSession(const SessionState& state, const QString& path);
Result<SessionState> loadSession(const QString& path);

/// Tells the user why the last session was not saved and asks whether to close all the same. True where it was saved.
bool mayCloseAfter(const Status& saved, QWidget* window);

/// Where the person wants a session kept, beside its first trace unless elsewhere; empty: nowhere.
QString askSessionPath(QWidget* parent, const QString& title, const QString& firstTrace);

} // namespace helio
