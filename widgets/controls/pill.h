#pragma once

#include <QAbstractButton>

#include <functional>

class QMenu;

namespace helio {

/// Round button with a text: a switch, a choice that opens a menu, or a chip that the user can remove.
class Pill : public QAbstractButton {
    Q_OBJECT

public:
    explicit Pill(const QString& text, QWidget* parent = nullptr);

    /// Sets a menu that opens below the pill; the pill then has a chevron.
    void setMenu(QMenu* menu);
    /// Sets a menu whose items are added by `fill` each time it opens.
    void setMenu(std::function<void(QMenu* menu)> fill);
    QMenu* menu() const { return m_menu; } ///< Menu of the pill; nullptr if it has none.
    /// Sets whether the pill has a cross at its end; a click anywhere on the pill then asks to remove it.
    void setRemovable(bool isRemovable);
    /// Allows the text to be elided if there is no room; the tooltip then has the complete text.
    void setShrinking();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void nextCheckState() override;

private:
    bool hasEndIcon() const { return m_menu || m_isRemovable; }

    QMenu* m_menu = nullptr;
    bool m_isRemovable = false;
    bool m_isShrinking = false;
};

} // namespace helio
