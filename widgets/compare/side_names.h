#pragma once

#include "widgets/compare/side_style.h"

#include <QPixmap>
#include <QWidget>

#include <array>

namespace helio {

/// Returns a picture of a side's badge.
QPixmap badgePixmap(Side side, qreal ratio);

/// Header of a comparison window, with badge and name of each side.
/// Threads: UI thread.
class SideNameBar : public QWidget {
    Q_OBJECT

public:
    explicit SideNameBar(QWidget* parent = nullptr);

    void setNames(const QString& a, const QString& b);

    QSize sizeHint() const override;

private:
    void paintEvent(QPaintEvent* event) override;

    std::array<QString, 2> m_names;
};

} // namespace helio
