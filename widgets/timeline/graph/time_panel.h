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

/// One of the panels stacked below the ruler: a header, and a body over the axis's visible range. Subclasses create the body, and then call
/// adoptBody().
class TimePanel : public QWidget {
    Q_OBJECT

public:
    /// `id` is also the id of the query's view.
    TimePanel(TimeAxis& axis, std::string id, const QString& title, QWidget* parent = nullptr);

    /// Minimum height of an open panel, header included, when the user drags its edge.
    static constexpr int LeastHeight = PanelHeader::Height + 40;

    const std::string& id() const { return m_id; }
    /// Title shown to the user, for example "Control flow".
    const QString& name() const { return m_name; }
    PanelHeader* header() const { return m_header; }
    TimeAxis& axis() const { return m_axis; }
    /// Widget that gets the keys; a child.
    virtual QWidget* body() const = 0;

    bool isCollapsed() const { return m_header->isCollapsed(); }
    void setCollapsed(bool isCollapsed);
    /// Height of the header and all content of the body.
    int naturalHeight() const { return headerHeight() + (isCollapsed() ? 0 : bodyHeight()); }
    /// Height including the rows that are only hidden because they rest in the visible range: the maximum over all visible ranges.
    virtual int fullHeight() const { return naturalHeight(); }
    /// Height, at most `most`, in which no row is cut, header included; at least one row.
    virtual int heightOfWholeRows(int most) const { return most; }
    /// Height of the text in an empty body; 0 if the body has content.
    virtual int emptyTextHeight() const { return 0; }
    /// 0 if several panels share a header and this panel is below it.
    int headerHeight() const { return m_header->parentWidget() == this ? int(PanelHeader::Height) : 0; }
    /// True if the panel's header was given away, to be shown above several panels or hidden.
    bool isHeadless() const { return headerHeight() == 0; }
    /// Reparents the header to `above`, which places it, and returns it. Requires: the header was not given yet.
    PanelHeader* giveHeader(QWidget* above);
    /// Height set by dragging; nullopt if the height follows the rows.
    std::optional<int> wantedHeight() const { return m_wantedHeight; }
    void setWantedHeight(std::optional<int> height);
    /// Sets the width in pixels that the body's own scroll bar leaves free at the right edge, for the scroll bar of the panels.
    void setScrollMargin(int pixels);
    /// Position among the panels, from the top. The user can move panels.
    int order() const { return m_order; }
    void setOrder(int order) { m_order = order; }
    /// Position that the view asks for.
    int ownOrder() const { return m_ownOrder; }
    bool beginsCollapsed() const { return m_beginsCollapsed; }
    /// Initializes order and collapsed state in a new window. Requires: the body exists.
    void beginAs(const TrackView& view);
    /// Keeps the panel's own header where panels share one, with `tip` as its tooltip. For panels whose rows are not understood without a
    /// title.
    void keepTitle(const QString& tip);
    bool needsTitle() const { return m_needsTitle; }
    /// True if the recording has no data for the panel; it is hidden while other panels have data.
    bool isVacant() const { return m_isVacant; }
    void setVacant(bool isVacant);

    /// Fades all states except those with this legend text; empty fades none.
    virtual void setFocusState(const QString&) { }
    virtual QString focusState() const { return {}; }
    virtual bool hasRows() const { return false; } ///< True if commands about rows apply to the panel.
    /// True if its rows have events only, no states: it needs less height than other panels with rows.
    virtual bool hasOnlyEvents() const { return false; }
    virtual bool showsSelectedRow() const { return false; }
    /// Highlights the row that is related to the selected row at the cursor, and brings it into view. Invalid for none.
    virtual void setRelatedRow(TrackRef) { }
    /// Traces of the content in view, from the top.
    virtual std::vector<std::uint32_t> shownTraces() const { return {}; }
    /// Moves the cursor to the next change of what is selected in this panel, or to the previous one.
    virtual void stepChange(bool forward) = 0;
    /// Adds the actions of the panel's own menu.
    virtual void fillMenu(QMenu& menu);
    /// Adds the actions about the panel to the menu of a right click in the body.
    virtual void fillBodyMenu(QMenu&) { }

signals:
    void heightChanged();
    void moveRequested(int by); ///< Number of positions to move down; negative for up.
    /// Emitted on a right click. `row` is invalid if the click was on none.
    void contextMenuRequested(const QPoint& globalPos, helio::TrackRef row, helio::Timestamp at);
    /// Emitted on Ctrl+Left and Ctrl+Right: the application steps through the events of the selected row.
    void eventStepRequested(bool forward);
    void shownTracesChanged();
    /// Emitted when a row was selected elsewhere, or the keyboard came here: the panels' parent brings this panel into view.
    void ensureVisibleRequested();

protected:
    void adoptBody();
    virtual int bodyHeight() const = 0;
    virtual void showBody(bool isShown);
    virtual void placeBody(const QRect& room);
    void place();
    /// Adds the actions that move the panel, for fillMenu().
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
