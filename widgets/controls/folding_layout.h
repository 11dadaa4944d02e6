#pragma once

#include <QHBoxLayout>
#include <QLabel>

#include <vector>

class QLineEdit;
class QMenu;
class QToolButton;

namespace helio {

class Pill;

/// A label that elides the end of its text if there is no room; its tooltip then has the whole text.
class ElidingLabel : public QLabel {
    Q_OBJECT

public:
    /// `least`: minimum width in pixels, unless the text is shorter.
    explicit ElidingLabel(int least, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString shownText() const;

    int m_least;
};

/// A row of labels, pills, fields and buttons that stays usable in a narrow dock: labels are elided and fields shrink; if this is not
/// enough, pills move into the menu of the row's last button, the last pill first.
/// Ownership: its widgets belong to its parent.
/// Threads: UI thread.
class FoldingLayout : public QHBoxLayout {
    Q_OBJECT

public:
    FoldingLayout();

    /// Allows `pill`, which must be in the line, to move into the menu.
    void setFolding(Pill* pill);
    /// Sets the button that has the menu; it must be in the line. `isAlways`: the button is shown even while its menu has no pills.
    void setMore(QToolButton* more, bool isAlways);
    /// Adds a field with a minimum and maximum width in pixels; replaces addWidget().
    void addField(QLineEdit* field, int least, int most);
    /// Replaces QWidget::setVisible(): only the line may call that for its pills.
    void setShown(QWidget* part, bool isShown);
    bool isShown(const QWidget* part) const; ///< True if the widget is in the line or in the menu.
    bool isFolded(const Pill* pill) const; ///< True if the pill is in the menu.
    /// Adds what the folded pills offer to a menu: their menus as submenus, switches as checkable actions.
    void fillFolded(QMenu& menu) const;
    /// Must be called after the text of a pill changed.
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
    int leastWidth() const; ///< Width in pixels of everything that does not fold.
    int moreWidth() const;
    void fold(int width);

    std::vector<Folding> m_pills;
    QToolButton* m_more = nullptr;
    bool m_isMoreAlways = false;
    bool m_isFolding = false;
};

/// Like makeLabel(), with a minimum width in pixels.
ElidingLabel* makeElidingLabel(int least, qreal size, int weight, const char* role);

} // namespace helio
