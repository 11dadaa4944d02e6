#pragma once

#include "core/fleet/fleet_filter.h"
#include "core/fleet/fleet_overview.h"
#include "core/fleet/fleet_table.h"
#include "widgets/async/latest_task.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace helio {

/// The catalogue that a window shows, and the traces in it that fulfil the window's conditions. Both are found on other threads.
/// Threads: UI thread.
class FleetData : public QObject {
    Q_OBJECT

public:
    explicit FleetData(QObject* parent = nullptr);

    /// Reads a catalogue; reading it again keeps the conditions.
    void open(const QString& catalogue);
    /// Lists only the traces that fulfil the conditions.
    void setConditions(const fleet::FleetConditions& conditions);

    const QString& path() const { return m_path; }
    /// The catalogue and its figures; nullptr before the first catalogue was read.
    const std::shared_ptr<const fleet::FleetTable>& table() const { return m_table; }
    const std::shared_ptr<const fleet::FleetOverview>& overview() const { return m_overview; }
    const fleet::FleetConditions& conditions() const { return m_conditions; }
    const std::vector<std::uint32_t>& traces() const { return m_traces; } ///< Listed traces, as indexes into the table.
    bool isReading() const { return m_reader.isBusy(); }
    bool isFiltering() const { return m_filter.isBusy(); }

signals:
    void readingBegun();
    void read(); ///< Emitted when a catalogue was read. listed() follows.
    void failed(const QString& reason); ///< Emitted when the catalogue cannot be read. An older one is kept.
    void listed(); ///< Emitted when the traces that fulfil the conditions were found.
    void conditionsChanged();
    void expressionRejected(const QString& reason); ///< Emitted when the expression of the conditions is wrong; the list is kept.

private:
    void filter();

    QString m_path;
    std::shared_ptr<const fleet::FleetTable> m_table;
    std::shared_ptr<const fleet::FleetOverview> m_overview;
    fleet::FleetConditions m_conditions;
    std::vector<std::uint32_t> m_traces;
    LatestTask m_reader;
    LatestTask m_filter;
};

} // namespace helio
