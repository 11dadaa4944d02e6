#pragma once

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"

#include <QMap>

#include <algorithm>
#include <functional>

// Reference implementation of the breakdown of time in recorded calls: loops over the calls and the thread states that the commands
// latency and states print.

namespace helio {

struct PrintedCall {
    qint64 begin = 0, end = 0;
    int depth = 0;
    QByteArray function;
    qint64 length() const { return end - begin; }
};
using CallsByThread = QMap<QByteArray, QList<PrintedCall>>; ///< Printed calls by TID.

struct PrintedStay {
    qint64 begin = 0, end = 0;
    QByteArray state, detail;
};

inline QStringList asCallCsv(const QStringList& more)
{
    return more + QStringList{"--format", "csv", "--quiet", "--symbols", realTrace("ust-callstack", "bin")};
}

inline CallsByThread printedCalls(const QString& trace)
{
    CallsByThread calls;
    for (const CsvRow& it : csvRows(heliograph(asCallCsv({"latency", trace, "--of", "call", "--list"}))))
        calls[it["tid"]] << PrintedCall{it["begin_ns"].toLongLong(), it["end_ns"].toLongLong(), it["row"].split('/').last().toInt(),
                                        it["name"]};
    return calls;
}

inline QList<PrintedStay> printedStates(const QString& trace, const QByteArray& tid)
{
    QList<PrintedStay> stays;
    for (const CsvRow& it : csvRows(heliograph(asCallCsv({"states", trace, "--view", "control-flow", "--row", "tid:" + tid}))))
        stays << PrintedStay{it["begin_ns"].toLongLong(), it["end_ns"].toLongLong(), it["state"], it["detail"]};
    return stays;
}

/// Splits the time range [from, to) in ns of one thread at each time at which a call or a state begins or ends. For each part, calls `take`
/// with the innermost call, "state/detail" of the thread, and the part's length in ns.
inline void eachCallTime(const QList<PrintedCall>& calls, const QList<PrintedStay>& stays, qint64 from, qint64 to,
                         const std::function<void(const PrintedCall&, const QByteArray&, qint64)>& take)
{
    QList<qint64> moments{from, to};
    const auto add = [&](qint64 moment) {
        if (moment > from && moment < to)
            moments << moment;
    };
    for (const PrintedCall& it : calls) {
        add(it.begin);
        add(it.end);
    }
    for (const PrintedStay& it : stays) {
        add(it.begin);
        add(it.end);
    }
    std::ranges::sort(moments);
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    for (qsizetype i = 0; i + 1 < moments.size(); ++i) {
        const qint64 begin = moments[i];
        const qint64 end = moments[i + 1];
        const PrintedCall* innermost = nullptr;
        for (const PrintedCall& it : calls)
            if (it.begin <= begin && it.end >= end && (!innermost || it.depth > innermost->depth))
                innermost = &it;
        if (!innermost)
            continue;
        const auto stay = std::ranges::find_if(stays, [&](const PrintedStay& it) { return it.begin <= begin && it.end >= end; });
        take(*innermost, stay == stays.end() ? QByteArray("unknown/") : stay->state + '/' + stay->detail, end - begin);
    }
}

} // namespace helio
