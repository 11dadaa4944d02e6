#pragma once

#include "core/fleet/fleet_overview.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace helio {

/// Grid of all hosts of a fleet, a cell each, column by column in the order of their names; the slower a host, the darker its cell. A
/// click chooses a host; so do the arrow keys and Enter.
/// Threads: UI thread.
class HostGrid : public QWidget {
    Q_OBJECT

public:
    explicit HostGrid(QWidget* parent = nullptr);

    void setHosts(std::vector<fleet::HostLatency> hosts);
    void setSelected(const QString& host); ///< Outlines the cell of a host; empty for none.

    /// Returns the cell of a host; empty if the grid has no such host, or no room for it.
    QRectF cellOf(const QString& host) const;

    QSize sizeHint() const override { return {416, 98}; }

signals:
    void chosen(const QString& host);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Cells; ///< Positions of the cells.
    Cells cells() const;
    std::optional<std::size_t> hostAt(const QPoint& at) const;
    std::optional<std::size_t> selectedIndex() const;
    QString tipOf(const fleet::HostLatency& host) const;

    std::vector<fleet::HostLatency> m_hosts;
    QString m_selected;
};

} // namespace helio
