#pragma once

#include <QHash>
#include <QWidget>

class QToolButton;

namespace helio {

/// A column of icons at the right edge of a narrow window, which replaces the docks at the right: one icon for each view of these docks.
class SideRail : public QWidget {
    Q_OBJECT

public:
    static constexpr int Width = 40; ///< Width of the rail in pixels.

    explicit SideRail(QWidget* parent = nullptr);

    void addView(const QString& id, const QString& title, const QString& icon);
    /// Marks the button of the open view; `id` is empty if no view is open.
    void setOpen(const QString& id);

signals:
    void clicked(const QString& id);

private:
    void paintEvent(QPaintEvent* event) override;
    void updateIcons();

    QHash<QString, QToolButton*> m_buttons;
};

} // namespace helio
