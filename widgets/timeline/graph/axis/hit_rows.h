#pragma once

#include "core/profiling/samples/row_times.h"
#include "widgets/async/latest_task.h"
#include "widgets/time/search_hits.h"
#include "widgets/time/time_window.h"

#include <QTimer>

namespace helio {

/// Search hits in the visible range, grouped by the row of the event's thread or CPU. Empty if the range has more than 1,000 hits, because
/// they could not be distinguished.
/// Threads: UI thread; the events are read on a thread of its own.
class HitRows : public QObject {
    Q_OBJECT

public:
    HitRows(TimeWindow& window, SearchHits& hits, QObject* parent = nullptr);

    void setTimeline(std::shared_ptr<const Timeline> timeline);
    const SampleTimesByRow& times() const { return m_times; }

signals:
    void changed();

private:
    void fetch();
    void take(SampleTimesByRow times);

    TimeWindow& m_window;
    SearchHits& m_hits;
    std::shared_ptr<const Timeline> m_timeline;
    SampleTimesByRow m_times;
    QTimer m_soon;
    LatestTask m_job;
};

} // namespace helio
