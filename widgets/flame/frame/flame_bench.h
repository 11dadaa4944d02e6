#pragma once

#include "widgets/async/latest_job.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/work_line.h"
#include "widgets/flame/frame/flame_head.h"
#include "widgets/flame/frame/flame_search.h"
#include "widgets/flame/frame/flame_trail.h"
#include "widgets/flame/frame/kept_zoom.h"
#include "widgets/timeline/graph/tips/state_tip.h"
#include "widgets/workspace/searchable.h"

#include <QPointer>

class QStackedWidget;
class QVBoxLayout;

namespace helio {

/// What every view has whose middle is a flame graph: the graph, a head above it, the trail of the frames it is zoomed to, a search, a
/// tooltip and a menu for frames, a page in the graph's place while there is none, and the zoom of a session file until its tree is there.
///
/// What derives from it builds what is shown and decides what head, menu and tooltip have. What it adds to head and trail becomes a child.
/// UI thread; the graph's content is made on a thread of its own. The work outlives it.
class FlameBench : public PanelGround, public Searchable {
    Q_OBJECT

public:
    FlameView& graph() { return *m_graph; }
    const FlameView& graph() const { return *m_graph; }
    void search(const QString& text);
    QString found() const { return m_search->found(); } ///< As foundWords() has it, with the number of frames: "58.0 % in 3 frames".
    void focusSearch() override;

protected:
    /// `work` is what the graph is made of; it is done while the bench is visible.
    FlameBench(WatchedWork& work, QWidget* parent);
    ~FlameBench() override;

    /// Posts what makes the content to show, or shows none. Called by rebuild().
    virtual void build() = 0;
    /// What is shown is another, or other choices hold: texts, pills, page.
    virtual void showState() = 0;
    /// What the frames of a search are of all: "58.0 %".
    virtual QString foundWords(const SampleSum& sum, const FunctionMatcher& matches) const = 0;
    virtual TipContent tipOf(const FlamePlace& place) const = 0; ///< Of one frame.
    /// Adds what a frame that is not the root offers besides zooming. `tree` is as it was when the menu opened.
    virtual void fillFrameMenu(QMenu& menu, const CallTree& tree, const FlamePlace& place) = 0;

    FlameHead& head() { return *m_head; }
    FlameTrail& trail() { return *m_trail; }
    FlameSearch& searchField() { return *m_search; } ///< To be placed.
    WorkLine& workLine() { return *m_work; } ///< To be placed.
    /// What stands below the head while there is nothing to show, and what else: the graph, or what it is in. To be called once.
    void setPages(QWidget* empty, QWidget* body);
    void addNotice(QWidget* notice); ///< Below the trail.

    /// Builds now, or once it is visible.
    void rebuild();
    /// Makes content on the thread, of what the job was given; the delivery shows it.
    void post(LatestJob::Job job) { m_job.post(std::move(job)); }
    void cancelBuild() { m_job.cancel(); }
    bool isBuilding() const { return m_job.isBusy(); }
    /// At the zoom that was there, or that was kept. `isLast`: what is recorded is all read. `renamed`: as FlameView::setContent() has it.
    void showContent(FlameContent content, bool isLast, const std::function<FlamePath(const FlamePath&)>& renamed = {});
    void showEmpty(bool isEmpty);

    QJsonArray keptZoom() const { return m_keptZoom.kept(*m_graph); }
    void restoreZoom(const QJsonValue& kept) { m_keptZoom.restore(kept); }

    // Lines of a frame's menu.
    void addSearchFor(QMenu& menu, const SampledFunction& function);
    static void addCopy(QMenu& menu, const QString& text, const QString& copied);

private:
    void showEvent(QShowEvent* event) override;
    void showTip(const std::optional<FlamePlace>& place, QPoint position);
    void showFrameMenu(const FlamePlace& place, QPoint at);

    FlameView* m_graph;
    QVBoxLayout* m_lines;
    QStackedWidget* m_stack; ///< What setPages() was given.
    FlameHead* m_head;
    FlameTrail* m_trail;
    FlameSearch* m_search;
    WorkLine* m_work;
    QPointer<StateTip> m_tip; ///< Its parent is the window, which may go first.
    KeptZoom m_keptZoom;
    bool m_isOld = true; ///< It is to be built when it is shown.
    LatestJob m_job;
};

/// Gives a graph another content; another thread frees the trees of the last one. `renamed`: as FlameView::setContent() has it.
void replaceContent(FlameView& graph, FlameContent content, const std::function<FlamePath(const FlamePath&)>& renamed = {});

} // namespace helio
