#pragma once

#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/timeline/graph/axis/time_marks.h"

#include <QPixmap>
#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QAbstractButton;
class QLineEdit;
class QMenu;
class QToolButton;

namespace helio {

/// Entry of a panel's legend: a colour and its meaning.
struct LegendChip {
    StateAppearance look;
    QString text;
    bool operator==(const LegendChip& o) const { return text == o.text && look.color == o.look.color; }
};

/// Title of a column of numbers in the label column.
struct ColumnTitle {
    QString text;
    int right = 12; ///< Distance in pixels from the right edge of the title to the right edge of the label column.
    int sort = 0; ///< Sort key that a click on the title requests.
    bool isShown = true;
};

/// A panel that a switch in the header shows in place of this one.
struct PanelChoice {
    std::string id;
    QString name;
    bool operator==(const PanelChoice&) const = default;
};

/// Header of a panel, 24 pixels high: chevron, title, column titles, switch, legend, filter and menu button.
class PanelHeader : public QWidget {
    Q_OBJECT

public:
    PanelHeader(TimeAxis& axis, const QString& title, QWidget* parent = nullptr);

    static constexpr int Height = 24;

    QString title() const { return m_title; }
    void setTitle(const QString& title);
    /// Shows an icon, 16 pixels wide, instead of the chevron. A panel whose header has an icon cannot be collapsed.
    void setBadge(const QPixmap& badge);
    /// Shows a widget in the header, directly right of the label column.
    /// Ownership: becomes a child of the header.
    void setNotice(QWidget* notice);
    /// Sets the panels that the user can choose by chips right of the label column. `current`: id of the shown panel. With fewer than two
    /// choices, there are no chips. In a small window, or without room for the chips, the choices are only in the panel's menu.
    void setChoices(std::vector<PanelChoice> choices, const std::string& current);
    const std::vector<PanelChoice>& choices() const { return m_choices; }
    /// True if the header shows the switch of setChoices(); false if the choices are only in the panel's menu, or if there are fewer than
    /// two.
    bool showsSwitch() const;
    void addChoices(QMenu& menu); ///< Adds the choices passed to setChoices() to a menu; adds nothing if there are none.
    void setLegendShown(bool isShown);
    void setSubtitle(const QString& subtitle);
    const QString& subtitle() const { return m_subtitle; }
    /// Sets a remark about the numbers in the rows, e.g. "without stolen time". Shown after the subtitle if there is room, otherwise
    /// right of the label column.
    void setRemark(const QString& remark);
    QString shownSubtitle() const; ///< Subtitle as painted: followed by the remark, or abbreviated, depending on the room.
    QRect remarkRect() const; ///< Rectangle of the remark (setRemark()) if it is painted right of the label column; otherwise empty.
    /// Makes the subtitle a toggle button with tooltip `tip`.
    void setSubtitleSwitch(const QString& tip, bool isOn);
    /// Shows a chip right of the label column, a button that hides the rows off the critical path. An empty `text` removes the chip.
    /// `count`: number of hidden rows in words, e.g. "12 hidden"; omitted if there is no room. If there is no room for `text`, the chip is
    /// hidden; the panel's menu has the same choice.
    void setPathSwitch(const QString& text, const QString& count, bool isOn);
    QAbstractButton* pathSwitch() const { return m_pathSwitch; }
    /// Shows the button that switches between list and tree.
    void setListButton(bool isListed);
    void setColumns(std::vector<ColumnTitle> columns);
    void setColumnShown(int sort, bool isShown);
    void setSorted(int sort, bool isDescending);
    void setLegend(std::vector<LegendChip> legend);
    const std::vector<LegendChip>& legend() const { return m_legend; }
    /// Texts of the legend entries that are shown, including those of setFurtherLegend(). If there is no room, the last entries are left
    /// out.
    QStringList legendInView() const;
    /// Adds legend entries of other panels that share this header; entries that the legend already has are left out.
    void setFurtherLegend(std::vector<LegendChip> legend);
    /// Dims all legend entries except the one with this text; an empty text dims none.
    void setFocusChip(const QString& text);
    void setCollapsed(bool isCollapsed);
    bool isCollapsed() const { return m_isCollapsed; }
    bool isCollapsible() const { return m_badge.isNull(); } ///< A header with a badge stands above several panels.
    QLineEdit* filter() const { return m_filter; }
    void openFilter();
    /// Sets the filter's text. Shows the filter line unless the text is empty; the line that the user edits stays. Does not emit
    /// filterEdited().
    void setFilter(const QString& text);
    void setResizable(bool isResizable) { m_isResizable = isResizable; }

signals:
    void toggled();
    void choiceMade(const std::string& id);
    void columnClicked(int sort);
    void chipClicked(const QString& text);
    void legendChanged();
    void moreClicked(const QPoint& at);
    void filterEdited(const QString& before, const QString& after); ///< Emitted when the user changed the text of the filter.
    void filterLeft(); ///< Emitted when the filter line lost the focus.
    void filterDone(); ///< Emitted on Enter or Down in the filter line; the rows should get the focus.
    void subtitleClicked();
    void listClicked(bool isListed);
    void pathSwitched(bool isOn); ///< Emitted when the user clicks the chip of setPathSwitch().
    void resized(int dy); ///< Emitted while the user drags the upper edge; `dy` is the distance in pixels from the start of the drag.
    void resizeBegan();
    void moved(const QPoint& globalPos); ///< Emitted while the user drags the header to another place, with the pointer's position.

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void updateIcons();
    void placeButtons();
    void placeSubtitle();
    void placeSwitch();
    /// Right edge, in pixels, of the chips right of the label column; right edge of the label column if there are none.
    int switchRight() const;
    int titleLeft() const { return m_badge.isNull() ? 28 : 36; }
    int legendLeft() const;
    std::vector<LegendChip> shownLegend() const;
    int toolsLeft() const;
    bool isTitled(const ColumnTitle& column) const;
    int columnsLeft() const;
    bool isRoomFor(const QString& subtitle) const;
    bool hasSubtitleSwitch() const { return m_isSubtitleSwitch && !m_subtitle.isEmpty(); }
    static int subtitleWidth(const QString& subtitle);
    int titleWidth() const;
    QRect subtitleRect() const; ///< Area between the title and the column titles.
    void paintLabels(QPainter& painter, const Theme& theme) const;
    std::vector<std::pair<QRect, LegendChip>> chipRects(bool* areAll = nullptr) const;
    QRect columnRect(const ColumnTitle& column) const;
    bool isOnEdge(const QPoint& at) const { return m_isResizable && at.y() < 4; }

