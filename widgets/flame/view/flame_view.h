#pragma once

#include "widgets/flame/view/flame_part.h"
#include "widgets/flame/view/flame_path.h"

#include <QAbstractScrollArea>
#include <QPixmap>

#include <functional>
#include <optional>

namespace helio {

/// Content of a flame graph. With `callers`, it is a sandwich: the callers of a function above, and its callees (`tree`) below.
struct FlameContent {
    std::shared_ptr<const CallTree> tree; ///< Tree to draw; nullptr if there is nothing to show.
    std::shared_ptr<const CallTree> callers;
    WeightBy by = WeightBy::Samples;
    std::shared_ptr<const ModuleColors> modules = nullptr; ///< Colours of modules; nullptr to choose colours for the modules of the tree.
    /// Colours and texts of the frames in `tree`; nullptr to colour frames by module and to write shares. Only used without `callers`.
    std::shared_ptr<const FrameStyle> style = nullptr;
};

/// Reference to a frame, or a column of frames, in one of the content's trees.
struct FlameFrameRef {
    std::size_t part = 0; ///< Index of the tree; in a sandwich 0 for callers, 1 for callees.
    std::uint32_t node = 0;
    std::uint32_t count = 1; ///< Number of frames; above 1 for a column of frames too narrow to be distinguished.
    bool operator==(const FlameFrameRef&) const = default;
};

/// Widget that draws a call tree: a click zooms in, Esc zooms out, the arrow keys move between frames.
/// Cost: the layout is computed when content, zoom or width change; otherwise the picture is only painted. Both take time proportional to
/// the number of visible frames.
class FlameView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit FlameView(QWidget* parent = nullptr);

    /// Sets the content. Keeps the zoom: if the new tree lacks the zoomed frame, the nearest of its callers that the new tree contains is
    /// zoomed. `renamed` converts a path to the names of the new content; empty if names did not change.
    void setContent(FlameContent content, const std::function<FlamePath(const FlamePath&)>& renamed = {});
    const FlameContent& content() const { return m_content; }
    void setRootsBelow(bool areBelow);
    bool areRootsBelow() const { return m_areRootsBelow; }
    void setColoring(FlameColoring coloring);
    FlameColoring coloring() const { return m_coloring; }
    const FlameColors& colors() const;

    /// Sets the frames to highlight; an empty function ends the search. Returns the sum of all stacks with a highlighted frame, each
    /// counted once.
    SampleSum setMatcher(std::function<bool(const SampledFunction&)> matches);
    int matchCount() const { return m_matchCount; } ///< Number of highlighted frames.

    /// Marks all frames of a function and scrolls to the widest one; nullopt removes the marks.
    void selectFunction(const std::optional<FrameKey>& key);

    /// Node that the graph is zoomed to; the root if it is not zoomed. In a sandwich, a node of the callees.
    std::uint32_t zoom() const;
    void zoomTo(std::size_t part, std::uint32_t node);
    bool zoomBack(); ///< Undoes the latest zoom; returns false if there is none.
    std::size_t zoomSteps() const { return m_history.size(); } ///< Number of zooms that zoomBack() can undo.

    const std::vector<FlamePart>& parts() const { return m_parts; }
    const CallTree& treeOf(const FlameFrameRef& place) const { return *m_parts[place.part].tree; }
    /// Returns the frame at a position in the viewport; nullopt if there is none.
    std::optional<FlameFrameRef> placeAt(QPointF position) const;
    QRectF rectOf(const FlameFrameRef& place) const; ///< Rectangle of a frame in the viewport; empty if the frame is not shown.
    std::optional<FlameFrameRef> current() const { return m_current; } ///< Frame with the keyboard focus; nullopt if there is none.

    /// Returns a picture of the whole graph, including the parts that are out of view.
    QImage image(int width, qreal ratio = 1) const;

signals:
    void zoomChanged();
    void hovered(const std::optional<FlameFrameRef>& place, QPoint position);
    void menuRequested(const FlameFrameRef& place, QPoint globalPosition);
    void framePicked(const FlameFrameRef& place); ///< Emitted when the user clicked a frame or pressed Enter.
    void functionOpened(const FlameFrameRef& place); ///< Emitted when the user clicked a frame with Ctrl, or pressed Ctrl+Enter.
    void searchRequested();

protected:
    bool viewportEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct ZoomStep {
        std::size_t part;
        FlamePath path;
    };

    void makeParts();
    void layOut();
    void layOut(FlamePart& part, std::uint32_t zoom);
    void placeParts();
    void colour();
    void findMatches(FlamePart& part);
    void redraw();
    void setHovered(const std::optional<FlameFrameRef>& place, QPoint position);
    void setCurrent(const FlameFrameRef& place);
    void moveCurrent(int key);
    void goInwards(std::size_t part, std::uint32_t parent); ///< Moves the keyboard focus to the widest child of `parent`.
    void reveal(const FlameFrameRef& place);
    void outlineFunction(QPainter& painter, const FrameKey& key, const QColor& color) const;
    int rowOf(const FlameFrameRef& place) const;
    double offset() const; ///< Returns the offset to add to a y of the picture to get the y in the viewport.

    FlameContent m_content;
    std::vector<FlamePart> m_parts;
    FlameColoring m_coloring = FlameColoring::Module;
    bool m_areRootsBelow = false;
    std::function<bool(const SampledFunction&)> m_matcher;
    int m_matchCount = 0;
    std::vector<ZoomStep> m_history;
    std::optional<FlameFrameRef> m_hovered;
    std::optional<FlameFrameRef> m_pressed;
    std::optional<FlameFrameRef> m_current;
    /// True if m_current is outlined, because the user last used the keyboard, not the mouse.
    bool m_outlinesCurrent = false;
    std::optional<FrameKey> m_selected;
    int m_height = 0; ///< Height of the whole picture, in pixels.
    QPixmap m_picture; ///< Cached visible part of the picture without outlines; null if it must be repainted.
};

} // namespace helio
