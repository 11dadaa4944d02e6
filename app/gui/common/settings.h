#pragma once

#include "core/query/rows/recording_kind.h"

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace helio {

/// Settings that are stored between runs of the program, apart from sessions: recent files, theme, window geometry.
/// Threads: UI thread.
class Settings {
public:
    enum class ThemeChoice { Desktop, Dark, Light };

    /// Returns the recent files, latest first, at most 12 entries. An entry has the paths of all traces that were opened together, one per
    /// line.
    QStringList recentFiles() const;
    void addRecent(const QStringList& paths); ///< Adds an entry to the recent files, for paths that were opened together.
    void clearRecent();

    QString openFolder() const; ///< Returns the folder that contains the trace that was opened last; empty if none.
    void setOpenFolder(const QString& folder);
    QString saveFolder() const; ///< Returns the folder in which the user saved a file last; empty if none.
    void setSaveFolder(const QString& folder);

    ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);

    int density() const; ///< Returns the density of rows: 0 compact, 1 normal, 2 roomy.
    void setDensity(int density);

    int timeMode() const; ///< Returns the display of times: 0 local time, 1 UTC, 2 relative to the experiment's start.
    void setTimeMode(int mode);

    QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);

    /// Returns the analyses that the user switched on (true) or off for traces that are opened together, keyed by id. Stored for the last
    /// 100 sets of traces.
    QMap<QString, bool> analyses(const QStringList& traces) const;
    void setAnalyses(const QStringList& traces, const QMap<QString, bool>& switches);

    /// Returns the layout of the window when a recording of the given kind was last closed; empty if never.
    QJsonObject layout(RecordingKind kind) const;
    void setLayout(RecordingKind kind, const QJsonObject& layout);

    /// Returns the path of the file with the last session, which the empty window offers to reopen.
    static QString lastSessionPath();

private:
    mutable QSettings m_store;
};

/// Convert analysis switches, keyed by id, to JSON and back.
QJsonObject switchesJson(const QMap<QString, bool>& switches);
QMap<QString, bool> switchesFrom(const QJsonObject& json);

} // namespace helio
