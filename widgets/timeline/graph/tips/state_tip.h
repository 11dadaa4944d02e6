#pragma once

#include "core/query/rows/arrows.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/lanes/lane_sum.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Content of a tooltip.
struct TipContent {
    StateAppearance look;
    QString title;
    QString duration;
    QString place;
    QString time;
    std::vector<std::pair<QString, QString>> facts; ///< Name and value; about five at most.
    /// States of a pixel column that folds several intervals; the text has count and total duration.
    std::vector<std::pair<StateAppearance, QString>> states;
    QString sharedBy; ///< Title of `parts`, for example "Taken by".
    std::vector<std::pair<QString, QString>> parts{}; ///< Names and durations; about four at most.
    QString cause;
};

/// Object under the pointer that a tooltip is wanted of.
struct TipRequest {
    std::shared_ptr<const Timeline> timeline;
    TrackRef track;
    QString name; ///< Name of the row.
    Timestamp at;
    TimeRange column; ///< Column that folds several intervals; empty for a single interval.
    TimeRange ticks; ///< Range in which the pointer hits the tick of a sample; empty if the row has no samples.
    TimeFormat format;
    int digits = 6;
    Theme theme;
    TimeRange pixel = {}; ///< Times under the pointer's pixel.
    std::shared_ptr<const LaneSources> sources = {}; ///< Rows whose sum `track` shows; nullptr if it shows itself.
};

/// Returns the tooltip; nullopt if there is nothing to say.
/// Threads: a query thread, as it is slow.
std::optional<TipContent> tipFor(const TipRequest& question, std::stop_token stop = {});

/// Returns the tooltip of a link between rows. Only timeline, format, digits and theme of the question are used.
std::optional<TipContent> tipFor(const TipRequest& question, const Arrow& arrow);

/// Returns the code that the samples in `question.ticks` ran, as further lines of the tooltip; empty if there are none.
/// Cost: more than tipFor(), as symbols may have to be read.
std::vector<std::pair<QString, QString>> sampledCodeFacts(const TipRequest& question, std::stop_token stop = {});

/// Popup of a tooltip. It does not take the focus. It is a child of the window given to place(), not a window of its own: thus its shadow
/// and round corners need no compositor, and it can follow the pointer on Wayland.
class StateTip : public QWidget {
    Q_OBJECT

public:
    explicit StateTip(QWidget* parent = nullptr);

    void setContent(const TipContent& content);
    /// Places the popup below right of the pointer, outside of the row's band from `rowTop` to `rowBottom`; all coordinates are those of
    /// `window`.
    void place(QWidget* window, QPoint pointer, int rowTop, int rowBottom);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int layOut(QPainter* painter, int width) const;

    TipContent m_content;
};

} // namespace helio
