#pragma once

#include "core/query/machines/taken_by.h"

#include <QWidget>

namespace helio {

/// The card "Taken by", or of what a CPU or a vCPU's thread ran "Ran inside": who had the CPU while the state could have run and did not.
/// Of each who it was, how long and how often, on which CPU, what it is and with which priority; a click leads to where it got the CPU
/// first. Hidden where nobody took anything. UI thread.
class TakenCard : public QWidget {
    Q_OBJECT

public:
    explicit TakenCard(QWidget* parent = nullptr);

    /// `whole`: of the state, of which that is a part.
    void setTaken(TakenTime taken, Duration whole);

    QString words(std::size_t index) const; ///< All that is said of one of them.
    QPoint placeOf(std::size_t index) const { return lineRect(index).center(); }

signals:
    void chosen(helio::TrackRef row, helio::Timestamp at);

private:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
    std::size_t shownCount() const;
    QString title() const;
    QString facts(const TakenBy& it) const;
    QRect lineRect(std::size_t index) const;
    const TakenBy* at(const QPoint& place) const;
    QColor colorOf(std::size_t index) const;
    void paintLine(QPainter& painter, std::size_t index) const;

    TakenTime m_taken;
    Duration m_whole{};
};

} // namespace helio
