#pragma once

#include "core/query/rows/thread_summary.h"
#include "widgets/async/debounced_query.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

class QLabel;

namespace helio {

class FieldGrid;

/// Returns a percentage, e.g. "4.6 %"; "<0.1 %" for smaller values above 0.
QString shareText(Duration part, Duration whole);

/// Card about the selected thread: its lifetime, what started it, its time by state in the selected or visible range, and the CPUs that it
/// ran on. Follows the context; hidden while no thread is selected.
class ThreadCard : public QWidget {
    Q_OBJECT

public:
    explicit ThreadCard(ViewContext& context, QWidget* parent = nullptr);

    bool isEmpty() const { return !m_life; }
    /// Repeats the query without delay; called when the dock is shown.
    void fetchSoon() { m_answer.now(); }
    /// Redraws the card after the theme or the time format changed.
    void refresh();

signals:
    void changed(); ///< Emitted when the result of isEmpty() changed.

private:
    void fetch();
    void take(std::optional<ThreadSummary> life, TimeRange range);
    void addStates();

    ViewContext& m_context;
    std::optional<ThreadSummary> m_life;
    TimeRange m_range;
    QLabel* m_title;
    QLabel* m_scope;
    FieldGrid* m_fields;
    FieldGrid* m_times;
    DebouncedQuery m_answer;
};

} // namespace helio
