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

/// Texts of a tooltip about one object under the pointer, e.g. a state or a sample, and the look of its state.
struct TipContent {
    StateAppearance look;
    QString title;
    QString duration;
    QString place;
    QString time;
    std::vector<std::pair<QString, QString>> facts; ///< Lines of a name and a value each; usually at most five.
    /// Fields that were recorded with a call: name and value; a value takes at most three lines.
    std::vector<std::pair<QString, QString>> recorded{};
    /// States in a pixel column that combines several intervals. Each state has a text with its number of intervals and its total duration.
    std::vector<std::pair<StateAppearance, QString>> states;
    QString sharedBy; ///< Title of `parts`, for example "Taken by".
    std::vector<std::pair<QString, QString>> parts{}; ///< Names and durations of a breakdown; about four at most.
    QString cause;
};

/// Object under the pointer for which a tooltip is requested.
struct TipRequest {
    std::shared_ptr<const Timeline> timeline;
    TrackRef track;
    QString name; ///< Name of the row.
    Timestamp at;
    TimeRange column; ///< Time range of the column, if it folds several intervals; empty for a single interval.
    TimeRange ticks; ///< Time range of the sample or event ticks that the pointer hits; empty if the row has no ticks.
    TimeFormat format;
    int digits = 6;
    Theme theme;
    TimeRange pixel = {}; ///< Time range of the pixel under the pointer.
    std::shared_ptr<const LaneSources> sources = {}; ///< Rows whose sum `track` shows; nullptr if `track` shows only its own states.
};

/// Returns the tooltip of the object at the pointer; nullopt if there is nothing to show.
/// Threads: a query thread, because it is slow.
std::optional<TipContent> tipFor(const TipRequest& question, std::stop_token stop = {});

/// Returns why the thread at the pointer waits, as a sentence without a full stop; empty if it does not wait, if the cause is unknown, or
/// if the explanation takes longer than 200 ms. Cost: up to 200 ms.
QString waitConclusion(const TipRequest& question, std::stop_token stop = {});

/// A state of a row in words.
struct StateInWords {
    QString words; ///< Name of the state with its value, e.g. "Blocked in fdatasync".
    TimeRange range;
};

/// Returns the state of a row at a time; nullopt if the row has none there.
/// Cost: some microseconds, for a query of the store.
std::optional<StateInWords> stateInWords(const Timeline& timeline, TrackRef track, Timestamp at, const Theme& theme);

/// Returns the tooltip of a link between rows. Only timeline, format, digits and theme of `question` are used.
std::optional<TipContent> tipFor(const TipRequest& question, const Arrow& arrow);

/// Returns tooltip lines with the code that the samples in `question.ticks` ran; empty if there are no samples.
/// Cost: more than tipFor(), because symbols may have to be read.
std::vector<std::pair<QString, QString>> sampledCodeFacts(const TipRequest& question, std::stop_token stop = {});

/// Returns the arguments and the result that were recorded with the call at the pointer; empty if there is no single call, or if it has no
/// fields.
/// Cost: more than tipFor(), because events are decoded.
std::vector<std::pair<QString, QString>> recordedCallFields(const TipRequest& question, std::stop_token stop = {});

/// Popup of a tooltip, which never gets the focus. It is a child of the window passed to place(), not a window of its own: its shadow and
/// round corners therefore need no compositor, and it can follow the pointer on Wayland.
class StateTip : public QWidget {
    Q_OBJECT

public:
    explicit StateTip(QWidget* parent = nullptr);

    void setContent(const TipContent& content);
    /// Places the popup below right of the pointer, but not over the row from `rowTop` to `rowBottom`. All coordinates are relative to
    /// `window`.
    void place(QWidget* window, QPoint pointer, int rowTop, int rowBottom);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int layOut(QPainter* painter, int width) const;

    TipContent m_content;
};

} // namespace helio
