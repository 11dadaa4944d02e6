#pragma once

#include <QAbstractButton>

namespace helio {

/// A switch with words behind it: something that is on or off, at once. Its text is also its accessible name.
class ToggleSwitch : public QAbstractButton {
    Q_OBJECT

public:
    explicit ToggleSwitch(const QString& text = {}, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace helio
