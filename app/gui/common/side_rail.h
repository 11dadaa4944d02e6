#pragma once

#include <QHash>
#include <QWidget>

class QToolButton;

namespace helio {

/// A column of icons at the window's right edge: one for each view of the side docks while the window is too narrow for them.
class SideRail : public QWidget {
    Q_OBJECT

public:
    static constexpr int Width = 40; ///< In pixels.

    explicit SideRail(QWidget* parent = nullptr);

    void addView(const QString& id, const QString& title, const QString& icon);
    /// Marks the button of the open view; empty: none.
    void setOpen(const QString& id);

signals:
    void clicked(const QString& id);

private:
    void paintEvent(QPaintEvent* event) override;
    void updateIcons();

    QHash<QString, QToolButton*> m_buttons;
};

} // namespace helio
