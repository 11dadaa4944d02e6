#pragma once

#include "widgets/flame/view/flame_part.h"
#include "widgets/flame/view/flame_path.h"

#include <QAbstractScrollArea>
#include <QPixmap>

#include <functional>
#include <optional>

namespace helio {

/// What a flame graph shows. With `callers` it is a sandwich: callers of a function above, `tree` holds its callees below.
struct FlameContent {
    std::shared_ptr<const CallTree> tree; ///< Null: nothing.
    std::shared_ptr<const CallTree> callers;
    WeightBy by = WeightBy::Samples;
    std::shared_ptr<const ModuleColors> modules = nullptr; ///< The colours of modules; null: those that the tree asks for.
    std::shared_ptr<const FrameStyle> style = nullptr; ///< Of `tree`, which then stands alone. Null: modules and shares.
};

/// A frame of one of the content's trees.
struct FlamePlace {
    std::size_t part = 0; ///< Of a sandwich: 0 callers, 1 callees.
    std::uint32_t node = 0;
    std::uint32_t count = 1; ///< More: frames too narrow to be distinguished.
    bool operator==(const FlamePlace&) const = default;
};

/// The picture of a call tree: click zooms, Esc goes back, the keys walk.
///
/// Laid out when content, zoom or width change, painted when something else does; both cost by what is visible.
class FlameView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit FlameView(QWidget* parent = nullptr);

    /// The zoom is kept as far as its path is there. `renamed` returns what a path is called in the new content; none: the same.
    void setContent(FlameContent content, const std::function<FlamePath(const FlamePath&)>& renamed = {});
    const FlameContent& content() const { return m_content; }
    void setRootsBelow(bool areBelow);
    bool areRootsBelow() const { return m_areRootsBelow; }
    void setColoring(FlameColoring coloring);
    FlameColoring coloring() const { return m_coloring; }
    const FlameColors& colors() const;

    /// Frames to colour; none: nothing is searched for. Returns what their stacks amount to, each once.
    SampleSum setMatcher(std::function<bool(const SampledFunction&)> matches);
    int matchCount() const { return m_matchCount; } ///< Frames.

    /// Marks all frames of a function and shows the widest.
    void selectFunction(const std::optional<FrameKey>& key);

    /// Zoomed to; the root: not zoomed. Of a sandwich: the callees'.
    std::uint32_t zoom() const;
    void zoomTo(std::size_t part, std::uint32_t node);
    bool zoomBack(); ///< One step; false where there is none.
    std::size_t zoomSteps() const { return m_history.size(); } ///< That zoomBack() can go.

    const std::vector<FlamePart>& parts() const { return m_parts; }
    const CallTree& treeOf(const FlamePlace& place) const { return *m_parts[place.part].tree; }
    std::optional<FlamePlace> placeAt(QPointF position) const; ///< In the viewport.
    QRectF rectOf(const FlamePlace& place) const; ///< In the viewport; empty: not shown.
    std::optional<FlamePlace> current() const { return m_current; } ///< Where the keys are.

    /// All of it, whatever is visible.
    QImage image(int width, qreal ratio = 1) const;

signals:
    void zoomChanged();
    void hovered(const std::optional<FlamePlace>& place, QPoint position);
    void menuRequested(const FlamePlace& place, QPoint globalPosition);
    void framePicked(const FlamePlace& place); ///< Clicked, or Enter.
    void functionOpened(const FlamePlace& place); ///< Ctrl+click, or Ctrl+Enter.
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
    void setHovered(const std::optional<FlamePlace>& place, QPoint position);
    void setCurrent(const FlamePlace& place);
    void moveCurrent(int key);
    void goInwards(std::size_t part, std::uint32_t parent); ///< To its widest child.
    void reveal(const FlamePlace& place);
    void outlineFunction(QPainter& painter, const FrameKey& key, const QColor& color) const;
    int rowOf(const FlamePlace& place) const;
    double offset() const; ///< From the picture's y to the viewport's.

    FlameContent m_content;
    std::vector<FlamePart> m_parts;
    FlameColoring m_coloring = FlameColoring::Module;
    bool m_areRootsBelow = false;
    std::function<bool(const SampledFunction&)> m_matcher;
    int m_matchCount = 0;
    std::vector<ZoomStep> m_history;
    std::optional<FlamePlace> m_hovered;
    std::optional<FlamePlace> m_pressed;
    std::optional<FlamePlace> m_current;
    bool m_showsCurrent = false; ///< After keyboard use only.
    std::optional<FrameKey> m_selected;
    int m_height = 0; ///< Of the picture.
    QPixmap m_picture; ///< Of the viewport, without outlines. Null: to be painted.
};

} // namespace helio
