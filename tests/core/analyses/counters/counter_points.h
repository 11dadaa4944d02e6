#pragma once

// Formats points of a store's counter series as numbers and as text.

#include "core/store/store.h"

#include <QString>
#include <QStringList>

#include <string_view>
#include <utility>
#include <vector>

namespace helio::test {

inline std::vector<CounterPoint> pointsOf(const Store& store, std::string_view id)
{
    std::vector<CounterPoint> all;
    const auto series = store.counters().series();
    for (std::size_t i = 0; i < series.size(); ++i)
        if (series[i].id == id)
            store.counters().visit(CounterSeriesId(std::uint32_t(i)), {HostTimestamp::min(), HostTimestamp::max()},
                                   [&](std::span<const CounterPoint> some) { all.insert(all.end(), some.begin(), some.end()); });
    return all;
}

/// Points of an integer series as text: "10=0 20=4096", times in microseconds.
inline QString integersOf(const Store& store, std::string_view id)
{
    QStringList all;
    for (const CounterPoint& it : pointsOf(store, id))
        all << QString("%1=%2").arg(double(nanoseconds(it.time)) / 1000).arg(qint64(it.value.integer()));
    return all.join(' ');
}

/// Points of a series of real numbers as text, times in microseconds.
inline QString realsOf(const Store& store, std::string_view id)
{
    QStringList all;
    for (const CounterPoint& it : pointsOf(store, id))
        all << QString("%1=%2").arg(double(nanoseconds(it.time)) / 1000).arg(it.value.real());
    return all.join(' ');
}

/// Returns all counter series of the store, each with its title and view: "cpu:0/cycles (CPU 0, counters-cpu)".
inline QString seriesOf(const Store& store)
{
    QStringList all;
    for (const CounterSeries& it : store.counters().series())
        if (!it.view.empty())
            all << QString("%1 (%2, %3)")
                       .arg(QString::fromStdString(it.id), QString::fromStdString(store.tracks()[std::size_t(it.track)].label),
                            QString::fromStdString(it.view));
    all.sort();
    return all.join(", ");
}

} // namespace helio::test
