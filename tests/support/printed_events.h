#pragma once

#include <QFile>
#include <QRegularExpression>
#include <QString>

#include <cstdint>
#include <functional>

// Parser for the output of `perf script` with tracepoints, which is kept beside a recording.

namespace helio {

struct PrintedEvent {
    std::int64_t at = 0; ///< Time in ns, as printed.
    int pid = 0; ///< PID; -1 if the process had exited.
    int tid = 0;
    int cpu = 0;
    QString name; ///< Event name with its subsystem: "sched:sched_switch".
    QString fields; ///< End of the line, with the event's fields.
};

/// Calls `take` with each event in the order of the file; makes no call if the file cannot be read.
inline void eachPrintedEvent(const QString& path, const std::function<void(const PrintedEvent&)>& take)
{
    static const QRegularExpression event(R"((-?\d+)/\s*(-?\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}):\s+(\w+:\w+):\s*(.*))");
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n'))
        if (const auto it = event.match(line); it.hasMatch())
            take({it.captured(4).toLongLong() * 1'000'000'000 + it.captured(5).toLongLong(), it.captured(1).toInt(), it.captured(2).toInt(),
                  it.captured(3).toInt(), it.captured(6), it.captured(7)});
}

} // namespace helio
