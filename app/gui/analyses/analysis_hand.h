#pragma once

#include "app/gui/analyses/declared_analyses.h"
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

/// What a person does about the analyses of a window: switches them, makes, loads and edits their files, forbids plug-ins. Says in the
/// window's status bar what there is to say. UI thread.
class AnalysisHand : public QObject {
    Q_OBJECT

public:
    /// The window's, which outlive it; `window` owns it.
    AnalysisHand(QWidget& window, StatusBar& status, DeclaredAnalyses& analyses, Settings& settings, Plugins& plugins);

    /// Does what is asked of the list.
    void serve(AnalysisList& list);
    /// "analyse.new", "analyse.load" and "analyse.folder" do what they say.
    void bind(Actions& actions);

    /// The traces that are opened together: what is switched on or off belongs to them. `switches`: as a session has them; nullopt: as they
    /// were when the traces were open last.
    void setRecording(const QStringList& traces, const std::optional<QMap<QString, bool>>& switches = {});
    void edit(const QString& path, int line);
    /// Makes a file of the person's with an analysis to begin with; opens it in the editor. `name`: letters, digits, "-", "_" and "."
    /// alone.
    void write(const QString& name);
    void forbid(const QString& plugin);

signals:
    void made(const QString& id); ///< By write().
    void permissionsChanged(); ///< Plugins::addTo() may give others, whoever decided that in which window.

private:
    void make();
    void load();

    QWidget& m_window;
    StatusBar& m_status;
    DeclaredAnalyses& m_analyses;
    Settings& m_settings;
    QStringList m_traces; ///< Paths that are opened together; empty: none were yet.
    Plugins& m_plugins;
};

} // namespace helio
