// Exports from the window: pictures, tables, times and commands.

#include "app/cli/output/picture.h"
#include "app/gui/common/export_dialog.h"
#include "app/gui/common/file_job.h"
#include "app/gui/common/position_link.h"
#include "app/gui/common/shell_command.h"
#include "app/gui/common/shown_report.h"
#include "app/gui/common/symbols_dialog.h"
#include "app/gui/common/trace_path.h"
#include "app/gui/main_window/main_window.h"
#include "core/query/rows/facts.h"
#include "core/store/file/temporary_file.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/status_bar.h"
#include "widgets/controls/table_copy.h"
#include "widgets/eventlist/event_list.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/curves_panel.h"
#include "widgets/timeline/panels/render.h"
#include "widgets/timeline/panels/result_panel_view.h"
#include "widgets/timeline/panels/track_panel.h"
#include "widgets/workspace/shown_command.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QFileInfo>

#include <utility>

namespace helio {

namespace {

constexpr qreal SvgScale = 2; ///< Device pixels per unit of a vector picture, which determine how finely its shapes are computed.
/// Actions that export a PNG, with the scale factor of the picture.
constexpr std::pair<const char*, qreal> PngActions[] = {{"file.export-png-1x", 1}, {"file.export-png", 2}, {"file.export-png-4x", 4}};

/// Returns the message for a write error, for example "Cannot write /a/b.csv: permission denied".
QString cannotWrite(const QString& path, const Error& error)
{
    QString cause = QString::fromStdString(error.what);
    if (cause.size() > 1 && cause[1].isLower())
        cause[0] = cause[0].toLower();
    return MainWindow::tr("Cannot write %1: %2").arg(path, cause);
}

} // namespace

void MainWindow::bindExportActions()
{
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        const QString view = now ? m_docks->viewAround(now) : QString();
        if (!view.isEmpty() || m_pane->area().isAncestorOf(now))
            m_subject = view; // Ignore the focus of menus and of the palette, so that m_subject keeps the view used before.
    });
    m_recordingExport = new FileJob(tr("Exporting recording"), tr("Export stopped. Nothing was written."), this);
    m_report = new FileJob(tr("Making the report"), tr("Report stopped. Nothing was written."), this);
    for (FileJob* job : {m_recordingExport, m_report}) {
        connect(job, &FileJob::progressChanged, this, &MainWindow::updateProgress);
        connect(job, &FileJob::ended, m_status, &StatusBar::say);
    }
    m_actions->on("file.save-report", [this] { saveReport(); });
    for (const auto& [id, scale] : PngActions)
        m_actions->on(id, [this, scale = scale] { exportPicture(PictureFormat::Png, scale); });
    m_actions->on("file.export-svg", [this] { exportPicture(PictureFormat::Svg, SvgScale); });
    m_actions->on("file.export-csv", [this] { exportTable(); });
    m_actions->on("file.export-recording", [this] { exportRecording(); });
    m_actions->on("file.copy-command", [this] { copyCommand(); });
    m_actions->on("go.copy-link", [this] { copyLink(); });
    m_actions->on("go.copy-time", [this] {
        const QString time = QString::number(nanoseconds(m_pane->time().cursor()));
        copyText(time);
        m_status->say(tr("Copied %1").arg(time));
    });
}

