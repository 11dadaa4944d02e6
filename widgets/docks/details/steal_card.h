#pragma once

#include "core/virtualization/steal_breakdown.h"
#include "widgets/docks/details/line_card.h"

namespace helio {

/// Card "Steal time by culprit": the occupants of the CPU while a thread or vCPU was runnable but did not run. For a CPU or a vCPU's
/// thread, the title is "Guest activity", and the card shows what ran in the virtual machine. Each line has an occupant's name, duration,
/// count, CPU, kind and priority; a click goes to the time when the occupant first got the CPU. Hidden if there are no occupants.
/// Threads: UI thread.
class StealCard : public LineCard {
    Q_OBJECT

public:
    explicit StealCard(QWidget* parent = nullptr);

    /// Sets the occupants. `whole`: duration of the state; `taken` covers all of it or a part.
    void setTaken(StealBreakdown taken, Duration whole);

    std::size_t lineCount() const override;
    QRect lineRect(std::size_t index) const override;
    bool isFollowable(std::size_t index) const override { return m_taken.by[index].row.isValid(); }
    QString words(std::size_t index) const override;
    QPoint placeOf(std::size_t index) const { return lineRect(index).center(); }

signals:
    void chosen(helio::TrackRef row, helio::Timestamp at);

private:
    void follow(std::size_t index) override;
    void paintEvent(QPaintEvent* event) override;
    QSize sizeHint() const override;
    QString title() const;
    QString facts(const StealCulprit& it) const;
    QColor colorOf(std::size_t index) const;
    void paintLine(QPainter& painter, std::size_t index) const;

    StealBreakdown m_taken;
    Duration m_whole{};
};

} // namespace helio
