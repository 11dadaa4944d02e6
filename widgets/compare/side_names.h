#pragma once

#include "widgets/compare/side_look.h"

#include <QPixmap>
#include <QWidget>

#include <array>

namespace helio {

/// A side's badge alone.
QPixmap badgePixmap(Side side, qreal ratio);

/// What is compared, in the window's header: each side's badge and name. UI thread.
class SideNames : public QWidget {
    Q_OBJECT

public:
    explicit SideNames(QWidget* parent = nullptr);

    void setNames(const QString& a, const QString& b);

    QSize sizeHint() const override;

private:
    void paintEvent(QPaintEvent* event) override;

    std::array<QString, 2> m_names;
};

} // namespace helio
