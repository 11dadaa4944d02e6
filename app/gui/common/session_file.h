#pragma once

#include "core/base/result.h"
#include "core/experiment/clock_settings.h"
#include "core/experiment/host_styles.h"
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

/// State of a window as stored in a `.heliograph` file: a JSON object, version 1. Times are stored as text in ns, since JSON numbers are
/// too small for them. Unknown members are ignored.
struct SessionState {
    QStringList traces; ///< Paths as opened; relative paths are relative to the session file.
    QString lockStat; ///< Path of a copy of /proc/lock_stat that is shown with the traces, relative like `traces`; empty if none.
    TimeRange visible{};
    TimeRange selection{};
    Timestamp cursor{};
    int rowTrace = -1; ///< With rowId: trace of the selected row; -1 if none.
    QString rowView;
    QString rowId;
    TrackRole rowRole = TrackRole::Other; ///< Not stored in the file; set by the code that finds the row again.
    bool isRowOfCalls = false; ///< Not stored in the file, like rowRole.
    std::optional<NamedPathRequest> path; ///< Critical path that is shown; nullopt if none.
    bool isPathLit = true; ///< Everything outside the critical path is faded.
    std::vector<Bookmark> bookmarks;
    HostStyles looks; ///< Names, colours and order of the hosts.
    std::optional<ClockSettings> clocks; ///< The user's clock settings; nullopt if the file comes from an earlier version.
    SymbolOptions symbols; ///< Options of the traces, without the options saved for all traces. A file never enables servers.
    QString search;
    QString filter;
    QJsonObject layout; ///< Layout of the window: splitters, docks, panels, and the choices of views and rows.
};

QJsonObject sessionJson(const SessionState& state);
SessionState sessionFrom(const QJsonObject& json);

/// Reads a time from a session or comparison file: ns as text. Clamped to ±2^61 ns (73 years), so that sums of times do not overflow; 0 if
/// the value is no number.
Timestamp sessionTime(const QJsonValue& value);

/// Makes paths below the folder relative to it and other paths absolute; makeAbsolute() reverses it.
void makeRelative(const QDir& folder, SessionState& state);
void makeAbsolute(const QDir& folder, SessionState& state);

/// Write and read the files, which have at most 16 MB. A file is written completely or not at all; the version is added.
Status writeSessionFile(QJsonObject json, const QString& path);
Result<QJsonObject> readSessionFile(const QString& path);

Status saveSession(const SessionState& state, const QString& path);
Result<SessionState> loadSession(const QString& path);

/// Returns true if the last session was saved. Otherwise tells the user why it was not, and returns true if the user wants to close anyway.
bool confirmCloseAfter(const Status& saved, QWidget* window);

/// Asks where to save a session, by default beside its first trace; empty if the user cancelled.
QString askSessionPath(QWidget* parent, const QString& title, const QString& firstTrace);

} // namespace helio
