#pragma once

#include "widgets/controls/line_delegate.h"
#include "widgets/fleet/fleet_model.h"

#include <array>
#include <optional>

namespace helio {

/// Paints the cells of the table of a fleet: marks A and B, swatches, bars, distributions, and a hatch where something is unknown.
class FleetDelegate : public LineDelegate {
public:
    static constexpr int RowHeight = 29; ///< In pixels.

    FleetDelegate(const FleetModel& model, QObject* parent);

    /// Sets the traces with the marks A and B.
    void setMarked(const std::array<std::optional<std::uint32_t>, 2>& marked) { m_marked = marked; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    QRect paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& room) const override;

private:
    QRect paintHost(QPainter& painter, const QStyleOptionViewItem& option, const FleetRow& row, const QRect& room) const;
    QRect paintFinding(QPainter& painter, const FleetRow& row, const QRect& room) const;
    QRect paintExplained(QPainter& painter, const FleetRow& row, const QRect& room) const;
    QRect paintLatency(QPainter& painter, const FleetRow& row, int column, const QRect& room) const;

    const FleetModel& m_model;
    std::array<std::optional<std::uint32_t>, 2> m_marked;
};

} // namespace helio
