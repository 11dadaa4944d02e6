#pragma once

#include "widgets/time/search_hits.h"
#include "widgets/time/time_window.h"
#include "widgets/work/latest_job.h"

#include <QTimer>

#include <vector>

namespace helio {

/// A hit of the search on the rows it belongs to.
struct HitMark {
    Timestamp time;
    TrackRef thread; ///< Not valid: none that is known.
    TrackRef cpu;
    bool operator==(const HitMark&) const = default;
};

/// Whose events the hits in the visible window are: they are read again for it, on another thread, while there are not too many to be told
/// apart. UI thread.
class HitRows : public QObject {
    Q_OBJECT

public:
    HitRows(TimeWindow& window, SearchHits& hits, QObject* parent = nullptr);

    void setTimeline(std::shared_ptr<const Timeline> timeline);
    const std::vector<HitMark>& marks() const { return m_marks; } ///< In time order.

signals:
    void changed();

private:
    void fetch();
    void take(std::vector<HitMark> marks);

    TimeWindow& m_window;
    SearchHits& m_hits;
    std::shared_ptr<const Timeline> m_timeline;
    std::vector<HitMark> m_marks;
    QTimer m_soon;
    LatestJob m_job;
};

} // namespace helio
