#pragma once

#include "core/profiling/samples/row_times.h"
#include "widgets/async/latest_job.h"
#include "widgets/time/search_hits.h"
#include "widgets/time/time_window.h"

#include <QTimer>

namespace helio {

/// The hits in the visible window on the rows of the threads and of the CPUs whose events they are: they are read again for it, on another
/// thread, while there are not too many to be seen one by one. UI thread.
class HitRows : public QObject {
    Q_OBJECT

public:
    HitRows(TimeWindow& window, SearchHits& hits, QObject* parent = nullptr);

    void setTimeline(std::shared_ptr<const Timeline> timeline);
    const RowTimes& times() const { return m_times; }

signals:
    void changed();

private:
    void fetch();
    void take(RowTimes times);

    TimeWindow& m_window;
    SearchHits& m_hits;
    std::shared_ptr<const Timeline> m_timeline;
    RowTimes m_times;
    QTimer m_soon;
    LatestJob m_job;
};

} // namespace helio
