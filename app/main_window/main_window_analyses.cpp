// The analyses in files: which there are, which run, and what is wrong with them.

#include "app/analyses/analyses_menu.h"
#include "app/analyses/analysis_notice.h"
#include "app/main_window/main_window.h"
#include "widgets/sampling/editor_command.h"
#include "widgets/shell/notice_bar.h"
#include "widgets/shell/status_bar.h"
#include "widgets/timegraph/time_panels.h"
#include "widgets/view/analysis_list.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QSaveFile>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

std::vector<std::filesystem::path> filesOf(const QStringList& paths)
{
    std::vector<std::filesystem::path> files;
    for (const QString& path : paths)
        files.emplace_back(path.toStdString());
    return files;
}

QString userFolder() { return QString::fromStdString(declared::userAnalysisFolder().string()); }

/// What an id and a file may be called.
QString cleanName(const QString& text)
{
    QString name;
    for (const QChar c : text.trimmed())
        name += (c.unicode() < 128 && c.isLetterOrNumber()) || c == '-' || c == '_' || c == '.' ? c : QChar('-');
    return name;
}

} // namespace

void MainWindow::wireAnalyses()
{
    AnalysisList& list = AnalysisList::of(context());
    m_analyses.setSwitches(m_settings.analyses());
    connect(&m_analyses, &DeclaredAnalyses::filesRead, this, &MainWindow::listAnalyses);
    connect(&m_analyses, &DeclaredAnalyses::changed, this, &MainWindow::runAnalyses);
    connect(&context(), &ViewContext::timelineChanged, this, &MainWindow::listAnalysesOfOpened);
    connect(&session(), &Session::aboutToReplace, this, [this] { m_place = placeOfRow(*m_pane); });
    connect(&session(), &Session::replaced, this, [this] { restoreRow(*m_pane, m_place); });
    connect(&list, &AnalysisList::switchRequested, this, [this](const QString& id, bool isOn) {
        m_settings.setAnalysis(id, isOn);
        m_analyses.setSwitches(m_settings.analyses());
    });
    connect(&list, &AnalysisList::inspectionRequested, this, [this] { m_docks->show("inspector", false); });
    connect(&list, &AnalysisList::editorRequested, this, &MainWindow::editAnalysis);
    connect(&list, &AnalysisList::newRequested, this, &MainWindow::makeAnalysis);
    connect(m_notice, &NoticeBar::linkActivated, this, &MainWindow::followNotice);
    listAnalyses();
}

void MainWindow::bindAnalysesActions()
{
    m_actions->on("analyse.new", [this] { makeAnalysis(); });
    m_actions->on("analyse.load", [this] {
        const QString filter = tr("Analyses (*.xml)");
        if (const QString path = QFileDialog::getOpenFileName(this, tr("Load a file of analyses"), {}, filter); !path.isEmpty())
            loadAnalyses({path.toStdString()});
    });
    m_actions->on("analyse.folder", [] {
        QDir().mkpath(userFolder());
        QDesktopServices::openUrl(QUrl::fromLocalFile(userFolder()));
    });
    if (QMenu* menu = m_actions->menu("Analyse")) {
        auto* lines = new AnalysesMenu(*menu, m_actions->at("analyse.new"), AnalysisList::of(context()), this);
        lines->setAttributes([this](const QString& view) { return areAttributesShown(view); },
                             [this](const QString& view, bool isShown) { showAttributes(view, isShown); });
    }
}

void MainWindow::loadAnalyses(const std::vector<std::filesystem::path>& files) { m_analyses.addGiven(files); }

bool MainWindow::areAttributesShown(const QString& view) const
{
    const TimePanel* panel = m_pane->area().panel(view.toStdString());
    return panel && m_pane->area().panels()->isPanelWanted(panel);
}

void MainWindow::showAttributes(const QString& view, bool isShown) { m_pane->area().setAsked(view.toStdString(), isShown); }

/// What is open is opened once more with the analyses that there are now; it stays as it is meanwhile.
void MainWindow::runAnalyses()
{
    m_analyses.addTo(m_options);
    session().reopen(m_options);
}

/// `clocks`: as a session has them; what the command line says comes first.
void MainWindow::openTraces(const QStringList& paths, const std::optional<ClockChoice>& clocks)
{
    const QSignalBlocker quiet(&m_analyses); // They are opened with them at once.
    m_analyses.setTraces(filesOf(paths));
    m_analyses.addTo(m_options);
    ExperimentOptions options = m_options;
    if (const ClockChoice given = std::exchange(m_options.clocks, {}); given == ClockChoice())
        options.clocks = clocks.value_or(given);
    session().open(paths, std::move(options));
}

/// Which of them apply is found out once for what is open: each looks at all types of events.
void MainWindow::listAnalysesOfOpened()
{
    const auto timeline = context().timeline();
    std::vector<const void*> of{timeline ? timeline->analyses.get() : nullptr};
    if (timeline)
        for (const TimelineTrace& t : timeline->traces)
            of.push_back(t.trace.get());
    if (of == m_listedFor)
        return;
    m_listedFor = std::move(of);
    AnalysisList::of(context()).nextOpened();
    listAnalyses();
}

void MainWindow::listAnalyses()
{
    AnalysisList::of(context()).setTrial(m_analyses.trial());
    std::vector<AnalysisEntry> entries = m_analyses.entries(context().timeline().get());
    for (AnalysisEntry& entry : pluginEntries())
        entries.push_back(std::move(entry));
    AnalysisList::of(context()).set(std::move(entries), m_analyses.problems());
    showNotice(*m_notice, m_analyses.problems(), true);
}

void MainWindow::followNotice(const QString& reference)
{
    const AnalysisProblem* first = firstError(m_analyses.problems());
    if (reference == "messages" || !first)
        return context().showView("messages");
    if (reference == "edit")
        return editAnalysis(first->path, first->line);
    AnalysisList& list = AnalysisList::of(context());
    const auto entry = std::ranges::find(list.entries(), first->path, &AnalysisEntry::path);
    if (entry != list.entries().end())
        list.inspect(entry->id);
}

void MainWindow::editAnalysis(const QString& path, int line)
{
    if (!openInEditor(path, line))
        m_status->say(tr("%1 could not be opened: set VISUAL or EDITOR to your editor").arg(path));
}

void MainWindow::makeAnalysis()
{
    bool isGiven = false;
    const QString asked = QInputDialog::getText(this, tr("New analysis"), tr("Its name, which is that of its file, too"), QLineEdit::Normal,
                                                tr("my-analysis"), &isGiven);
    if (isGiven && !cleanName(asked).isEmpty())
        writeAnalysis(cleanName(asked));
}

void MainWindow::writeAnalysis(const QString& name)
{
    const QString path = userFolder() + '/' + name + ".xml";
    if (QFileInfo::exists(path)) {
        m_status->say(tr("%1 is there already").arg(path));
        return editAnalysis(path, 1);
    }
    QDir().mkpath(userFolder());
    QSaveFile file(path);
    const std::string text = declared::newAnalysisText(name.toStdString());
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) < 0 || !file.commit())
        return m_status->say(tr("%1 cannot be written: %2").arg(path, file.errorString()));
    m_analyses.readAgain();
    AnalysisList::of(context()).inspect(name);
    m_status->say(tr("%1 runs. Edit and save it: it runs again at once").arg(path));
    editAnalysis(path, 1); // Where nothing can edit it, that is said instead.
}

} // namespace helio
