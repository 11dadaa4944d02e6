#pragma once

#include "core/fleet/fleet_details.h"
#include "core/fleet/fleet_overview.h"
#include "core/fleet/fleet_table.h"
#include "widgets/async/latest_task.h"
#include "widgets/controls/field_grid.h"

#include <memory>
#include <optional>

namespace helio {

/// Details of the selected trace of a fleet: its findings, its latencies against those of a typical trace, and the commands with which to
/// go on.
/// Threads: UI thread; the catalogue is read on another one.
class FleetDetailsPage : public ScrollPage {
    Q_OBJECT

public:
    explicit FleetDetailsPage(QWidget* parent = nullptr);

    /// Shows a trace. `catalogue`: path of the catalogue that `table` was read from.
    void setTrace(const QString& catalogue, std::shared_ptr<const fleet::FleetTable> table,
                  std::shared_ptr<const fleet::FleetOverview> overview, std::uint32_t trace);
    void clear(const QString& hint); ///< Shows a hint instead of a trace.

    /// Trace on this machine with which the shown one can be compared; nullopt if there is none, or if it is not known yet.
    std::optional<std::uint32_t> typicalTrace() const { return m_shown.typical; }

signals:
    void openRequested();
    void typicalComparisonRequested();
    void said(const QString& text); ///< Emitted with a text for the status bar.
    void shown(); ///< Emitted when everything about the trace is shown.

private:
    void resizeEvent(QResizeEvent* event) override;

    /// Contents of the page that are not in FleetTrace.
    struct Shown {
        fleet::FleetDetails details;
        fleet::DurationDigest median; ///< Latencies of the trace in the middle of all traces, ordered by their longest latency.
        std::optional<std::uint32_t> medianTrace;
        std::optional<std::uint32_t> typical;
        QString problem; ///< Reason why the catalogue could not be read; empty if it could.
        QString openProblem; ///< Reason why the trace cannot be opened; empty if it can.
    };

    void read();
    void fill();
    void addHead(QVBoxLayout& lines);
    void addFindings(QVBoxLayout& lines);
    void addLatencies(QVBoxLayout& lines);
    void addQuality(QVBoxLayout& lines);
    void addCommands(QVBoxLayout& lines);
    QVBoxLayout& emptied();
    QString openCommand() const;
    const fleet::FleetTrace& trace() const { return m_table->traces[m_trace]; }

    QString m_catalogue;
    std::shared_ptr<const fleet::FleetTable> m_table;
    std::shared_ptr<const fleet::FleetOverview> m_overview;
    std::uint32_t m_trace = 0;
    Shown m_shown;
    bool m_isNarrow = false; ///< True if the page is too narrow for all buttons beside each other.
    LatestTask m_reader;
};

} // namespace helio
