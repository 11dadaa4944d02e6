#pragma once

#include "core/waits/path/explain_wait.h"
#include "widgets/docks/details/line_card.h"
#include "widgets/workspace/view_context.h"

#include <memory>
#include <optional>

namespace helio {

struct StateAppearance;

/// The card "Why it waited": the conclusion, one line for each part of the wait with its share and duration, the total, and one bar of all
/// parts. Its edge has the colour of the main cause. Hidden if there is nothing to explain. A click on a line goes to the row of the part.
///
/// No text is elided: if the words of any line do not fit, all shares are hidden, and words that still do not fit are wrapped. The
/// conclusion is the longest one that fits into two lines.
class WaitCard : public LineCard {
    Q_OBJECT

public:
    /// Maximum number of parts with a line of their own; one more line has the sum of the remaining parts.
    static constexpr std::size_t MostParts = 8;

    explicit WaitCard(ViewContext& context, QWidget* parent = nullptr);

    /// Shows the explanation of a thread's wait. It is hidden if `why` is nullptr or has no conclusion.
    void setWait(std::shared_ptr<const Timeline> timeline, TrackRef thread, std::shared_ptr<const Why> why);
    /// The explanation; nullptr if there is none.
    const Why* why() const { return m_why.get(); }
    TrackRef thread() const { return m_thread; } ///< The thread that waited.
    /// Returns the conclusion and one line for each step, in the order of time; empty if there is no explanation.
    QString copyText() const;
    QString conclusion() const { return arranged(width()).conclusion; }
    bool showsShares() const { return arranged(width()).shareWidth > 0; }

    std::size_t lineCount() const override { return m_lines.size(); }
    QRect lineRect(std::size_t index) const override;
    bool isFollowable(std::size_t index) const override { return m_lines[index].row.isValid(); }
    QString words(std::size_t index) const override; ///< Returns the text of a line, with share and duration.

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arranged(width).height; }

signals:
    void chosen(helio::TrackRef row, helio::Timestamp at);

private:
    struct Line {
        PathKind kind;
        QString text;
        TrackRef row; ///< Row that a click on the line goes to; invalid for the line with the sum of the remaining parts.
        Timestamp at;
        Duration total{};
    };
    /// Layout of the card for one width.
    struct Arrangement {
        int width = -1;
        QString conclusion;
        QRect conclusionRect;
        QRect subtitle;
        std::vector<QRect> lines;
        int shareWidth = 0; ///< Width of the shares in pixels; 0 if they have no room.
        int timeWidth = 0;
        QRect total;
        QRect bar;
        QRect note;
        int height = 0;
    };

    const Arrangement& arranged(int width) const;
    void makeLines();
    QString shareOf(Duration part) const;
    void follow(std::size_t index) override;
    void paintEvent(QPaintEvent* event) override;
    void paintLine(QPainter& painter, const Line& line, const QRect& rect, bool isBold) const;
    void contextMenuEvent(QContextMenuEvent* event) override;
    QSize sizeHint() const override { return {320, arranged(320).height}; }
    QSize minimumSizeHint() const override { return {0, 0}; }

    ViewContext& m_context;
    std::shared_ptr<const Timeline> m_timeline; ///< Timeline of the wait that m_why explains.
    std::shared_ptr<const Why> m_why; ///< Shown explanation; nullptr if there is nothing to explain.
    TrackRef m_thread;
    std::vector<Line> m_lines;
    /// Name of another thread, shown as a line of its own, if all parts of the wait are times of that thread; otherwise empty.
    QString m_subtitle;
    QString m_note; ///< Error bound of the times of other hosts; empty if there is none.
    Duration m_whole{}; ///< Sum of the durations in m_lines.
    mutable Arrangement m_arranged;
};

} // namespace helio
