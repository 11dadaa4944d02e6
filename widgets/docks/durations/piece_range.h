#pragma once

#include "widgets/workspace/view_context.h"

#include <QObject>

namespace helio {

class Pill;

/// Which part of the recording durations are of: the selected range; without one all of the recording or, where a person chose that, what
/// is visible. A selection that is but what was gone to is none: what was selected before it counts still. UI thread.
class PieceRange : public QObject {
    Q_OBJECT

public:
    explicit PieceRange(ViewContext& context);

    /// Says which it is, and chooses; whoever takes it owns it.
    Pill* pill() const { return m_pill; }

    static TimeRange whole() { return {Timestamp::min(), Timestamp::max()}; }
    TimeRange now() const; ///< whole(): all of the recording.
    void goesTo(TimeRange piece); ///< Is called before it is selected.

    bool isOfVisible() const { return m_isOfVisible; }
    void setOfVisible(bool isOfVisible);

signals:
    void selected(); ///< Another range was selected, or none is.
    void moved(); ///< What is visible has changed, and that is what counts.

private:
    TimeRange selection() const; ///< That counts. Empty: none.
    void show();

    ViewContext& m_context;
    Pill* m_pill;
    bool m_isOfVisible = false;
    TimeRange m_goneTo;
    TimeRange m_from; ///< What was selected when it was said that one goes there.
    TimeRange m_before; ///< What was selected before that.
};

} // namespace helio
