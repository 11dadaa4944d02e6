#pragma once

#include "core/query/rows/recording_kind.h"

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace helio {

/// Settings that are stored between runs, apart from sessions: recent files, theme, window geometry. Threads: UI thread.
class Settings {
public:
    enum class ThemeChoice { Desktop, Dark, Light };

    /// Recent files, latest first, at most 12 entries. An entry of traces that were opened together has all their paths, one per line.
    QStringList recentFiles() const;
    void addRecent(const QStringList& paths); ///< Adds an entry for paths that were opened together.
    void clearRecent();

    ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);

    int density() const; ///< 0 compact, 1 normal, 2 roomy.
    void setDensity(int density);

    int timeMode() const; ///< 0 local, 1 UTC, 2 from the start.
    void setTimeMode(int mode);

    QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);

    /// Analyses that the user switched on or off for traces that are opened together, by id. Stored for the last 100 sets of traces.
    QMap<QString, bool> analyses(const QStringList& traces) const;
    void setAnalyses(const QStringList& traces, const QMap<QString, bool>& switches);

    /// Layout of the window when a recording of this kind was closed last; empty if never.
    QJsonObject layout(RecordingKind kind) const;
    void setLayout(RecordingKind kind, const QJsonObject& layout);

    /// Path at which the last session is stored, to be offered at the next start.
    static QString lastSessionPath();

private:
    mutable QSettings m_store;
};

/// Converts analysis switches, by id, to JSON and back.
QJsonObject switchesJson(const QMap<QString, bool>& switches);
QMap<QString, bool> switchesFrom(const QJsonObject& json);

} // namespace helio
