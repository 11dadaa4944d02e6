#pragma once

#include <QHBoxLayout>
#include <QLabel>

#include <vector>

class QLineEdit;
class QMenu;
class QToolButton;

namespace helio {

class Pill;

/// A label that is elided at its end where there is no room; its tooltip then has the whole text.
class ElidingLabel : public QLabel {
    Q_OBJECT

public:
    /// `least`: width in pixels that the label keeps, unless its text is shorter.
    explicit ElidingLabel(int least, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString shownText() const;

    int m_least;
};

/// A line of labels, pills, fields and tools that loses none of its controls in a narrow dock: labels are elided and fields shrink, and
/// where this is not enough, pills move into the menu of the line's last button, the last pill first. Its widgets are its parent's. UI
/// thread.
class FoldingLine : public QHBoxLayout {
    Q_OBJECT

public:
    FoldingLine();

    /// From now on `pill`, which is in the line, may move into the menu.
    void setFolding(Pill* pill);
    /// The button that has the menu, which is in the line. `isAlways`: also while no pill is in its menu.
    void setMore(QToolButton* more, bool isAlways);
    /// In place of addWidget(): a field between two widths in pixels.
    void addField(QLineEdit* field, int least, int most);
    /// In place of QWidget::setVisible(), which for a pill only the line calls.
    void setShown(QWidget* part, bool isShown);
    bool isShown(const QWidget* part) const; ///< In the line or in the menu.
    bool isFolded(const Pill* pill) const; ///< In the menu.
    /// Adds what the folded pills offer: menus as submenus, switches as checkable lines.
    void fillFolded(QMenu& menu) const;
    /// Some pill's text is another.
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
    int leastWidth() const; ///< Of what does not fold.
    int moreWidth() const;
    void fold(int width);

    std::vector<Folding> m_pills;
    QToolButton* m_more = nullptr;
    bool m_isMoreAlways = false;
    bool m_isFolding = false;
};

/// As makeLabel().
ElidingLabel* makeElidingLabel(int least, qreal size, int weight, const char* role);

} // namespace helio
