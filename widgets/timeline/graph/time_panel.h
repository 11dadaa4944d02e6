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

/// Panel of the stack below the ruler: a header, and a body over the visible range. A subclass creates the body and passes it to
/// adoptBody().
class TimePanel : public QWidget {
    Q_OBJECT

public:
    /// `id` is also the id of the view in queries.
    TimePanel(TimeAxis& axis, std::string id, const QString& title, QWidget* parent = nullptr);

    /// Minimum height in pixels to which the user can drag an open panel, header included.
    static constexpr int LeastHeight = PanelHeader::Height + 40;

    const std::string& id() const { return m_id; }
    /// Title shown to the user, for example "Control flow".
    const QString& name() const { return m_name; }
    PanelHeader* header() const { return m_header; }
    TimeAxis& axis() const { return m_axis; }
    /// Child widget that gets the keyboard focus.
    virtual QWidget* body() const = 0;

    bool isCollapsed() const { return m_header->isCollapsed(); }
    void setCollapsed(bool isCollapsed);
    /// Height of the header and of the body's whole content, in pixels.
    int naturalHeight() const { return headerHeight() + (isCollapsed() ? 0 : bodyHeight()); }
    /// Maximum natural height over all visible ranges: includes rows that are hidden only because they have no activity in the current
    /// range.
    virtual int fullHeight() const { return naturalHeight(); }
    /// Returns the largest height up to `most`, header included, at which no row is cut; at least the height of one row.
    virtual int heightOfWholeRows(int most) const { return most; }
    /// Height of the text in a body without content; 0 if the body has content.
    virtual int emptyTextHeight() const { return 0; }
    /// Height of the header in this panel; 0 if the panel uses the header of another panel.
    int headerHeight() const { return m_header->parentWidget() == this ? int(PanelHeader::Height) : 0; }
    /// True if the header is not in this panel: it is shown above several panels, or hidden.
    bool isHeadless() const { return headerHeight() == 0; }
    /// Moves the header from this panel to the widget `above`, which has to place it, and returns the header. Requires: the header is still
    /// in this panel.
    PanelHeader* giveHeader(QWidget* above);
    /// Height that the user set by dragging; nullopt if the height follows the rows.
    std::optional<int> wantedHeight() const { return m_wantedHeight; }
    void setWantedHeight(std::optional<int> height);
    /// Sets the width in pixels that the body's own scroll bar leaves free at the right edge, where the scroll bar of the panel stack is.
    void setScrollMargin(int pixels);
    /// Sort key of the panel in the stack: panels with smaller keys are above. Changes when the user moves panels.
    int order() const { return m_order; }
    void setOrder(int order) { m_order = order; }
    /// Id of the panel that this one shares its place with, see TrackView::group; empty if it has a place of its own.
    const std::string& group() const { return m_group; }
    const QString& nameInGroup() const { return m_nameInGroup; }
    /// Sort key that the view's description gives.
    int ownOrder() const { return m_ownOrder; }
    /// True if a new window shows only the header of the panel. The value applies when TimePanels restores a layout.
    bool beginsCollapsed() const { return m_beginsCollapsed; }
    void setBeginsCollapsed(bool isCollapsed) { m_beginsCollapsed = isCollapsed; }
    /// Sets order, group and collapsed state of a new panel from the view's description. Requires: the body exists.
    void beginAs(const TrackView& view);
    /// Keeps this panel's own header, with `tip` as tooltip, even if the panels share one header. For panels whose rows are unclear without
    /// a title.
    void keepTitle(const QString& tip);
    bool needsTitle() const { return m_needsTitle; }
    /// True if the recording has no data for the panel; such a panel is hidden while other panels have data.
    bool isVacant() const { return m_isVacant; }
    void setVacant(bool isVacant);

    /// Fades all states except those with this legend text; an empty text fades none.
    virtual void setFocusState(const QString&) { }
    virtual QString focusState() const { return {}; }
    virtual bool hasRows() const { return false; } ///< True if the panel has rows, to which commands about rows apply.
    /// True if the rows have only events, no states: the panel then gets less height than other panels.
    virtual bool hasOnlyEvents() const { return false; }
    virtual bool showsSelectedRow() const { return false; }
    /// Highlights a row and scrolls it into view: the row of the CPU that the selected thread runs on at the cursor, or the row of the
    /// thread that runs on the selected CPU. If the row is invalid, no row is highlighted.
    virtual void setRelatedRow(TrackRef) { }
    /// Indexes of the traces of the rows or curves in view, in their order from the top.
    virtual std::vector<std::uint32_t> shownTraces() const { return {}; }
    /// Moves the cursor to the next or previous change of the selected row or series.
    virtual void stepChange(bool forward) = 0;
    /// Adds actions to the menu of the panel's menu button.
    virtual void fillMenu(QMenu& menu);
    /// Adds menu items that act on the whole panel to the context menu of the body.
    virtual void fillBodyMenu(QMenu&) { }

signals:
    /// Emitted when the user chose another state to highlight in the panel's legend. `before` and `after`: focusState().
    void focusStateChosen(const QString& before, const QString& after);
    void heightChanged();
    void moveRequested(int by); ///< Emitted to move the panel by `by` positions; negative is up.
    /// Emitted on a right click. `row` is invalid if no row was clicked.
    void contextMenuRequested(const QPoint& globalPos, helio::TrackRef row, helio::Timestamp at);
    /// Emitted on Ctrl+Left and Ctrl+Right: the application steps through the events of the selected row.
    void eventStepRequested(bool forward);
    void shownTracesChanged();
    /// Emitted when a row of this panel was selected elsewhere, or the panel got the keyboard focus: the parent scrolls the panel into
    /// view.
    void ensureVisibleRequested();

protected:
    void adoptBody();
    virtual int bodyHeight() const = 0;
    virtual void showBody(bool isShown);
    virtual void placeBody(const QRect& room);
    void place();
    /// Adds the actions "move up" and "move down"; called by fillMenu().
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
    std::string m_group;
    QString m_nameInGroup;
};

} // namespace helio
