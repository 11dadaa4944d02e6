#pragma once

#include <QHBoxLayout>
#include <QLabel>

#include <vector>

class QLineEdit;
class QMenu;
class QToolButton;

namespace helio {

class Pill;

/// Label whose text is elided at the end if there is no room; the tooltip then has the complete text.
class ElidingLabel : public QLabel {
    Q_OBJECT

public:
    /// `least`: minimum width in pixels; smaller if the text is shorter.
    explicit ElidingLabel(int least, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString shownText() const;

    int m_least;
};

/// Layout of a row of labels, pills, fields and buttons that stays usable in a narrow dock. If there is too little room, labels are elided
/// and fields shrink; if that is not enough, pills move into the menu of the row's last button, the last pill first.
/// Ownership: its widgets belong to their parent.
/// Threads: UI thread.
class FoldingLayout : public QHBoxLayout {
    Q_OBJECT

public:
    FoldingLayout();

    /// Allows a pill to move into the menu. Requires: the pill is in the row.
    void setFolding(Pill* pill);
    /// Sets the button with the menu. Requires: the button is in the row. `isAlways`: the button is visible even if its menu has no pills.
    void setMore(QToolButton* more, bool isAlways);
    /// Adds a field with a minimum and a maximum width in pixels. To be used instead of addWidget().
    void addField(QLineEdit* field, int least, int most);
    /// Shows or hides a widget of the row. To be used instead of QWidget::setVisible(), which only the layout may call for its pills.
    void setShown(QWidget* part, bool isShown);
    bool isShown(const QWidget* part) const; ///< True if the widget is visible in the row or is in the menu.
    bool isFolded(const Pill* pill) const; ///< True if the pill has moved into the menu of the button that setMore() sets.
    /// Adds the pills that moved into the menu: menus of pills as submenus, switches as checkable actions.
    void fillFolded(QMenu& menu) const;
    /// Updates the layout. Must be called after the text of a pill changed.
    void refresh();

    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    struct Folding {
        Pill* pill;
        bool isWanted = true;
        bool isFolded = false;
    };
    const Folding* foldingOf(const QWidget* part) const;
    int leastWidth() const; ///< Minimum width in pixels of all widgets that cannot move into the menu.
    int moreWidth() const;
    void fold(int width);

    std::vector<Folding> m_pills;
    QToolButton* m_more = nullptr;
    bool m_isMoreAlways = false;
    bool m_isFolding = false;
};

/// Makes a label with the style of makeLabel() that elides its text if there is little room. `least`: minimum width in pixels.
ElidingLabel* makeElidingLabel(int least, qreal size, int weight, const char* role);

} // namespace helio
