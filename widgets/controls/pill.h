#pragma once

#include <QAbstractButton>

#include <functional>

class QMenu;

namespace helio {

/// A round button with a word: a switch, a choice (opens a menu), or a chip that the user can remove.
class Pill : public QAbstractButton {
    Q_OBJECT

public:
    explicit Pill(const QString& text, QWidget* parent = nullptr);

    /// Sets a menu that opens below the pill, which then shows a chevron.
    void setMenu(QMenu* menu);
    /// Sets a menu that is filled each time it opens.
    void setMenu(std::function<void(QMenu* menu)> fill);
    QMenu* menu() const { return m_menu; } ///< nullptr if the pill has no menu.
    /// If true, the pill has a cross at its end, and a click anywhere on it means to remove it.
    void setRemovable(bool isRemovable);
    /// Lets the text be elided if there is no room; the tooltip then has the whole text.
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
