#pragma once

#include "core/profiling/export/call_tree_text.h"
#include "widgets/async/latest_job.h"
#include "widgets/flame/view/flame_view.h"
#include "widgets/workspace/view_context.h"

#include <stop_token>

class QMenu;

namespace helio {

/// Has `write` write a file, which is there as a whole or not at all. False: not written, or stopped. Any thread.
bool saveText(const QString& path, const std::function<void(const TextSink& sink)>& write, std::stop_token stop = {});

/// How saving went, for the status line.
QString savedText(const QString& path, bool isWhole);

/// Writes a file, on a thread of its own.
using FileWriter = std::function<void(const TextSink& sink, std::stop_token stop)>;

/// One of the files that a flame graph may be saved as.
struct FlameFile {
    QString text; ///< A menu's: "Save as PNG...".
    QString suggestion; ///< "flame-graph.png".
    QString filter;
    QStringList endings; ///< Of names that ask for it: ".png".
    /// On the UI thread, where the graph has content. Without a writer: it cannot be written.
    std::function<FileWriter()> writer;
};

/// Saves what a flame graph shows as a picture, SVG, folded stacks or what a view adds: asks where, writes, and reports how that went.
/// Owned by the view; graph and context outlive it. UI thread; writing is stopped when it goes.
class FlameSaver : public QObject {
    Q_OBJECT

public:
    FlameSaver(ViewContext& context, FlameView& graph);

    void add(FlameFile file) { m_files.push_back(std::move(file)); }
    void fillMenu(QMenu* menu);
    /// The name's ending decides what is written, whatever was asked for; without one of the files', the suggestion's does.
    void save(const QString& suggestion, const QString& filter);

private:
    const FlameFile* fileOf(const QString& name) const; ///< Null: of none.
    FileWriter pictureWriter() const;
    FileWriter svgWriter() const;
    FileWriter foldedWriter() const;

    ViewContext& m_context;
    FlameView& m_graph;
    std::vector<FlameFile> m_files;
    LatestJob m_job;
};

} // namespace helio