    TimeAxis& m_axis;
    QString m_title;
    QString m_subtitle;
    QString m_remark;
    QString m_focusChip;
    QPixmap m_badge;
    QWidget* m_notice = nullptr;
    bool m_isLegendShown = true;
    std::vector<ColumnTitle> m_columns;
    std::vector<LegendChip> m_legend;
    std::vector<LegendChip> m_furtherLegend;
    int m_sort = -1;
    bool m_isDescending = false;
    bool m_isCollapsed = false;
    bool m_isResizable = false;
    std::optional<QPoint> m_pressedAt; ///< Position of a press that may begin to move the panel or toggle it; nullopt if there is none.
    bool m_isMoving = false; ///< True while the user drags the header.
    std::optional<int> m_dragFrom; ///< Global y of the press; nullopt while nothing is dragged.
    std::vector<PanelChoice> m_choices;
    std::string m_choice; ///< Id of the panel whose chip is on: the shown panel of the group.
    QWidget* m_switch; ///< Widget with a chip for each element of m_choices.
    QAbstractButton* m_pathSwitch; ///< Chip that setPathSwitch() shows; hidden if its text is empty or does not fit.
    QString m_pathText; ///< Parameter `text` of the last setPathSwitch().
    QString m_pathCount; ///< Parameter `count` of the last setPathSwitch().
    QLineEdit* m_filter;
    QString m_filterText; ///< Text of the filter as last reported or set.
    bool m_isSubtitleSwitch = false; ///< True if the subtitle, unless it is empty, is a button.
    QToolButton* m_subtitleButton; ///< Shown if the subtitle is a button and has room.
    QToolButton* m_listButton;
    QToolButton* m_filterButton;
    QToolButton* m_moreButton;
    TimeMarks m_marks;
};

} // namespace helio
