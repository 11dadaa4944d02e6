#pragma once

#include "core/timesync/host_clocks.h"
#include "core/timesync/host_headings.h"
#include "widgets/controls/column_model.h"

#include <QTreeView>

#include <memory>
#include <vector>

namespace helio {

/// A table of the hosts and their clocks, one host per line. Its lines are indices in clocks().
/// Threads: UI thread.
class HostModel : public ColumnModel<std::size_t> {
    Q_OBJECT

public:
    enum Column { Host, Offset, Drift, Error, Method, Messages, Columns };

    HostModel();

    /// Updates the lines in place if the hosts are the same.
    void setClocks(std::shared_ptr<const Timeline> timeline, std::vector<HostClockFacts> clocks);
    const std::vector<HostClockFacts>& clocks() const { return m_clocks; }
    const HostHeading& heading(int row) const { return m_headings[m_clocks[std::size_t(row)].host]; } ///< The host as panels show it.

private:
    QString textOf(const HostClockFacts& clock, int column) const;
    QString tipOf(const HostClockFacts& clock, int column) const;

    std::shared_ptr<const Timeline> m_timeline;
    std::vector<HostClockFacts> m_clocks;
    std::vector<HostHeading> m_headings; ///< Indexed by host.
};

/// Shows a HostModel; one host is always chosen.
class HostTable : public QTreeView {
    Q_OBJECT

public:
    explicit HostTable(QWidget* parent = nullptr);

    void setClocks(std::shared_ptr<const Timeline> timeline, std::vector<HostClockFacts> clocks);
    const std::vector<HostClockFacts>& clocks() const { return m_model.clocks(); }

    int host() const { return currentIndex().row(); } ///< Row of the chosen host; -1 if there are no hosts.
    void choose(int host);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {LeastWidth, sizeHint().height()}; }

signals:
    void hostChosen();

private:
    void resizeEvent(QResizeEvent* event) override;

    static constexpr int LeastWidth = 200; ///< Below this width in pixels the table scrolls.

    HostModel m_model;
};

} // namespace helio
