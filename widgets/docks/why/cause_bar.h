#pragma once

#include "core/waits/path/path.h"

#include <QWidget>

#include <vector>

namespace helio {

/// Bar with the time of a path, divided by cause.
/// Threads: UI thread.
class CauseBar : public QWidget {
    Q_OBJECT

public:
    struct Part {
        PathKind kind = PathKind::Unknown;
        Duration total{};
    };

    explicit CauseBar(QWidget* parent = nullptr);

    void setParts(std::vector<Part> parts);
    QSize sizeHint() const override { return {120, 14}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Part> m_parts;
};

} // namespace helio
