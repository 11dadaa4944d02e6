#pragma once

#include "app/gui/analyses/xml_analyses.h"
#include "core/plugin/plugins.h"

#include <QMap>
#include <QObject>
#include <QStringList>

#include <optional>

class QWidget;

namespace helio {

class Actions;
class Settings;
class StatusBar;

/// The user's actions on the analyses of a window: switch them on and off, create, load and edit their files, forbid plug-ins. Reports
/// results in the window's status bar. Threads: UI thread.
class AnalysisFileActions : public QObject {
    Q_OBJECT

public:
    /// Ownership: the arguments belong to the window and outlive the object; `window` owns it.
    AnalysisFileActions(QWidget& window, StatusBar& status, XmlAnalyses& analyses, Settings& settings, Plugins& plugins);

    /// Connects the signals of `list` to their actions.
    void serve(AnalysisList& list);
    /// Binds "analyse.new", "analyse.load" and "analyse.folder".
    void bind(Actions& actions);

    /// Sets the traces that are opened together; the analysis switches are stored for them. `switches`: the switches of a session, or
    /// nullopt for the switches stored when the traces were open last.
    void setRecording(const QStringList& traces, const std::optional<QMap<QString, bool>>& switches = {});
    void edit(const QString& path, int line);
    /// Creates a file in the user's folder with an analysis to start from, and opens it in the editor. `name`: only letters, digits, "-",
    /// "_" and ".".
    void write(const QString& name);
    void forbid(const QString& plugin);

signals:
    void made(const QString& id); ///< Emitted by write().
    void permissionsChanged(); ///< Plugins::addTo() may add different plug-ins now, because the user decided about one in any window.

private:
    void make();
    void load();

    QWidget& m_window;
    StatusBar& m_status;
    XmlAnalyses& m_analyses;
    Settings& m_settings;
    QStringList m_traces; ///< Paths of the traces that are open together; empty before the first are opened.
    Plugins& m_plugins;
};

} // namespace helio
