#pragma once

#include <QByteArray>
#include <QString>

namespace helio {

/// Writes several CTF 1.8 traces, each into a subfolder named after the feature of CTF that it uses. All traces are valid: babeltrace2
/// reads them, too.
void writeMadeCtf(const QString& folder);

/// Writes a CTF 1.8 trace into `folder` with two streams: "timed", whose events have times in ns, 5 s after the epoch, and "untimed"
/// without a clock. Each event has an 8-bit field n. `timedContext`: declaration of the timed stream's packet context.
void writeStreamWithoutClock(const QString& folder, const QByteArray& timedContext, const QByteArray& timed, const QByteArray& untimed);

} // namespace helio
