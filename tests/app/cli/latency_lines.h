#pragma once

#include "tests/app/cli/program.h"

#include <QMap>

#include <algorithm>
#include <numeric>

// Reference implementation of the command latency: computes its output from single intervals with plain loops.

namespace helio {

struct TimedInterval {
    qint64 begin = 0, end = 0;
    QByteArray name, row, trace;
    qint64 length() const { return end - begin; }
};
using TimedIntervals = QList<TimedInterval>;

inline QByteArray rank(const QList<qint64>& sorted, qsizetype percent)
{
    return QByteArray::number(sorted[(sorted.size() * percent + 99) / 100 - 1]);
}

/// Expected summary of the intervals as CSV lines, sorted by total time, longest first; without the header and the last line.
inline QList<QByteArray> summaryOf(const TimedIntervals& pieces)
{
    QMap<QByteArray, TimedIntervals> byName;
    for (const TimedInterval& it : pieces)
        byName[it.name] << it;
    QList<QPair<qint64, QByteArray>> lines;
    for (auto own = byName.begin(); own != byName.end(); ++own) {
        QList<qint64> lengths;
        for (const TimedInterval& it : *own)
            lengths << it.length();
        std::ranges::sort(lengths);
        const qint64 total = std::accumulate(lengths.begin(), lengths.end(), qint64(0));
        const auto least = std::ranges::find(*own, lengths.front(), &TimedInterval::length);
        const auto most = std::ranges::find(*own, lengths.back(), &TimedInterval::length);
        QList<QByteArray> cells{own.key(), "", QByteArray::number(lengths.size()), QByteArray::number(total), "", ""};
        cells << QByteArray::number(lengths.front()) << QByteArray::number((total + lengths.size() / 2) / lengths.size());
        cells << rank(lengths, 50) << rank(lengths, 90) << rank(lengths, 99) << QByteArray::number(lengths.back());
        cells << QByteArray::number(least->begin) << QByteArray::number(most->begin) << "";
        lines << qMakePair(-total, cells.join(','));
    }
    std::ranges::stable_sort(lines, {}, &QPair<qint64, QByteArray>::first);
    QList<QByteArray> texts;
    for (const auto& [total, line] : lines)
        texts << line;
    return texts;
}

} // namespace helio
