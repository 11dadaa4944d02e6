#pragma once

#include "core/profiling/export/call_tree_text.h"
#include "widgets/async/latest_task.h"
#include "widgets/flame/view/flame_view.h"
#include "widgets/workspace/view_context.h"

#include <stop_token>

class QMenu;

namespace helio {

/// Writes a file with `write`. The file is replaced completely or not at all. Returns false if it was not written or writing was stopped.
/// Threads: any.
bool saveText(const QString& path, const std::function<void(const TextSink& sink)>& write, std::stop_token stop = {});

/// Text for the status line that says how saving went.
QString savedText(const QString& path, bool isWhole);

/// Writes the contents of a file to the sink. Threads: runs on a thread of its own.
using FileWriter = std::function<void(const TextSink& sink, std::stop_token stop)>;

/// A file format of flame graphs.
struct FlameExportFormat {
    QString text; ///< Text of the menu item, e.g. "Save as PNG...".
    QString suggestion; ///< Suggested file name, e.g. "flame-graph.png".
    QString filter;
    QStringList endings; ///< File name extensions of the format, e.g. ".png".
    /// Makes the writer, on the UI thread and while the graph has content. Returns an empty function if the file cannot be written.
    std::function<FileWriter()> writer;
};

/// Saves a flame graph as a picture, as SVG, as folded stacks or in a format of the view: asks for the path, writes the file and reports
/// the result.
/// Ownership: the view owns it; graph and context outlive it.
/// Threads: UI thread; files are written on another thread, which the destructor stops.
class FlameExporter : public QObject {
    Q_OBJECT

public:
    FlameExporter(ViewContext& context, FlameView& graph);

    void add(FlameExportFormat file) { m_files.push_back(std::move(file)); }
    void fillMenu(QMenu* menu);
    /// Asks for a path and saves. The extension of the chosen name decides the format; if no format has that extension, the extension of
    /// `suggestion` does.
    void save(const QString& suggestion, const QString& filter);

private:
    const FlameExportFormat* fileOf(const QString& name) const; ///< nullptr if no format has the name's extension.
    FileWriter pictureWriter() const;
    FileWriter svgWriter() const;
    FileWriter foldedWriter() const;

    ViewContext& m_context;
    FlameView& m_graph;
    std::vector<FlameExportFormat> m_files;
    LatestTask m_job;
};

} // namespace helio
