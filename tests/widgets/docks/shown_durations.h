#pragma once

#include "tests/support/made_intervals.h"
#include "widgets/controls/pill.h"
#include "widgets/docks/durations/durations_dock_view.h"
#include "widgets/docks/durations/durations_view.h"
#include "widgets/docks/durations/scatter_chart.h"

#include <QTest>
#include <QTreeView>

namespace helio::test {

/// The Latency dock on the segments of two synthetic hosts, or on another timeline.
struct ShownDurations {
    explicit ShownDurations(std::shared_ptr<const Timeline> timeline = MadeIntervals::make({"web", "db"}))
    {
        view.resize(1300, 300);
        context.time().setFull({timestamp(0), timestamp(50'000)});
        context.setTimeline(std::move(timeline));
        view.show();
    }
    IntervalDurationsView& intervalDurations() { return *view.findChild<IntervalDurationsView*>(); }
    ScatterChart& times() { return *view.findChild<ScatterChart*>(); }
    Pill* pill(const QString& text)
    {
        for (Pill* it : view.findChildren<Pill*>())
            if (it->text() == text)
                return it;
        return nullptr;
    }
    QTreeView* named(const QString& name)
    {
        for (QTreeView* it : view.findChildren<QTreeView*>())
            if (it->accessibleName() == name)
                return it;
        return nullptr;
    }
    void drag(QPointF from, QPointF to)
    {
        QTest::mousePress(&times(), Qt::LeftButton, {}, from.toPoint());
        QTest::mouseMove(&times(), ((from + to) / 2).toPoint());
        QTest::mouseMove(&times(), to.toPoint());
        QTest::mouseRelease(&times(), Qt::LeftButton, {}, to.toPoint());
    }

    ViewContext context;
    DurationsDockView view{context};
};

} // namespace helio::test
