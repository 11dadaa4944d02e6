#pragma once

#include "core/compare/alignment.h"
#include "widgets/time/time_window.h"

#include <QObject>

namespace helio {

/// Link between the time windows of two sides: visible range, cursor, selection and pointer of one side are also set on the other side,
/// shifted by the alignment. The full range of both windows is that of the longer side. If linking is off, only the full range is common.
/// Threads: UI thread.
class AxisLink : public QObject {
    Q_OBJECT

public:
    /// Ownership: both windows outlive the link.
    AxisLink(TimeWindow& a, TimeWindow& b, QObject* parent = nullptr);
    ~AxisLink() override;

    const Alignment& alignment() const { return m_alignment; }
    /// Sets the alignment. If linked, also sets visible range, cursor and selection of B from A.
    void setAlignment(const Alignment& alignment);

    bool isLinked() const { return m_isLinked; }
    void setLinked(bool isLinked); ///< Switches linking on or off. Switching on sets visible range, cursor and selection of B from A.

signals:
    void alignmentChanged();
    void linkedChanged();

private:
    void follow(TimeWindow& from, TimeWindow& to, Timestamp (AxisLink::*take)(Timestamp) const);
    void widenFullRanges();
    void takeToB();
    Timestamp toA(Timestamp t) const { return m_alignment.toA(t); }
    Timestamp toB(Timestamp t) const { return m_alignment.toB(t); }

    TimeWindow& m_a;
    TimeWindow& m_b;
    Alignment m_alignment;
    bool m_isLinked = true;
    bool m_isSynchronizing = false; ///< True while this object changes a side; signals of A and B are then ignored.
};

} // namespace helio
