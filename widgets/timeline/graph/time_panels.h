#pragma once

#include "widgets/timeline/graph/time_panel.h"

#include <QJsonObject>
#include <QStringList>
#include <QWidget>

#include <limits>
#include <map>
#include <set>
#include <vector>

class QScrollBar;

namespace helio {

/// Scroll position of the panel stack, relative to a panel, so that it also applies to another stack of panels.
struct PanelsScrollPosition {
    /// Id of the first panel in view. If empty, `share` is the fraction of the whole scroll range, 1 at the end.
    std::string panel;
    double share = 0; ///< Fraction of the panel's height that is scrolled out at the top.
};

/// Stack of panels without gaps. Only one panel of each group (TimePanel::group()) is shown; chips in its header show the other panels of
/// the group. Each panel is as high as its rows, or as the user dragged it. One panel fills the remaining height: the last open panel whose
/// rows have states and need more than its share, otherwise the last open panel with rows. If the height is too small for each panel to
/// show something, the stack is scrolled, and each panel shows all of its rows, or as many as fit into a part of the visible height.
class TimePanels : public QWidget {
    Q_OBJECT

public:
    explicit TimePanels(QWidget* parent = nullptr);

    /// Inserts a panel according to its order, or to the restored layout.
    /// Ownership: becomes the owner of the panel.
    void add(TimePanel* panel);
    /// Removes and deletes the panel.
    void remove(TimePanel* panel);
    /// Moves a panel up (by < 0) or down among the panels that are shown.
    void move(TimePanel* panel, int by);
    QStringList panelIds() const; ///< Ids of all panels, from top to bottom.
    /// Sorts the panels by their position in `ids`; panels that are not in `ids` come last, in their current order.
    void setPanelOrder(const QStringList& ids);
    const std::vector<TimePanel*>& panels() const { return m_panels; }
    TimePanel* find(std::string_view id) const; ///< Panel with the id; nullptr if there is none.
    /// Returns the panel that commands apply to: the panel with the focus, otherwise the panel with the selected row, otherwise the last
    /// open panel, preferably one with rows.
    TimePanel* current() const;
    /// Shows or hides a panel on the user's request. A panel without data stays hidden while another panel has data.
    void setPanelVisible(TimePanel* panel, bool isVisible);
    bool isPanelWanted(const TimePanel* panel) const { return !m_closedByUser.contains(mainOf(panel)); }
    /// Shows the panel in place of the other panels of its group.
    void setFront(TimePanel* panel);
    /// Returns the panel that is shown for the group of `panel`; `panel` itself if it has no group.
    const TimePanel* frontOf(const TimePanel* panel) const;
    /// Sets the highlighted state of a panel; if its header is shared, of all panels without a header.
    void setFocusState(TimePanel* panel, const QString& legend);
    /// Shows the header of the panel `of` for all panels from now on, above them, and returns it. The headers of other panels are hidden,
    /// except for panels that need a title.
    PanelHeader* shareHeader(TimePanel* of);
    /// Height in pixels at which all panels show all of their rows.
    int naturalHeight() const;
    /// Height in pixels at which each panel shows about four rows, or all of its rows if it has fewer.
    int usefulHeight() const;
    /// Sum of the heights, in pixels, of the panels that keep their own header although a header is shared; each panel counts as in
    /// usefulHeight(). 0 if no header is shared.
    int titledHeight() const;

    /// Height in pixels that the panel of the shared header leaves to the panels without a header, if all of its rows are shown; may be
    /// negative. Unlimited without a shared header.
    int roomBelowThreads() const;
    /// Sets the maximum room for the panels without a header, in pixels; they are not shown if it is too low for them.
    void setMostRoom(int most);

    PanelsScrollPosition scrolledTo() const;
    /// Scrolls to a position, as far as possible. Does nothing if the position's panel is not shown.
    void scrollTo(const PanelsScrollPosition& place);

    /// Saves the layout by panel id: shown, collapsed, height, order.
    QJsonObject layout() const;
    /// Restores a layout, also for panels that are added later. Panels that are not in the layout are reset to the state of a new window.
    void restoreLayout(const QJsonObject& layout);
    /// Sorts panels of equal order by their position in `ids`; panels that are not in `ids` come last.
    void sortTiesBy(const std::vector<std::string>& ids);

signals:
    void moved(helio::TimePanel* panel, const QStringList& before); ///< Emitted by move(); `before` are the former panelIds().
    void shownOnRequest(helio::TimePanel* panel, bool isVisible); ///< Emitted when setPanelVisible() changed isPanelWanted().
    void wantedChanged(); ///< Emitted when setPanelVisible() or restoreLayout() may have changed isPanelWanted().
    void naturalHeightChanged();
    void roomChanged(); ///< Emitted when roomBelowThreads() changed.
    void scrolled(); ///< Emitted on every scroll, by the user or by the program.

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override; ///< Scrolls the stack, for wheel events that the panels ignored.

private:
    const TimePanel* mainOf(const TimePanel* panel) const;
    void updateSwitches();
    void giveHeader(TimePanel* panel);
    void setHeaderPanel(TimePanel* panel);
    void restore(TimePanel* panel);
    void sort();
    void showAndPlace();
    /// Maximum height of a panel in pixels. If it is not strict, a panel may exceed it by a fifth to show its last rows.
    struct Share {
        int height = 0;
        bool isStrict = false; ///< True if the height must not be exceeded by even one row.
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
    void dragTo(TimePanel* panel, int y);
    void showSharedLegend();
    TimePanel* above(TimePanel* panel) const;
    TimePanel* fillingPanel() const;
    TimePanel* resizedBy(TimePanel* panel) const;
    int wantedHeightOf(const TimePanel& panel, Share share) const;

    QScrollBar* m_scroll;
    std::vector<TimePanel*> m_panels;
    /// Panels that the user closed. For a closed group of panels, only the panel that mainOf() returns.
    std::set<const TimePanel*> m_closedByUser;
    std::map<std::string, std::string> m_fronts; ///< Id of the panel that the user chose, by the id of its group.
    QJsonObject m_layout; ///< Layout that restoreLayout() last received. It is also applied to panels that are added later.
    TimePanel* m_headerPanel = nullptr; ///< Panel whose header is shown for all panels; nullptr if each panel has its own.
    int m_naturalHeight = 0;
    int m_room = 0; ///< Last value of roomBelowThreads(), for roomChanged().
    int m_mostRoom = std::numeric_limits<int>::max(); ///< Maximum room for the panels without a header.
    int m_heightAtDrag = 0;
};

} // namespace helio
