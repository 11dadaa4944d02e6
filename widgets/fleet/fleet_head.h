#pragma once

#include "core/fleet/fleet_filter.h"
#include "core/fleet/fleet_overview.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

class QLabel;

namespace helio {

class FinderButton;
class FleetLatencyChart;
class HostGrid;

/// Figures over all traces of a fleet: findings by kind, the merged latencies, the worst latency of each host. A click on any of them is a
/// condition for the table.
/// Threads: UI thread.
class FleetHead : public QWidget {
    Q_OBJECT

public:
    static constexpr int Height = 150; ///< In pixels.

    using FinderTitle = std::function<QString(const std::string& finder)>;
    /// `titleOf`: returns the title of a finder from its id.
    explicit FleetHead(FinderTitle titleOf, QWidget* parent = nullptr);

    void setFleet(const fleet::FleetTable& table, std::shared_ptr<const fleet::FleetOverview> overview);
    /// Marks what the conditions name.
    void setConditions(const fleet::FleetConditions& conditions);
    void setSelectedHost(const QString& host); ///< Outlines a host; empty for none.

signals:
    void finderChosen(const QString& finder); ///< Emitted with the id of a finder.
    void latencyChosen(Duration least);
    void hostChosen(const QString& host);

private:
    void paintEvent(QPaintEvent* event) override;
    QWidget* makeFinders();
    QWidget* makeLatencies();
    QWidget* makeHosts();
    void showFinders(const fleet::FleetTable& table);
    void showLatencies(const fleet::FleetTable& table);

    FinderTitle m_titleOf;
    std::shared_ptr<const fleet::FleetOverview> m_overview;
    QLabel* m_findersNote;
    QLabel* m_noFinding;
    std::vector<FinderButton*> m_finders; ///< Buttons of the first finders of the overview.
    QLabel* m_latencyTitle;
    QLabel* m_latencyNote;
    FleetLatencyChart* m_latencies;
    QLabel* m_hostsNote;
    HostGrid* m_hosts;
};

} // namespace helio
