#pragma once

#include "core/compare/alignment.h"
#include "widgets/time/time_window.h"

#include <QObject>

namespace helio {

/// Links the time windows of two sides: visible range, cursor, selection and pointer of one side are also set on the other, shifted by the
/// alignment. The full range of both covers the longer side. Without the link, only the full range stays common.
/// Threads: UI thread.
class AxisLink : public QObject {
    Q_OBJECT

public:
    /// Ownership: both windows outlive the link.
    AxisLink(TimeWindow& a, TimeWindow& b, QObject* parent = nullptr);
    ~AxisLink() override;

    const Alignment& alignment() const { return m_alignment; }
    /// Sets the alignment. If linked, also sets B to A's visible range, cursor and selection.
    void setAlignment(const Alignment& alignment);

    bool isLinked() const { return m_isLinked; }
    void setLinked(bool isLinked); ///< Linking again sets B to A's visible range, cursor and selection.

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
    bool m_isTaking = false; ///< True while one side is being set to the state of the other side.
};

} // namespace helio
