#pragma once

#include "core/analysis/track_view.h"
#include "core/query/rows/rows.h"
#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/timeline/graph/panel_header.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

class QMenu;

namespace helio {

/// A header and a body that shows something over the axis's time: one of the panels stacked under the ruler. Who derives makes the body,
/// and calls adoptBody() once it is there.
class TimePanel : public QWidget {
    Q_OBJECT

public:
    /// `id` is also the name of the query's view.
    TimePanel(TimeAxis& axis, std::string id, const QString& title, QWidget* parent = nullptr);

    static constexpr int LeastHeight = PanelHeader::Height + 40; ///< Open, header included, by dragging.

    const std::string& id() const { return m_id; }
    const QString& name() const { return m_name; } ///< As a person knows it: "Control flow".
    PanelHeader* header() const { return m_header; }
    TimeAxis& axis() const { return m_axis; }
    /// What keys go to. A child.
    virtual QWidget* body() const = 0;

    bool isCollapsed() const { return m_header->isCollapsed(); }
    void setCollapsed(bool isCollapsed);
    /// Header and all that the body has to show.
    int naturalHeight() const { return headerHeight() + (isCollapsed() ? 0 : bodyHeight()); }
    /// The same with rows that only the visible window hides: no matter where a person looks, it needs no more.
    virtual int fullHeight() const { return naturalHeight(); }
    /// What fits into a height without being cut, header included; at least one row.
    virtual int heightOfWholeRows(int most) const { return most; }
    /// That the words take which stand in the body while it has nothing to show; 0 while it has.
    virtual int emptyTextHeight() const { return 0; }
    /// 0 where the panel stands under a header that several share.
    int headerHeight() const { return m_header->parentWidget() == this ? int(PanelHeader::Height) : 0; }
    /// Stands under the header of another, or its own stands above several.
    bool isHeadless() const { return headerHeight() == 0; }
    /// Gives its header to `above`, which places it. Requires: not given yet.
    PanelHeader* giveHeader(QWidget* above);
    /// As set by dragging; none: it follows its rows.
    std::optional<int> wantedHeight() const { return m_wantedHeight; }
    void setWantedHeight(std::optional<int> height);
    /// Pixels that the body leaves free at its right edge of what it scrolls by: that of the panels is there.
    void setScrollMargin(int pixels);
    /// Its place among the panels, from the top, until a person moves it.
    int order() const { return m_order; }
    void setOrder(int order) { m_order = order; }
    /// As its view has them.
    int ownOrder() const { return m_ownOrder; }
    bool beginsCollapsed() const { return m_beginsCollapsed; }
    /// In a new window. Requires: the body is there.
    void beginAs(const TrackView& view);
    /// Nobody knows what its rows are of but by its title: where panels share a header it keeps its own, with this tip.
    void keepTitle(const QString& tip);
    bool needsTitle() const { return m_needsTitle; }
    /// The recording has nothing for it: it gives its place to those that show something.
    bool isVacant() const { return m_isVacant; }
    void setVacant(bool isVacant);

    /// Only this state of the legend in full colour; empty: all.
    virtual void setFocusState(const QString&) { }
    virtual QString focusState() const { return {}; }
    virtual bool hasRows() const { return false; } ///< Commands about rows are for it.
    /// Its rows are moments alone, without states: it needs less room than others of rows.
    virtual bool hasEventsAlone() const { return false; }
    virtual bool showsSelectedRow() const { return false; }
    /// Lit and brought into view: what the selected row has to do with at the cursor. Not valid: none.
    virtual void setRelatedRow(TrackRef) { }
    /// The traces of what is in view, from the top.
    virtual std::vector<std::uint32_t> shownTraces() const { return {}; }
    /// Moves the cursor to the next change of what is selected here, or to the one before.
    virtual void stepChange(bool forward) = 0;
    /// The lines of the panel's own menu.
    virtual void fillMenu(QMenu& menu);
    /// Those of a right click in the body that are about the panel, beside what is about a row.
    virtual void fillPlaceMenu(QMenu&) { }

signals:
    void heightChanged();
    void moveRequested(int by); ///< So many panels down; up where it is negative.
    /// Right click: where, and on what. The row is not valid where there is none.
    void contextMenuRequested(const QPoint& globalPos, helio::TrackRef row, helio::Timestamp at);
    /// Ctrl+Left and Ctrl+Right: the application steps through the events of the selected row.
    void eventStepRequested(bool forward);
    void shownTracesChanged();
    void seenRequested(); ///< By a row that was selected elsewhere, or by the keyboard: who stacks panels brings it into view.

protected:
    void adoptBody();
    virtual int bodyHeight() const = 0;
    virtual void showBody(bool isShown);
    virtual void placeBody(const QRect& room);
    void place();
    /// For fillMenu().
    void addMoves(QMenu& menu);

    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    TimeAxis& m_axis;
    std::string m_id;
    QString m_name;
    PanelHeader* m_header;
    std::optional<int> m_wantedHeight;
    bool m_isVacant = false;
    int m_order = 100;
    int m_ownOrder = 100;
    bool m_beginsCollapsed = false;
    bool m_needsTitle = false;
};

} // namespace helio
