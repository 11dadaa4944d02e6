#pragma once

#include <QAbstractButton>

namespace helio {

/// Chip in a panel's header: a button that is on or off. A click only emits clicked(); the owner sets the state with setChecked().
/// Threads: UI thread.
class SwitchChip : public QAbstractButton {
public:
    static constexpr int Height = 17;

    SwitchChip(const QString& text, QWidget* parent);

    QSize sizeHint() const override;

private:
    void nextCheckState() override { }
    void paintEvent(QPaintEvent* event) override;
};

} // namespace helio
