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

/// Implements the user's actions on the analyses of a window: switch analyses on and off, create, load and edit their files, forbid
/// plug-ins. Reports results in the window's status bar.
/// Threads: UI thread.
class AnalysisFileActions : public QObject {
    Q_OBJECT

public:
    /// Ownership: `window` owns the object; the arguments outlive it.
    AnalysisFileActions(QWidget& window, StatusBar& status, XmlAnalyses& analyses, Settings& settings, Plugins& plugins);

    /// Connects the signals of `list` to the actions of this object.
    void serve(AnalysisList& list);
    /// Connects the window's actions "analyse.new", "analyse.load" and "analyse.folder" to this object.
    void bind(Actions& actions);

    /// Sets the traces that are open together, and applies the analysis switches for them: which analyses the user switched on or off.
    /// `switches` is from a session file; nullopt to use the switches that were stored when the same traces were last open.
    void setRecording(const QStringList& traces, const std::optional<QMap<QString, bool>>& switches = {});
    void edit(const QString& path, int line);
    /// Creates an analysis file from a template in the user's folder and opens it in the editor. `name` has only letters, digits, "-", "_"
    /// and ".".
    void write(const QString& name);
    void forbid(const QString& plugin);

signals:
    void made(const QString& id); ///< Emitted after write() created the analysis `id`.
    /// Emitted when Plugins::addTo() may add other plug-ins than before, because the user allowed or forbade one in any window.
    void permissionsChanged();

private:
    void make();
    void load();

    QWidget& m_window;
    StatusBar& m_status;
    XmlAnalyses& m_analyses;
    Settings& m_settings;
    QStringList m_traces; ///< Paths of the traces that are open together; empty before the first traces are opened.
    Plugins& m_plugins;
};

} // namespace helio
