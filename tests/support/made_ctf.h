#pragma once

#include <QByteArray>
#include <QString>

namespace helio {

/// Writes CTF 1.8 traces below the folder, each in a folder that is named for its peculiarity. All are valid: babeltrace2 reads them, too.
void writeMadeCtf(const QString& folder);

/// Writes a CTF 1.8 trace into `folder`: the stream "timed" of events with times in ns, 5 s behind the epoch, and the stream "untimed"
/// without a clock; each event has the field n of 8 bits. `timedContext`: declaration of the timed stream's packet context.
void writeStreamWithoutClock(const QString& folder, const QByteArray& timedContext, const QByteArray& timed, const QByteArray& untimed);

} // namespace helio
