#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/row_selection.h"
#include "core/query/facts.h"
#include "widgets/views/render.h"

#include <QBuffer>
#include <QGuiApplication>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <langinfo.h>

namespace helio {
namespace {

/// Qt's warnings about the desktop that is not there are not the person's business.
void onlyGrave(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    if (type == QtCriticalMsg || type == QtFatalMsg)
        complain(message.toStdString());
}

/// Qt without a display, and without its complaint about locales that are not UTF-8.
class OffscreenApplication {
public:
    OffscreenApplication()
        : m_app(prepare(m_count), m_arguments)
    {
    }

private:
    static int& prepare(int& count)
    {
        qInstallMessageHandler(onlyGrave);
        setenv("QT_QPA_PLATFORM", "offscreen", 1);
        if (!std::setlocale(LC_ALL, "") || std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
            setenv("LC_ALL", "C.UTF-8", 1);
        return count;
    }

    int m_count = 1;
    char m_name[11] = "heliograph";
    char* m_arguments[2] = {m_name, nullptr};
    QGuiApplication m_app;
};

bool isRowChoice(const CommandOptions& options)
{
    return !options.row.empty() || !options.process.empty() || !options.host.empty() || options.thread || options.cpu || options.filter;
}

QByteArray png(const RenderRequest& request, const Theme& theme, const CommandOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    renderView(request, theme, options.scale).save(&buffer, "PNG");
    return bytes;
}

QByteArray svg(const RenderRequest& request, const Theme& theme, const CommandOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(request.size);
    generator.setViewBox(QRect(QPoint(), request.size));
    generator.setTitle(QString::fromStdString(request.view));
    QPainter painter(&generator);
    renderView(painter, request, theme, options.scale);
    painter.end();
    return bytes;
}

Status save(const std::filesystem::path& path, const QByteArray& bytes)
{
    QSaveFile file(QString::fromStdString(path.string()));
    if (bytes.isEmpty())
        return Error{Error::Kind::Full, path.string() + ": the picture could not be drawn; is it too large?"};
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return Error{Error::Kind::Unreadable, path.string() + ": " + file.errorString().toStdString()};
    return Done{};
}

} // namespace

int runRender(const CommandOptions& options)
{
    const bool isSvg = options.output.extension() == ".svg";
    if (!isSvg && options.output.extension() != ".png")
        return failWith({Error::Kind::Usage, "-o: \"" + options.output.string() + "\" ends in neither .png nor .svg"});
    if (const auto done = checkRowFilter(options); !done)
        return failWith(done.error());
    const auto opened = openExperiment(options);
    if (!opened)
        return failWith(opened.error());
    if (const auto views = chosenViews(options, *opened->timeline); !views)
        return failWith(views.error());
    const OffscreenApplication app;
    const RowSelection selection(options, *opened->timeline);
    RenderRequest request;
    request.timeline = opened->timeline;
    request.view = options.view;
    request.window = opened->timeline->range.clippedTo(opened->window);
    request.size = QSize(options.width, options.height);
    request.format.hasEpoch = hasEpoch(*opened->timeline);
    request.format.origin = opened->timeline->range.begin;
    if (!request.format.hasEpoch)
        request.format.mode = TimeFormat::Mode::Relative;
    if (isRowChoice(options))
        request.accepts = [&](const Row& row) { return row.ref.isValid() && selection.selects(row); };
    if (request.window.isEmpty())
        return failWith({Error::Kind::Usage, "--begin, --end: nothing was recorded in this range"});
    const Theme theme = Theme::make(options.theme == "light" ? Theme::Kind::Light : Theme::Kind::Dark);
    if (const auto done = save(options.output, isSvg ? svg(request, theme, options) : png(request, theme, options)); !done)
        return failWith(done.error());
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace helio
