#pragma once

#include "core/virtualization/taken_by.h"
#include "widgets/docks/details/line_card.h"

namespace helio {

/// The card "Taken by", or of what a CPU or a vCPU's thread ran "Ran inside": who had the CPU while the state could have run and did not.
/// For each occupant: its name, duration, count, CPU, kind and priority; a line leads to the time when the occupant got the CPU
/// first. Hidden where nobody took anything. UI thread.
class TakenCard : public LineCard {
    Q_OBJECT

public:
    explicit TakenCard(QWidget* parent = nullptr);

    /// `whole`: of the state, of which that is a part.
    void setTaken(TakenTime taken, Duration whole);

    std::size_t lineCount() const override;
    QRect lineRect(std::size_t index) const override;
    bool leadsSomewhere(std::size_t index) const override { return m_taken.by[index].row.isValid(); }
    QString words(std::size_t index) const override;
    QPoint placeOf(std::size_t index) const { return lineRect(index).center(); }

signals:
    void chosen(helio::TrackRef row, helio::Timestamp at);

private:
    void follow(std::size_t index) override;
    void paintEvent(QPaintEvent* event) override;
    QSize sizeHint() const override;
    QString title() const;
    QString facts(const TakenBy& it) const;
    QColor colorOf(std::size_t index) const;
    void paintLine(QPainter& painter, std::size_t index) const;

    TakenTime m_taken;
    Duration m_whole{};
};

} // namespace helio
