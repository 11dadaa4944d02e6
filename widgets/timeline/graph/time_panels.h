#pragma once

#include "widgets/timeline/graph/time_panel.h"

#include <QJsonObject>
#include <QWidget>

#include <set>
#include <vector>

class QScrollBar;

namespace helio {

/// How far panels are scrolled, so that others can be as far.
struct PanelsPlace {
    std::string panel; ///< The first in view; empty: the share is one of all, 1 at the end.
    double share = 0; ///< Of the panel's height, that is out of view above.
};

/// The panels, one under the other without gaps: each as high as its rows or as dragged, the last one open, of rows
/// with states that has more of them than its part if there is one, else of rows, takes the rest. Where there is no room for each to show
/// something, they are scrolled, each as high as a few whole rows.
class TimePanels : public QWidget {
    Q_OBJECT

public:
    explicit TimePanels(QWidget* parent = nullptr);

    /// Takes it over, and puts it where its order, or a person's layout, has it.
    void add(TimePanel* panel);
    /// Deletes it.
    void remove(TimePanel* panel);
    /// Up (by < 0) or down among those that are shown.
    void move(TimePanel* panel, int by);
    const std::vector<TimePanel*>& panels() const { return m_panels; }
    TimePanel* find(std::string_view id) const; ///< Null where there is none.
    /// The one that has the focus, else the one that shows the selected row, else the last open one, of rows if there is one.
    TimePanel* current() const;
    /// As a person wants it. A vacant panel is hidden all the same while another one has something to show.
    void setPanelVisible(TimePanel* panel, bool isVisible);
    bool isPanelWanted(const TimePanel* panel) const { return !m_unwanted.contains(panel); }
    /// One header for all panels from now on, above them: this panel's. The others' are not shown, but for those that need a title: they
    /// keep their own. Returns it.
    PanelHeader* shareHeader(TimePanel* of);
    /// That all panels show all of their rows in.
    int naturalHeight() const;
    /// That all of them are of use in: each shows some four rows, or what it has.
    int usefulHeight() const;
    /// The same of those alone that keep their own header below a shared one.
    int titledHeight() const;

    PanelsPlace scrolledTo() const;
    /// As far as there is so much; where that panel is not shown, not at all.
    void scrollTo(const PanelsPlace& place);

    /// By id: which are closed, collapsed, how high, in which place.
    QJsonObject layout() const;
    /// Also of panels that are added later. What it does not name is as in a new window.
    void restoreLayout(const QJsonObject& layout);
    /// Those whose orders are the same stand in the order of these ids, which others follow.
    void standAs(const std::vector<std::string>& ids);

signals:
    void wantedChanged(); ///< Another panel is wanted, or no longer.
    void naturalHeightChanged();
    void scrolled(); ///< By whom ever.

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override; ///< That the panels have no use for.

private:
    void giveHeader(TimePanel* panel);
    void headBy(TimePanel* panel);
    void restore(TimePanel* panel);
    void sort();
    void showAndPlace();
    /// Of the height, for each panel that has more rows than there is room for.
    struct Share {
        int height = 0;
        bool isStrict = false; ///< Not a row more.
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
    void ensureSeen(const TimePanel* panel);
    void drag(TimePanel* panel, int dy);
    void showSharedLegend();
    TimePanel* above(TimePanel* panel) const;
    TimePanel* filler() const;
    TimePanel* resizedBy(TimePanel* panel) const;
    int wantedHeightOf(const TimePanel& panel, Share share) const;

    QScrollBar* m_scroll;
    std::vector<TimePanel*> m_panels;
    std::set<const TimePanel*> m_unwanted; ///< Closed by a person.
    QJsonObject m_layout; ///< As restored.
    TimePanel* m_headed = nullptr; ///< Whose header is shared; null: each has its own.
    int m_naturalHeight = 0;
    int m_heightAtDrag = 0;
};

} // namespace helio
