#pragma once

#include "core/query/rows/recording_kind.h"

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace helio {

/// What is remembered between runs, beside sessions: recent files, the theme, the window's place. UI thread.
class Settings {
public:
    enum class ThemeChoice { Desktop, Dark, Light };

    /// Latest first, at most 12. Of traces that were opened together all paths, one a line.
    QStringList recentFiles() const;
    void addRecent(const QStringList& paths); ///< That were opened together.
    void clearRecent();

    ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);

    int density() const; ///< 0 compact, 1 normal, 2 roomy.
    void setDensity(int density);

    int timeMode() const; ///< 0 local, 1 UTC, 2 from the start.
    void setTimeMode(int mode);

    QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);

    /// The analyses that the user switched on or off for the traces that are opened together, by id. Kept for the last 100 of these.
    QMap<QString, bool> analyses(const QStringList& traces) const;
    void setAnalyses(const QStringList& traces, const QMap<QString, bool>& switches);

    /// How the window lay when a recording of this kind was closed; empty: never yet.
    QJsonObject layout(RecordingKind kind) const;
    void setLayout(RecordingKind kind, const QJsonObject& layout);

    /// Where the last session is kept, to be offered at the next start.
    static QString lastSessionPath();

private:
    mutable QSettings m_store;
};

/// Analyses that are switched on or off, by id, as files keep them.
QJsonObject switchesJson(const QMap<QString, bool>& switches);
QMap<QString, bool> switchesFrom(const QJsonObject& json);

} // namespace helio
