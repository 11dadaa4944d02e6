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

namespace helio {

/// State of a window as stored in a `.heliograph` file: a JSON object, version 1. Times are stored as text in ns, because JSON numbers lose
/// digits. Unknown members of the JSON object are ignored.
struct SessionState {
    QStringList traces; ///< Paths of the traces as opened; relative paths are relative to the session file.
    /// Path of a copy of /proc/lock_stat that is shown with the traces; a relative path is relative to the session file. Empty if none.
    QString lockStat;
    TimeRange visible{};
    TimeRange selection{};
    Timestamp cursor{};
    int rowTrace = -1; ///< Trace of the selected row, whose id is `rowId`; -1 if no row is selected.
    QString rowView;
    QString rowId;
    TrackRole rowRole = TrackRole::Other; ///< Role of the selected row. Not stored in the file; set by the code that finds the row again.
    bool isRowOfCalls = false; ///< True if the selected row has calls. Not stored in the file; set by the code that finds the row again.
    std::optional<NamedPathRequest> path; ///< Critical path that is shown; nullopt if none.
    bool isPathLit = true; ///< True if views fade everything outside the critical path.
    bool showsOnlyPath = true; ///< True if panels hide the rows off the critical path.
    std::vector<Bookmark> bookmarks;
    HostStyles looks; ///< Names, colours and order of the hosts.
    std::optional<ClockSettings> clocks; ///< Clock settings of the user; nullopt if the file is from an earlier version of the program.
    /// Symbol options of the traces, without the options saved for all traces. A file never enables debuginfod servers.
    SymbolOptions symbols;
    QString search;
    QString filter;
    QJsonObject layout; ///< Layout of the window as JSON: splitters, docks, panels, and settings of views and rows.
};

QJsonObject sessionJson(const SessionState& state);
SessionState sessionFrom(const QJsonObject& json);

/// Reads a time, stored as text in ns, from a session or comparison file. Clamped to ±2^61 ns (73 years), so that sums of times do not
/// overflow; 0 if the value is not a number.
Timestamp sessionTime(const QJsonValue& value);

/// Makes paths below `folder` relative to it and other paths absolute. makeAbsolute() makes all paths absolute again.
void makeRelative(const QDir& folder, SessionState& state);
void makeAbsolute(const QDir& folder, SessionState& state);

/// Write and read session files, which have at most 16 MB. A file is written completely or not at all. writeSessionFile() adds the version
/// to the JSON object.
Status writeSessionFile(QJsonObject json, const QString& path);
Result<QJsonObject> readSessionFile(const QString& path);

Status saveSession(const SessionState& state, const QString& path);
Result<SessionState> loadSession(const QString& path);

} // namespace helio
