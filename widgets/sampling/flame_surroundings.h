#pragma once

#include "core/query/export/call_tree_text.h"
#include "widgets/flame/flame_view.h"
#include "widgets/timegraph/tips/state_tip.h"

#include <QLabel>

#include <functional>
#include <stop_token>

class QMenu;

namespace helio {

// What flame graphs have around them, of one recording or of two.

/// The way from the root to the frame that a graph is zoomed to; a click goes back. Of a sandwich: of its last part.
class CrumbTrail : public QLabel {
    Q_OBJECT

public:
    /// The graph outlives it.
    explicit CrumbTrail(FlameView& graph, QWidget* parent = nullptr);

    void setRootName(const QString& name) { m_rootName = name; }
    /// Zoom or theme changed.
    void refresh();
    bool isEmpty() const { return text().isEmpty(); }

private:
    FlameView& m_graph;
    QString m_rootName;
};

/// Gives the graph another content; another thread frees the trees of the last one. `renamed`: as FlameView::setContent() has it.
void replaceContent(FlameView& graph, FlameContent content, const std::function<FlamePath(const FlamePath&)>& renamed = {});

/// Shows a tooltip beside a frame, never over it. `position`: the pointer in the graph's viewport.
void showFrameTip(StateTip& tip, const TipContent& content, const FlameView& graph, const FlamePlace& place, QPoint position);

/// The tooltip of frames that are too narrow to be distinguished.
TipContent narrowFramesTip(std::uint32_t count);

/// Which functions a search finds: by a part of their labels, whatever its case. Not threads and commands.
std::function<bool(const SampledFunction&)> functionsLike(const QString& text);

class SampleModel;
/// What holds for all views of samples, in a menu of options: "Inlined functions as frames of their own".
void addSampleChoices(QMenu* menu, SampleModel& samples);

/// How much of a kind of sample an amount is: "2 563 samples", "2.563 s", "1 204 page faults".
QString amountText(const SampleSum& sum, WeightBy by, const SampleKind& kind);

/// For headers: "2 563 samples"; where weights count, those roundly first: "1.56 M page faults in 16 105 samples".
QString headingText(const SampleSum& sum, WeightBy by, const SampleKind& kind);

/// "Naming functions, 12 %". A share below 0 is not known.
QString workText(const QString& work, double share);

/// Has `write` write a file, which is there as a whole or not at all. False: not written, or stopped. Any thread.
bool saveText(const QString& path, const std::function<void(const TextSink& sink)>& write, std::stop_token stop = {});

} // namespace helio
