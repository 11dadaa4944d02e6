#pragma once

#include "core/compare/alignment.h"
#include "widgets/time/time_window.h"

#include <QObject>

namespace helio {

/// Two sides' windows on time as one: what is visible, the cursor, the range and the pointer of either are those of the other, moved by
/// the alignment; both have room for the longer side. Unlinked, only the room stays common. UI thread.
class AxisLink : public QObject {
    Q_OBJECT

public:
    /// Both windows outlive it.
    AxisLink(TimeWindow& a, TimeWindow& b, QObject* parent = nullptr);
    ~AxisLink() override;

    const Alignment& alignment() const { return m_alignment; }
    void setAlignment(const Alignment& alignment);

    bool isLinked() const { return m_isLinked; }
    void setLinked(bool isLinked); ///< Linked again, B shows what A shows.

signals:
    void alignmentChanged();
    void linkedChanged();

private:
    void follow(TimeWindow& from, TimeWindow& to, Timestamp (AxisLink::*take)(Timestamp) const);
    void makeRoom();
    void takeToB();
    Timestamp toA(Timestamp t) const { return m_alignment.toA(t); }
    Timestamp toB(Timestamp t) const { return m_alignment.toB(t); }

    TimeWindow& m_a;
    TimeWindow& m_b;
    Alignment m_alignment;
    bool m_isLinked = true;
    bool m_isTaking = false; ///< One side is being set to what the other shows.
};

} // namespace helio
