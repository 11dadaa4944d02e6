#pragma once

#include "core/profiling/export/call_tree_text.h"
#include "widgets/async/latest_task.h"
#include "widgets/flame/view/flame_view.h"
#include "widgets/workspace/view_context.h"

#include <stop_token>

class QMenu;

namespace helio {

/// Writes a file by `write`. The file is replaced completely or not at all. Returns false if writing failed or was stopped.
/// Threads: any.
bool saveText(const QString& path, const std::function<void(const TextSink& sink)>& write, std::stop_token stop = {});

/// Returns the message for the status line about a saved file. `isWhole`: true if saving succeeded.
QString savedText(const QString& path, bool isWhole);

/// Function that writes the contents of a file to the sink.
/// Threads: runs on a thread of its own.
using FileWriter = std::function<void(const TextSink& sink, std::stop_token stop)>;

/// File format in which a flame graph can be saved.
struct FlameExportFormat {
    QString text; ///< Text of the menu item, e.g. "Save as PNG...".
    QString suggestion; ///< Suggested file name, e.g. "flame-graph.png".
    QString filter;
    QStringList endings; ///< File name extensions of the format, e.g. ".png".
    /// Makes the writer of a file. Called on the UI thread while the graph has content. Returns an empty function if the file cannot be
    /// written.
    std::function<FileWriter()> writer;
};

/// Saves a flame graph as a picture, SVG, folded stacks or in a format of the view: asks for the path, writes the file and reports the
/// result.
/// Ownership: owned by the view; graph and context outlive it.
/// Threads: UI thread; files are written on another thread, which the destructor stops.
class FlameExporter : public QObject {
    Q_OBJECT

public:
    FlameExporter(ViewContext& context, FlameView& graph);

    void add(FlameExportFormat file) { m_files.push_back(std::move(file)); }
    void fillMenu(QMenu* menu);
    /// Asks the user for a path and saves the file. The extension of the entered name determines the format. If no format has this
    /// extension, the extension of `suggestion` determines it.
    void save(const QString& suggestion, const QString& filter);

private:
    const FlameExportFormat* fileOf(const QString& name) const; ///< Format with the extension of a file name; nullptr if there is none.
    FileWriter pictureWriter() const;
    FileWriter svgWriter() const;
    FileWriter foldedWriter() const;

    ViewContext& m_context;
    FlameView& m_graph;
    std::vector<FlameExportFormat> m_files;
    LatestTask m_job;
};

} // namespace helio
