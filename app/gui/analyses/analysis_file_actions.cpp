#include "app/gui/analyses/analysis_file_actions.h"

#include "app/gui/common/actions.h"
#include "app/gui/common/file_dialogs.h"
#include "app/gui/common/plugin_notice.h"
#include "app/gui/common/settings.h"
#include "core/store/file/temporary_file.h"
#include "widgets/controls/status_bar.h"
#include "widgets/profiling/editor_command.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QInputDialog>
#include <QUrl>

namespace helio {

namespace {

QString userFolder() { return QString::fromStdString(xml::userAnalysisFolder().string()); }

/// Returns a text that is valid as an id and a file name: replaces other characters by "-".
QString cleanName(const QString& text)
{
    QString name;
    for (const QChar c : text.trimmed())
        name += (c.unicode() < 128 && c.isLetterOrNumber()) || c == '-' || c == '_' || c == '.' ? c : QChar('-');
    return name;
}

} // namespace

AnalysisFileActions::AnalysisFileActions(QWidget& window, StatusBar& status, XmlAnalyses& analyses, Settings& settings, Plugins& plugins)
    : QObject(&window)
    , m_window(window)
    , m_status(status)
    , m_analyses(analyses)
    , m_settings(settings)
    , m_plugins(plugins)
{
    connect(&PluginNotifier::instance(), &PluginNotifier::decided, this, &AnalysisFileActions::permissionsChanged);
}

void AnalysisFileActions::serve(AnalysisList& list)
{
    connect(&list, &AnalysisList::switchRequested, this, [this](const QString& id, bool isOn) {
        QMap<QString, bool> switches = m_analyses.switches();
        switches.insert(id, isOn);
        if (!m_traces.isEmpty())
            m_settings.setAnalyses(m_traces, switches);
        m_analyses.setSwitches(std::move(switches));
    });
    connect(&list, &AnalysisList::editorRequested, this, &AnalysisFileActions::edit);
    connect(&list, &AnalysisList::newRequested, this, &AnalysisFileActions::make);
    connect(&list, &AnalysisList::forbidRequested, this, &AnalysisFileActions::forbid);
}

void AnalysisFileActions::setRecording(const QStringList& traces, const std::optional<QMap<QString, bool>>& switches)
{
    m_traces = traces;
    if (switches)
        m_settings.setAnalyses(traces, *switches);
    m_analyses.setSwitches(switches ? *switches : m_settings.analyses(traces));
}

void AnalysisFileActions::bind(Actions& actions)
{
    actions.on("analyse.new", [this] { make(); });
    actions.on("analyse.load", [this] { load(); });
    actions.on("analyse.folder", [] {
        QDir().mkpath(userFolder());
        QDesktopServices::openUrl(QUrl::fromLocalFile(userFolder()));
    });
}

void AnalysisFileActions::edit(const QString& path, int line)
{
    if (!openInEditor(path, line))
        m_status.say(tr("Cannot open %1: set VISUAL or EDITOR to your editor").arg(path));
}

void AnalysisFileActions::load()
{
    const QString filter = tr("Analyses (*.xml)");
    if (const QString path = askOpenFile(&m_window, tr("Load analysis file"), filter); !path.isEmpty())
        m_analyses.addForOpenTraces(path.toStdString());
}

void AnalysisFileActions::make()
{
    bool isGiven = false;
    const QString asked = QInputDialog::getText(&m_window, tr("New analysis"), tr("Name (also the file name)"), QLineEdit::Normal,
                                                tr("my-analysis"), &isGiven);
    if (isGiven && !cleanName(asked).isEmpty())
        write(cleanName(asked));
}

void AnalysisFileActions::write(const QString& name)
{
    const QString path = userFolder() + '/' + name + ".xml";
    if (QFileInfo::exists(path)) {
        m_status.say(tr("%1 already exists").arg(path));
        return edit(path, 1);
    }
    QDir().mkpath(userFolder());
    if (const Status saved = saveFile(path.toStdString(), xml::newAnalysisText(name.toStdString())); !saved)
        return m_status.say(tr("Cannot write %1: %2").arg(path, QString::fromStdString(saved.error().what)));
    m_analyses.readAgain();
    emit made(name);
    m_status.say(tr("%1 is running. Each save runs it again").arg(path));
    edit(path, 1); // Ignore the result: edit() itself shows a message if no editor is found.
}

void AnalysisFileActions::forbid(const QString& plugin)
{
    const QString name = QFileInfo(plugin).fileName();
    if (const auto done = m_plugins.forbid(plugin.toStdString()); !done)
        return m_status.say(tr("Cannot forbid %1: %2").arg(name, QString::fromStdString(done.error().what)));
    m_status.say(tr("%1 is forbidden: it no longer runs and will not be loaded at the next start").arg(name));
    emit PluginNotifier::instance().decided();
}

} // namespace helio
