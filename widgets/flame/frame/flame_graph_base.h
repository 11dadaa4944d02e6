#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/work_line.h"
#include "widgets/flame/frame/flame_head.h"
#include "widgets/flame/frame/flame_search.h"
#include "widgets/flame/frame/flame_trail.h"
#include "widgets/flame/frame/saved_zoom.h"
#include "widgets/timeline/graph/tips/state_tip.h"
#include "widgets/workspace/view_roles.h"

#include <QPointer>

class QStackedWidget;
class QVBoxLayout;

namespace helio {

/// Base class of views with a flame graph in the middle: the graph, a head above, the trail of the frames that it is zoomed to, a search
/// field, a tooltip and a menu for frames, and a page that replaces the graph while there is none. Restores the zoom of a session file once
/// the tree with that frame is loaded.
///
/// A derived class builds the content, and decides what head, menu and tooltip contain.
/// Ownership: widgets added to head and trail become children. The work outlives the view.
/// Threads: UI thread; the content of the graph is made on another thread.
class FlameGraphBase : public PanelGround, public Searchable {
    Q_OBJECT

public:
    ~FlameGraphBase() override;

    FlameView& graph() { return *m_graph; }
    const FlameView& graph() const { return *m_graph; }
    void search(const QString& text);
    /// Result of the search with the number of frames, e.g. "58.0 % in 3 frames"; see matchShareText().
    QString found() const { return m_search->found(); }
    void focusSearch() override;

protected:
    /// Makes a view of the result of `work`. `work` runs while the view is visible.
    FlameGraphBase(SharedQuery& work, QWidget* parent);

    /// Starts the job that computes the content of the graph, or shows the empty page if there is nothing to show. Called by rebuild().
    virtual void build() = 0;
    /// Updates texts, pills and page after content or choices changed.
    virtual void showState() = 0;
    /// Returns the found frames' share of the whole graph, by weight, e.g. "58.0 %".
    virtual QString matchShareText(const SampleSum& sum, const FunctionMatcher& matches) const = 0;
    virtual TipContent tipOf(const FlameFrameRef& place) const = 0; ///< Returns the tooltip of a frame.
    /// Adds menu items for a frame that is not the root, besides those for zooming. `tree` is the tree when the menu opened.
    virtual void fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place) = 0;

    FlameHead& head() { return *m_head; }
    FlameTrail& trail() { return *m_trail; }
    FlameSearch& searchField() { return *m_search; } ///< Search field, to be placed by the derived class.
    WorkLine& workLine() { return *m_work; } ///< Line with the progress of the work, to be placed by the derived class.
    /// Sets two alternative widgets: `empty`, the page for a graph without content, and `body`, which is the graph or contains it. To be
    /// called once.
    void setPages(QWidget* empty, QWidget* body);
    void addNotice(QWidget* notice); ///< Adds a notice below the trail.

    /// Builds the content now if the view is visible, otherwise when it is shown.
    void rebuild();
    /// Runs a job on another thread that makes the content from captured data. The job returns a function that shows the content, which the
    /// UI thread then calls.
    void post(LatestTask::Job job) { m_job.post(std::move(job)); }
    void cancelBuild() { m_job.cancel(); }
    bool isBuilding() const { return m_job.isBusy(); }
    /// Shows the content, with the current zoom or that of a session file. `isLast`: the whole recording has been read. `renamed` is passed
    /// to FlameView::setContent().
    void showContent(FlameContent content, bool isLast, const std::function<FlamePath(const FlamePath&)>& renamed = {});
    void showEmpty(bool isEmpty);

    QJsonArray keptZoom() const { return m_keptZoom.kept(*m_graph); }
    void restoreZoom(const QJsonValue& kept) { m_keptZoom.restore(kept); }

    /// Adds an item to a frame's menu that searches for all frames of the function.
    void addSearchFor(QMenu& menu, const SampledFunction& function);
    static void addCopy(QMenu& menu, const QString& text, const QString& copied);

private:
    void showEvent(QShowEvent* event) override;
    void showTip(const std::optional<FlameFrameRef>& place, QPoint position);
    void showFrameMenu(const FlameFrameRef& place, QPoint at);

    FlameView* m_graph;
    QVBoxLayout* m_lines;
    QStackedWidget* m_stack; ///< Stack of the two widgets of setPages().
    FlameHead* m_head;
    FlameTrail* m_trail;
    FlameSearch* m_search;
    WorkLine* m_work;
    QPointer<StateTip> m_tip; ///< Tooltip, a child of the window; null if the window was destroyed before this object.
    SavedZoom m_keptZoom;
    bool m_isOld = true; ///< True if the content must be built when the view is shown.
    LatestTask m_job;
};

/// Adds the full name of the function to its tooltip, if the title has only a part of it.
void addFullName(TipContent& tip, const SampledFunction& function);

/// Sets the content of a graph; the trees of the previous content are freed on another thread. `renamed` converts the path of the zoomed
/// frame to the names of the new content; empty if names did not change.
void replaceContent(FlameView& graph, FlameContent content, const std::function<FlamePath(const FlamePath&)>& renamed = {});

} // namespace helio