/// Exports a picture of the focused panel as shown, over the visible range. `scale`: wanted number of pixels of a PNG per
/// device-independent pixel.
void MainWindow::exportPicture(PictureFormat format, qreal scale)
{
    const TimePanel* panel = m_pane->area().panels()->current();
    const auto timeline = context().timeline();
    if (!panel || !timeline || m_pane->time().visible().isEmpty())
        return m_status->say(tr("Nothing to export: no time panel is visible."));
    if (const auto* result = dynamic_cast<const ResultPanelView*>(panel); result && !result->shown().data)
        return m_status->say(tr("Nothing to export: the query of this panel has no result."));
    const QString ending = format == PictureFormat::Svg ? QStringLiteral("svg") : QStringLiteral("png");
    const QString name = QString::fromStdString(panel->id()) + '.' + ending;
    QString path = context().askPath(tr("Export %1").arg(panel->name()), name,
                                     format == PictureFormat::Svg ? tr("SVG image (*.svg)") : tr("PNG image (*.png)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().compare(ending, Qt::CaseInsensitive) != 0)
        path += '.' + ending;
    RenderRequest request = shownPicture(context(), *panel);
    request.size = QSize(panel->width(), 0);
    const PictureFit fit = fitPicture(request, scale, TallestPicture);
    request.size.setHeight(fit.height);
    QApplication::setOverrideCursor(Qt::WaitCursor);
    const QByteArray picture = renderedPicture(request, theme(), fit.scale, format);
    QApplication::restoreOverrideCursor();
    if (picture.isEmpty())
        return m_status->say(tr("The picture would be too large. Show fewer rows."));
    if (const Status saved = saveFile(path.toStdString(), picture.toStdString()); !saved)
        return m_status->say(cannotWrite(path, saved.error()));
    m_status->say(fit.isCut() ? tr("Saved the first %1 of %2 rows to %3: a picture cannot hold more")
                                    .arg(countText(fit.shownRows), countText(fit.allRows), path)
                      : fit.scale < scale ? tr("Saved to %1 at %2×: the picture would be too large at %3×")
                                                .arg(path, QString::number(fit.scale, 'g', 2), QString::number(scale))
                                          : tr("Saved to %1").arg(path));
}

/// Exports the table that last had the focus, or the table in front of the bottom dock.
void MainWindow::exportTable()
{
    const QString id = m_subject.isEmpty() ? m_docks->frontView() : m_subject;
    QWidget* view = m_docks->view(id);
    QAbstractItemView* table = nullptr;
    if (view)
        for (auto* it : view->findChildren<QAbstractItemView*>())
            if (it->isVisible() && it->model() && (!table || it->hasFocus()))
                table = it;
    auto* events = view ? view->findChild<EventList*>() : nullptr;
    const bool areEvents = events && events->isVisible();
    if (!table && !areEvents)
        return m_status->say(tr("The %1 dock has no table to export.").arg(view ? view->accessibleName() : QString()));
    QString path = context().askPath(tr("Export %1").arg(view->accessibleName()), id + ".csv", tr("Comma-separated values (*.csv)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += ".csv";
    if (areEvents)
        return exportEvents(events->pages(), path);
    const Status saved = saveFile(path.toStdString(), tableCsv(*table).toStdString());
    m_status->say(saved ? tr("Saved to %1").arg(path) : cannotWrite(path, saved.error()));
}

/// Exports the recording, or a part of it, in a format that the user chooses.
void MainWindow::exportRecording()
{
    const auto timeline = context().timeline();
    if (!timeline || !isComplete(*timeline))
        return m_status->say(tr("The recording is still being read. Export it afterwards."));
    if (m_recordingExport->isBusy())
        return m_status->say(tr("Another export is running."));
    QStringList hosts;
    for (const TimelineHost& host : timeline->hosts)
        hosts << QString::fromStdString(host.label);
    const auto choice = ExportDialog::ask({m_pane->time().visible(), m_pane->time().selection()}, hosts, *this);
    if (!choice)
        return;
    const ExportFormat& format = *choice->format;
    const QString title = QString::fromUtf8(format.title);
    const QString suffix = QString::fromUtf8(format.suffix);
    const QString name = QFileInfo(session().paths().value(0)).fileName() + (format.isFolder ? QStringLiteral("-export") : suffix);
    QString path = context().askPath(tr("Export recording"), name,
                                     format.isFolder ? tr("%1: new folder (*)").arg(title) : QStringLiteral("%1 (*%2)").arg(title, suffix));
    if (path.isEmpty())
        return;
    if (!format.isFolder && QFileInfo(path).suffix().isEmpty()) {
        path += suffix;
        // The user entered a name without a suffix, so the dialog did not check whether a file with the suffix exists.
        if (QFileInfo::exists(path))
            return m_status->say(tr("%1 already exists").arg(path));
    }
    ExportRequest request;
    request.timeline = timeline;
    request.selection.range = choice->range;
    request.selection.host = choice->host.toStdString();
    request.output = path.toStdString();
    for (const QString& input : session().paths())
        request.inputs.emplace_back(input.toStdString());
    m_recordingExport->start(path, [&format, request = std::move(request)](const FileJob::Progress& progress, const std::stop_token& stop) {
        ExportRequest watched = request;
        watched.stop = stop;
        watched.progress = progress;
        QStringList notes;
        watched.note = [&](const std::string& sentence) { notes << QString::fromStdString(sentence); };
        const Status written = writeExport(format, watched);
        return written ? Result<QStringList>(notes) : written.error();
    });
}

void MainWindow::exportEvents(EventPages& pages, const QString& path)
{
    // Do not replace m_exported while another export is running: the progress bar shows its progress.
    if (!m_exported || !m_exported->savedShare())
        m_exported = &pages;
    connect(&pages, &EventPages::savedShareChanged, this, &MainWindow::updateProgress, Qt::UniqueConnection);
    pages.saveCsv(path, [this, path](const Status& saved) {
        const Error::Kind kind = saved ? Error::Kind::Unreadable : saved.error().kind;
        m_status->say(saved                                 ? tr("Saved to %1").arg(path)
                          : kind == Error::Kind::Cancelled  ? tr("Export stopped. Nothing was written.")
                          : kind == Error::Kind::Unreadable ? cannotWrite(path, saved.error())
                                                            : QString::fromStdString(saved.error().what));
    });
}

void MainWindow::saveReport()
{
    if (!context().timeline() || session().paths().isEmpty())
        return m_status->say(tr("No trace is open."));
    if (m_report->isBusy())
        return m_status->say(tr("A report is being made."));
    QString path = context().askPath(tr("Save report"), session().name() + ".html", tr("HTML document (*.html)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += ".html";
    m_report->start(path, [request = shownReport(), path](const FileJob::Progress& progress, const std::stop_token& stop) {
        const auto report = [&](std::size_t done, std::size_t total) { progress(double(done) / double(std::max<std::size_t>(1, total))); };
        const Status saved = helio::saveReport(request, path.toStdString(), report, stop);
        if (saved)
            return Result<QStringList>(QStringList());
        return Result<QStringList>(
            Error{saved.error().kind, tr("Cannot save the report: %1").arg(QString::fromStdString(saved.error().what)).toStdString()});
    });
}

/// Returns the report about what the window shows: its panels from top to bottom, then the docks that are in front.
ReportRequest MainWindow::shownReport()
{
    std::vector<ShownTable> docks;
    for (const QString& id : m_docks->views())
        if (const auto* offer = dynamic_cast<const CommandProvider*>(m_docks->view(id)); offer && m_docks->view(id)->isVisible())
            docks.push_back({m_docks->view(id)->accessibleName(), offer->shownCommand()});
    ReportRequest request = makeShownReport(m_pane->context(), *m_pane->area().panels(), docks);
    request.opened = session().opened();
    request.title = session().title().toStdString();
    for (const QString& path : session().paths())
        request.traces.emplace_back(absolutePath(path).toStdString());
    ExperimentOptions options = m_options;
    options.symbols = session().symbols();
    options = withSavedSymbols(std::move(options));
    request.isSynchronized = options.synchronize;
    for (const QString& word : readingOptions(options, m_analyses.given()))
        request.reading.push_back(word.toStdString());
    request.command = makeShellCommand(reportCommand(request), session().paths(), options, m_analyses.given()).toStdString();
    return request;
}

void MainWindow::copyLink()
{
    if (session().paths().isEmpty())
        return m_status->say(tr("No trace is open."));
    ExperimentOptions options = m_options;
    options.symbols = session().symbols();
    const QString text =
        makeWindowCommand(positionWords(*m_pane), session().paths(), withSavedSymbols(std::move(options)), m_analyses.given());
    copyText(text);
    const bool hasOwnClocks = context().clocks().choice() != ClockSettings();
    m_status->say(hasOwnClocks ? tr("Copied (without manual clock settings): %1").arg(text) : tr("Copied: %1").arg(text));
}

void MainWindow::copyCommand()
{
    const QWidget* shown = m_subject.isEmpty() ? m_pane->area().panels()->current() : m_docks->view(m_subject);
    const auto* offer = dynamic_cast<const CommandProvider*>(shown);
    copyCommand(offer ? offer->shownCommand() : ShownCommand());
}

/// Returns the command for the overview: the command for the use of the CPUs in the whole experiment; without CPUs, the command for the
/// facts of the traces.
ShownCommand MainWindow::overviewCommand()
{
    const auto timeline = context().timeline();
    const std::string view = timeline ? findViewWithRole(*timeline, TrackRole::Cpu) : std::string();
    if (view.empty())
        return {{"info"}, {}, {}};
    return {QStringList{"stats"} + optionWords("--view", QString::fromStdString(view)), {}, {}};
}

void MainWindow::copyCommand(const ShownCommand& command)
{
    if (command.words.isEmpty())
        return m_status->say(command.whyNot.isEmpty() ? tr("No command-line equivalent for this dock") : command.whyNot);
    if (command.file.isEmpty() && session().paths().isEmpty())
        return m_status->say(tr("No trace is open."));
    ExperimentOptions options = m_options;
    options.symbols = session().symbols();
    const QString text = makeShellCommand(command, session().paths(), withSavedSymbols(std::move(options)), m_analyses.given());
    copyText(text);
    const bool hasOwnClocks = context().clocks().choice() != ClockSettings();
    m_status->say(hasOwnClocks ? tr("Copied (without manual clock settings): %1").arg(text) : tr("Copied: %1").arg(text));
}

} // namespace helio
