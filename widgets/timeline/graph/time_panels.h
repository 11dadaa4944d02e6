#pragma once

#include "widgets/timeline/graph/time_panel.h"

#include <QJsonObject>
#include <QWidget>

#include <set>
#include <vector>

class QScrollBar;

namespace helio {

/// Scroll position of the panels, in a form that applies to other panels too.
struct PanelsScrollPosition {
    /// First panel in view; if empty, `share` is that of the whole scroll range, with 1 at the end.
    std::string panel;
    double share = 0; ///< Share of the panel's height that is out of view above.
};

/// Stack of panels without gaps. Each panel is as high as its rows, or as the user dragged it. One panel fills the remaining height: the
/// last open one whose rows have states and need more than its share, otherwise the last open one with rows. If the height is too small for
/// each panel to show something, the panels are scrolled, each as high as a few whole rows.
class TimePanels : public QWidget {
    Q_OBJECT

public:
    explicit TimePanels(QWidget* parent = nullptr);

    /// Adds a panel at the position of its order, or of the restored layout.
    /// Ownership: takes the panel over.
    void add(TimePanel* panel);
    /// Deletes the panel.
    void remove(TimePanel* panel);
    /// Moves a panel up (by < 0) or down among the panels that are shown.
    void move(TimePanel* panel, int by);
    const std::vector<TimePanel*>& panels() const { return m_panels; }
    TimePanel* find(std::string_view id) const; ///< nullptr if there is none.
    /// Returns the panel with the focus, otherwise the panel that shows the selected row, otherwise the last open panel, preferably one
    /// with rows.
    TimePanel* current() const;
    /// Shows or hides a panel as the user wants. A vacant panel stays hidden while another panel has data.
    void setPanelVisible(TimePanel* panel, bool isVisible);
    bool isPanelWanted(const TimePanel* panel) const { return !m_unwanted.contains(panel); }
    /// Shows the header of the panel `of` for all panels from now on, above them, and returns it. The headers of other panels are hidden,
    /// except for panels that need a title.
    PanelHeader* shareHeader(TimePanel* of);
    /// Height in which all panels show all of their rows.
    int naturalHeight() const;
    /// Height in which all panels are of use: each shows about four rows, or all if it has fewer.
    int usefulHeight() const;
    /// Useful height of the panels that keep their own header below a shared one.
    int titledHeight() const;

    PanelsScrollPosition scrolledTo() const;
    /// Scrolls to a position, as far as the content reaches. Does nothing if the panel is not shown.
    void scrollTo(const PanelsScrollPosition& place);

    /// Layout of the panels by id: shown, collapsed, height, order.
    QJsonObject layout() const;
    /// Restores a layout, also for panels that are added later. Panels it does not name are as in a new window.
    void restoreLayout(const QJsonObject& layout);
    /// Sorts panels of equal order in the order of `ids`; panels not in `ids` come last.
    void sortTiesBy(const std::vector<std::string>& ids);

signals:
    void wantedChanged(); ///< Emitted when a panel was shown or hidden by setPanelVisible() or restoreLayout().
    void naturalHeightChanged();
    void scrolled(); ///< Emitted whether the user or the program scrolled.

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override; ///< Handles wheel events that the panels ignored.

private:
    void giveHeader(TimePanel* panel);
    void setHeaderPanel(TimePanel* panel);
    void restore(TimePanel* panel);
    void sort();
    void showAndPlace();
    /// Share of the height, for each panel with more rows than fit.
    struct Share {
        int height = 0;
        bool isStrict = false; ///< True if the height must not be exceeded, not even by one row.
    };

    int equalShare() const;
    static int usefulHeightOf(const TimePanel& panel);
    Share shareAround(const TimePanel* last) const;
    int ownHeight(const TimePanel& panel, Share share) const;
    void place();
    void placeInRoom();
    void placeScrolled();
    int topHeight() const;
    int leastHeightOf(const TimePanel& panel) const;
    int scrolledHeightOf(const TimePanel& panel) const;
    int contentHeight() const;
    void updateScrollBar();
    void ensurePanelVisible(const TimePanel* panel);
    void drag(TimePanel* panel, int dy);
    void showSharedLegend();
    TimePanel* above(TimePanel* panel) const;
    TimePanel* fillingPanel() const;
    TimePanel* resizedBy(TimePanel* panel) const;
    int wantedHeightOf(const TimePanel& panel, Share share) const;

    QScrollBar* m_scroll;
    std::vector<TimePanel*> m_panels;
    std::set<const TimePanel*> m_unwanted; ///< Panels that the user closed.
    QJsonObject m_layout; ///< Restored layout.
    TimePanel* m_headed = nullptr; ///< Panel whose header is shared; nullptr if each panel has its own.
    int m_naturalHeight = 0;
    int m_heightAtDrag = 0;
};

} // namespace helio
