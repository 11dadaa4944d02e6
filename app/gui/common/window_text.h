#pragma once

#include "core/experiment/experiment.h"

#include <QString>

namespace helio {

/// Returns the progress of reading, 0 to 1; -1 if unknown.
double progressShare(const Progress& progress);

/// Returns the progress of reading as text, for example "62 %, 3.1 M events, 240 MB/s, 3 s left".
QString progressText(const Progress& progress);

/// Returns the tracers and domains that recorded the traces, for example "LTTng kernel + user space".
QString recordingText(const Timeline& timeline);

/// Returns how the clocks of several hosts were aligned, for example "3 clocks aligned using packets". Empty if there is only one host, or
/// if any clock is not aligned.
QString clocksText(const Timeline& timeline);
/// Returns the accuracy of the clocks' alignment, for example "3 hosts, accurate to 18 µs at best", or that the alignment is wrong. Empty
/// if clocksText() is empty.
QString clockAccuracyText(const Timeline& timeline);

/// Returns the number of messages that contradict the clocks set by the user, for example "224 packets arrive before they were sent". Empty
/// if there are no such messages, apart from messages that contradict every possible clock.
QString earlyPacketsText(const Timeline& timeline);

/// Returns a short reason why the data is incomplete or inaccurate: events were lost, or clocks do not agree. Empty if there is none.
QString inaccuracyText(const Timeline& timeline);

/// Returns `clause`, a part of a message that begins in lower case, as a sentence with a capital letter and a full stop.
QString plainSentence(const QString& clause);

} // namespace helio
