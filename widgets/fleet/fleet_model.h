#pragma once

#include "core/fleet/fleet_overview.h"
#include "core/fleet/fleet_table.h"
#include "widgets/controls/column_model.h"
#include "widgets/controls/table_copy.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace helio {

/// A row of the table of a fleet.
struct FleetRow {
    std::uint32_t index = 0; ///< Index of the trace in FleetTable::traces.
    const fleet::FleetTrace* trace = nullptr;
};

/// Table of the traces of a fleet. The most time explained comes first.
/// Threads: UI thread.
class FleetModel : public ColumnModel<FleetRow>, public CsvModel {
    Q_OBJECT

public:
    enum Column { Host, Recorded, Length, Kernel, Finding, Explained, Latency, OtherLatency, CpuBusy, Lost, ColumnCount };

    explicit FleetModel(QObject* parent = nullptr);

    /// Sets the table, and shows no trace until setTraces(). The model keeps the table.
    void setTable(std::shared_ptr<const fleet::FleetTable> table, std::shared_ptr<const fleet::FleetOverview> overview);
    /// Sets the traces that are shown, as indexes into the table.
    void setTraces(std::span<const std::uint32_t> traces);

    bool isOfOneDay() const { return m_isOfOneDay; } ///< True if all traces were recorded within a day, so that their date is not shown.
    const fleet::FleetOverview* overview() const { return m_overview.get(); }
    /// Returns the kind of latency of the columns Latency and OtherLatency.
    fleet::LatencyKind kindOf(int column) const;
    /// True if the longest latency of a trace belongs to the tail of the fleet.
    bool isTail(const fleet::FleetTrace& trace, fleet::LatencyKind kind) const;

    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    QString csv() const override;

    static constexpr int MarkRoom = 40; ///< Width in pixels at the left of the first column, for the marks A and B.

    /// Returns the row of a trace; -1 if it is not shown.
    int rowOf(std::uint32_t trace) const;

private:
    Columns makeColumns() const;
    QString recordedText(const fleet::FleetTrace& trace) const;

    std::shared_ptr<const fleet::FleetTable> m_table;
    std::shared_ptr<const fleet::FleetOverview> m_overview;
    bool m_isOfOneDay = false;
};

/// Returns a share in percent, for example "76 %"; "≥ 76 %" for a lower bound.
QString percentText(double share, bool isLowerBound);

/// Returns a duration with three digits, for example "39.7 ms"; "≥ 39.7 ms" for a lower bound, rounded down.
QString shortText(Duration duration, bool isLowerBound);

/// Returns the longest latency of a trace, for example "39.7 ms"; "≥ 39.7 ms" if events were lost. Says why it is not known.
QString worstText(const fleet::FleetTrace& trace, fleet::LatencyKind kind);

/// True if a latency is unknown because of losses or damage, so that its cell is hatched.
bool isLatencyLost(const fleet::FleetTrace& trace, fleet::LatencyKind kind);

} // namespace helio
