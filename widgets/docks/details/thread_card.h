#pragma once

#include "core/query/rows/thread_life.h"
#include "widgets/async/fresh_answer.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

class QLabel;

namespace helio {

class FieldGrid;

/// "4.6 %"; "<0.1 %" of what is there at all.
QString shareText(Duration part, Duration whole);

/// The selected thread as a whole: when it lived, what started it, where its time went in the selected range or the visible window, on
/// which CPUs it ran. Follows the context; hidden while no thread is selected.
class ThreadCard : public QWidget {
    Q_OBJECT

public:
    explicit ThreadCard(ViewContext& context, QWidget* parent = nullptr);

    bool isEmpty() const { return !m_life; }
    /// Asks anew: the dock is shown again.
    void fetchSoon() { m_answer.now(); }
    /// Again, in the theme and the format of times that are now.
    void refresh();

signals:
    void changed(); ///< There is a thread now, or none any more.

private:
    void fetch();
    void take(std::optional<ThreadLife> life, TimeRange range);
    void addStates();

    ViewContext& m_context;
    std::optional<ThreadLife> m_life;
    TimeRange m_range;
    QLabel* m_title;
    QLabel* m_scope;
    FieldGrid* m_fields;
    FieldGrid* m_times;
    FreshAnswer m_answer;
};

} // namespace helio
