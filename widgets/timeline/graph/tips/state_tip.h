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

/// What a tooltip says.
struct TipContent {
    StateLook look;
    QString title;
    QString duration;
    QString place;
    QString time;
    std::vector<std::pair<QString, QString>> facts; ///< Some five at most.
    std::vector<std::pair<StateLook, QString>> states; ///< Of a folded column, with count and total.
    QString sharedBy; ///< Over the parts: "Taken by".
    std::vector<std::pair<QString, QString>> parts{}; ///< Whose it was and how long each had it: some four at most.
    QString cause;
};

/// What is under the pointer.
struct TipQuestion {
    std::shared_ptr<const Timeline> timeline;
    TrackRef track;
    QString name; ///< The row's.
    Timestamp at;
    TimeRange column; ///< Empty: one interval; else a column that folds several.
    TimeRange ticks; ///< Where a tick of a sample may be meant. Empty: the row has none.
    TimeFormat format;
    int digits = 6;
    Theme theme;
    TimeRange pixel = {}; ///< The times under it.
    std::shared_ptr<const LaneSources> sources = {}; ///< Rows that `track` shows together. Null: itself.
};

/// Slow: from a query thread. Nothing where there is nothing to say.
std::optional<TipContent> tipFor(const TipQuestion& question, std::stop_token stop = {});

/// What a link between rows says. Of the question only what is about the whole counts.
std::optional<TipContent> tipFor(const TipQuestion& question, const Arrow& arrow);

/// What the samples at `ticks` ran, as lines below the others. Slower: names may have to be read first. Empty: there are none.
std::vector<std::pair<QString, QString>> sampledCodeFacts(const TipQuestion& question, std::stop_token stop = {});

/// The popup. Does not take the focus. A child of the window that place() gets, not a window of its own: so its shadow and round
/// corners need no compositor, and Wayland lets it follow the pointer.
class StateTip : public QWidget {
    Q_OBJECT

public:
    explicit StateTip(QWidget* parent = nullptr);

    void setContent(const TipContent& content);
    /// Below right of the pointer, never over the band of y that the row has; all in the coordinates of `window`.
    void place(QWidget* window, QPoint pointer, int rowTop, int rowBottom);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int layOut(QPainter* painter, int width) const;

    TipContent m_content;
};

} // namespace helio
