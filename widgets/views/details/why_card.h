#pragma once

#include "widgets/views/details/state_details.h"

#include <QWidget>

namespace helio {

/// The card "Why it waited": one line for each part of a wait, with its colour and length, and one bar of them all. Hidden where nothing is
/// known. A click on a line leads to its row.
class WhyCard : public QWidget {
    Q_OBJECT

public:
    explicit WhyCard(QWidget* parent = nullptr);

    void setParts(std::vector<StateDetails::Part> parts);

signals:
    void chosen(helio::TrackRef row);

private:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
    QRect lineRect(std::size_t index) const;
    const StateDetails::Part* partAt(const QPoint& at) const;
    QString words(const StateDetails::Part& part) const;

    std::vector<StateDetails::Part> m_parts;
};

} // namespace helio
