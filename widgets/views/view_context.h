#pragma once

#include "widgets/time/time_window.h"

#include <QObject>

#include <memory>

namespace helio {

struct Timeline;

/// What a view works on: the latest published timeline and the shared time window. Owned by the window's session; views keep a reference.
class ViewContext : public QObject {
    Q_OBJECT

public:
    explicit ViewContext(QObject* parent = nullptr) : QObject(parent), m_time(this) {}

    std::shared_ptr<const Timeline> timeline() const { return m_timeline; } ///< Null: no trace open.
    TimeWindow& time() { return m_time; }

    void setTimeline(std::shared_ptr<const Timeline> timeline)
    {
        m_timeline = std::move(timeline);
        emit timelineChanged();
    }

signals:
    void timelineChanged();

private:
    std::shared_ptr<const Timeline> m_timeline;
    TimeWindow m_time;
};

} // namespace helio
