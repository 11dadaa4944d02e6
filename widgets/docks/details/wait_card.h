#pragma once

#include "widgets/docks/details/line_card.h"
#include "widgets/docks/details/state_details.h"

namespace helio {

/// Card "Why it waited": one line for each part of a wait, with its colour and duration, and one bar of all parts. Hidden if there are no
/// parts. A click on a line selects the row of the part.
class WaitCard : public LineCard {
    Q_OBJECT

public:
    explicit WaitCard(QWidget* parent = nullptr);

    void setParts(std::vector<StateDetails::Part> parts);

    std::size_t lineCount() const override { return m_parts.size(); }
    QRect lineRect(std::size_t index) const override;
    bool isFollowable(std::size_t index) const override { return m_parts[index].row.isValid(); }
    QString words(std::size_t index) const override; ///< Returns the text of a line, duration included.

signals:
    void chosen(helio::TrackRef row);

private:
    // The row is copied, because the receiver may replace m_parts.
    void follow(std::size_t index) override { emit chosen(TrackRef(m_parts[index].row)); }
    void paintEvent(QPaintEvent* event) override;
    QSize sizeHint() const override;
    QString textOf(const StateDetails::Part& part) const;

    std::vector<StateDetails::Part> m_parts;
};

} // namespace helio
