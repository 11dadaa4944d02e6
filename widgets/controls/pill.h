#pragma once

#include <QAbstractButton>

#include <functional>

class QMenu;

namespace helio {

/// A round button with a word: a switch, a choice (a menu below it), or a chip that can be taken away.
class Pill : public QAbstractButton {
    Q_OBJECT

public:
    explicit Pill(const QString& text, QWidget* parent = nullptr);

    /// Opens below; the pill then shows a chevron.
    void setMenu(QMenu* menu);
    /// One that is filled each time it opens.
    void setMenu(std::function<void(QMenu* menu)> fill);
    QMenu* menu() const { return m_menu; } ///< Null: none.
    /// A cross at its end, and a click anywhere means to take it away.
    void setRemovable(bool isRemovable);
    /// Its text is elided where there is no room; the tooltip then has it.
    void setShrinking();
    /// A colour before the text; invalid: none.
    void setSwatch(const QColor& color);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void nextCheckState() override;

private:
    bool hasEnd() const { return m_menu || m_isRemovable; }

    QMenu* m_menu = nullptr;
    bool m_isRemovable = false;
    bool m_isShrinking = false;
    QColor m_swatch;
};

} // namespace helio
