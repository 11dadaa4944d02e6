#pragma once

#include "core/timesync/host_clocks.h"
#include "core/timesync/host_headings.h"
#include "widgets/controls/column_model.h"

#include <QTreeView>

#include <memory>
#include <vector>

namespace helio {

/// Table of hosts and their clocks, one host per row. The item of a row is an index into clocks().
/// Threads: UI thread.
class HostModel : public ColumnModel<std::size_t> {
    Q_OBJECT

public:
    enum Column { Host, Offset, Drift, Error, Method, Messages, Columns };

    HostModel();

    /// Sets the clocks. If the hosts are unchanged, the table's lines are updated in place, which keeps the selection.
    void setClocks(std::shared_ptr<const Timeline> timeline, std::vector<HostClockFacts> clocks);
    const std::vector<HostClockFacts>& clocks() const { return m_clocks; }
    /// Name, colour and badge of the host in a row, as panels show them.
    const HostHeading& heading(int row) const { return m_headings[m_clocks[std::size_t(row)].host]; }

private:
    QString textOf(const HostClockFacts& clock, int column) const;
    QString tipOf(const HostClockFacts& clock, int column) const;

    std::shared_ptr<const Timeline> m_timeline;
    std::vector<HostClockFacts> m_clocks;
    std::vector<HostHeading> m_headings; ///< Headings of hosts, indexed by host.
};

/// View of a HostModel; one host is always selected.
class HostTable : public QTreeView {
    Q_OBJECT

public:
    explicit HostTable(QWidget* parent = nullptr);

    void setClocks(std::shared_ptr<const Timeline> timeline, std::vector<HostClockFacts> clocks);
    const std::vector<HostClockFacts>& clocks() const { return m_model.clocks(); }

    int host() const { return currentIndex().row(); } ///< Row of the selected host; -1 if there are no hosts.
    void choose(int host);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {LeastWidth, sizeHint().height()}; }

signals:
    void hostChosen();

private:
    void resizeEvent(QResizeEvent* event) override;

    static constexpr int LeastWidth = 200; ///< Minimum width in pixels of the columns; a narrower table scrolls horizontally.

    HostModel m_model;
};

} // namespace helio
