#include "widgets/flame/frame/flame_exporter.h"

#include "core/profiling/samples/amount_text.h"
#include "widgets/flame/view/flame_svg.h"
#include "widgets/theme/themes.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFileInfo>
#include <QMenu>
#include <QSaveFile>

#include <algorithm>

namespace helio {

namespace {

constexpr int LeastSvgWidth = 1200;
constexpr qreal PictureRatio = 2;

} // namespace

bool saveText(const QString& path, const std::function<void(const TextSink& sink)>& write, std::stop_token stop)
{
    QSaveFile file(path);
    bool isWhole = file.open(QIODevice::WriteOnly);
    if (isWhole)
        write([&](std::string_view text) {
            isWhole = file.write(text.data(), qint64(text.size())) == qint64(text.size());
            return isWhole && !stop.stop_requested();
        });
    return isWhole && !stop.stop_requested() && file.commit();
}

QString savedText(const QString& path, bool isWhole)
{
    return isWhole ? FlameExporter::tr("Saved to %1").arg(path) : FlameExporter::tr("Cannot write %1").arg(path);
}

FlameExporter::FlameExporter(ViewContext& context, FlameView& graph)
    : m_context(context)
    , m_graph(graph)
    , m_files{{tr("Save as PNG\u2026"), "flame-graph.png", tr("PNG image (*.png)"), {".png"}, [this] { return pictureWriter(); }},
              {tr("Save as SVG\u2026"), "flame-graph.svg", tr("SVG image (*.svg)"), {".svg"}, [this] { return svgWriter(); }},
              {tr("Save as folded stacks\u2026"), "stacks.folded", tr("Folded stacks (*.folded *.txt)"), {".folded", ".txt"}, [this] {
                   return foldedWriter();
               }}}
{
}

void FlameExporter::fillMenu(QMenu* menu)
{
    const bool isThere = m_graph.content().tree != nullptr;
    for (const FlameExportFormat& it : m_files)
        menu->addAction(it.text, this, [this, suggestion = it.suggestion, filter = it.filter] { save(suggestion, filter); })
            ->setEnabled(isThere);
    menu->addAction(
            tr("Copy as image"), this,
            [this] { QApplication::clipboard()->setImage(m_graph.image(m_graph.viewport()->width(), m_graph.devicePixelRatioF())); })
        ->setEnabled(isThere);
}

const FlameExportFormat* FlameExporter::fileOf(const QString& name) const
{
    const auto ends = [&](const QString& ending) { return name.endsWith(ending, Qt::CaseInsensitive); };
    const auto found = std::ranges::find_if(m_files, [&](const FlameExportFormat& it) { return std::ranges::any_of(it.endings, ends); });
    return found == m_files.end() ? nullptr : &*found;
}

void FlameExporter::save(const QString& suggestion, const QString& filter)
{
    QString path = m_context.askPath(tr("Save flame graph"), suggestion, filter);
    if (path.isEmpty() || !m_graph.content().tree)
        return;
    if (QFileInfo(path).suffix().isEmpty()) {
        path += QLatin1Char('.') + QFileInfo(suggestion).completeSuffix();
        // The user entered a name without a suffix, so the dialog did not check whether a file with the suffix exists.
        if (QFileInfo::exists(path))
            return m_context.say(tr("%1 already exists").arg(path));
    }
    const FlameExportFormat* named = fileOf(path);
    const FlameExportFormat* file = named ? named : fileOf(suggestion);
    FileWriter write = file ? file->writer() : FileWriter();
    if (!write)
        return m_context.say(savedText(path, false));
    m_job.post([this, path, write = std::move(write)](std::stop_token stop) -> LatestTask::Delivery {
        const bool isWhole = saveText(
            path, [&](const TextSink& sink) { write(sink, stop); }, stop);
        return [this, path, isWhole] { m_context.say(savedText(path, isWhole)); };
    });
}

FileWriter FlameExporter::pictureWriter() const
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !m_graph.image(m_graph.viewport()->width(), PictureRatio).save(&buffer, "PNG"))
        return {};
    return [bytes](const TextSink& sink, std::stop_token) { sink({bytes.constData(), std::size_t(bytes.size())}); };
}

/// Returns a writer for SVG in the colours and the direction of the view, at least as wide as the view.
FileWriter FlameExporter::svgWriter() const
{
    SvgOptions options;
    options.width = std::uint32_t(std::max(LeastSvgWidth, m_graph.viewport()->width()));
    options.isIcicle = !m_graph.areRootsBelow();
    return [options, content = m_graph.content(), coloring = m_graph.coloring(), colors = theme()](const TextSink& sink,
                                                                                                   std::stop_token) mutable {
        options.title = "Flame graph: " + content.tree->kind.name;
        options.subtitle = headingWords(content.tree->whole, content.by, content.tree->kind);
        writeFlameSvg(*content.tree, content.by, options, coloring, content.modules.get(), colors, sink);
    };
}

FileWriter FlameExporter::foldedWriter() const
{
    return [content = m_graph.content()](const TextSink& sink, std::stop_token) { writeFolded(*content.tree, content.by, sink); };
}

} // namespace helio
