#pragma once

#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/timeline/graph/axis/time_marks.h"

#include <QPixmap>
#include <QWidget>

#include <optional>
#include <vector>

class QLineEdit;
class QToolButton;

namespace helio {

/// A colour of the legend.
struct LegendChip {
    StateLook look;
    QString text;
    bool operator==(const LegendChip& o) const { return text == o.text && look.color == o.look.color; }
};

/// A title over the numbers in the label column.
struct ColumnTitle {
    QString text;
    int right = 12; ///< Pixels from the label column's right edge to the title's.
    int sort = 0; ///< What a click asks for.
    bool isShown = true;
};

/// The 24 pixels on top of a panel: chevron, title, column titles, legend, filter and more.
class PanelHeader : public QWidget {
    Q_OBJECT

public:
    PanelHeader(TimeAxis& axis, const QString& title, QWidget* parent = nullptr);

    static constexpr int Height = 24;

    QString title() const { return m_title; }
    void setTitle(const QString& title);
    /// A mark (16 wide) instead of the chevron: the header does not fold the panel then.
    void setBadge(const QPixmap& badge);
    /// A widget that stands first right of the labels while it is visible. It becomes a child.
    void setNotice(QWidget* notice);
    void setLegendShown(bool isShown);
    void setSubtitle(const QString& subtitle);
    const QString& subtitle() const { return m_subtitle; }
    /// What holds for the numbers below: "without stolen time". Behind the subtitle where there is room, else right of the labels.
    void setRemark(const QString& remark);
    QString shownSubtitle() const; ///< As it is read.
    QRect remarkRect() const; ///< Right of the labels. Empty: it is not there.
    /// Makes a switch of the subtitle. `tip` says what a click does.
    void setSubtitleSwitch(const QString& tip, bool isOn);
    /// A button that shows the rows as a list instead of as a tree.
    void setListButton(bool isListed);
    void setColumns(std::vector<ColumnTitle> columns);
    void setColumnShown(int sort, bool isShown);
    void setSorted(int sort, bool isDescending);
    void setLegend(std::vector<LegendChip> legend);
    const std::vector<LegendChip>& legend() const { return m_legend; }
    /// Those of them, and of further ones, that there is room for: the last ones give way.
    QStringList legendInView() const;
    /// States of panels that stand under this header too; those it has are left out.
    void setFurtherLegend(std::vector<LegendChip> legend);
    void setFocusChip(const QString& text); ///< The others are dimmed; empty: none.
    void setCollapsed(bool isCollapsed);
    bool isCollapsed() const { return m_isCollapsed; }
    QLineEdit* filter() const { return m_filter; }
    void openFilter();
    void setFilter(const QString& text); ///< Shown while there is one.
    void setResizable(bool isResizable) { m_isResizable = isResizable; }

signals:
    void toggled();
    void columnClicked(int sort);
    void chipClicked(const QString& text);
    void legendChanged();
    void moreClicked(const QPoint& at);
    void filterDone(); ///< Enter or Down in the filter: on to the rows.
    void subtitleClicked();
    void listClicked(bool isListed);
    void resized(int dy); ///< The upper edge is dragged: since the drag began.
    void resizeBegan();

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
    int titleLeft() const { return m_badge.isNull() ? 28 : 36; }
    int legendLeft() const;
    std::vector<LegendChip> shownLegend() const;
    int toolsLeft() const;
    int columnsLeft() const;
    bool isRoomFor(const QString& subtitle) const;
    static int subtitleWidth(const QString& subtitle);
    int titleWidth() const;
    QRect subtitleRect() const; ///< Between the title and the columns.
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
    std::optional<int> m_dragFrom; ///< Global y.
    QLineEdit* m_filter;
    QToolButton* m_subtitleButton;
    QToolButton* m_listButton;
    QToolButton* m_filterButton;
    QToolButton* m_moreButton;
    TimeMarks m_marks;
};

} // namespace helio
