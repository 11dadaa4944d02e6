#pragma once

#include "core/experiment/experiment.h"

#include <QString>

namespace helio {

/// Returns the progress of reading, 0 to 1; -1 if unknown.
double progressShare(const Progress& progress);

/// For example "62 %, 3.1 M events, 240 MB/s, 3 s left".
QString progressText(const Progress& progress);

/// Returns the tracers and domains that recorded the traces, for example "LTTng kernel + user space".
QString recordingText(const Timeline& timeline);

/// Returns how the clocks of several hosts were aligned, for example "3 clocks aligned using packets". Empty if there is one host, or if
/// some clock is not aligned.
QString clocksText(const Timeline& timeline);
/// Returns how accurate the alignment is, for example "3 hosts, surest to 18 µs", or that it is wrong. Empty if clocksText() is empty.
QString clockAccuracyText(const Timeline& timeline);

/// Returns how many messages contradict the clocks that the user set by hand, for example "224 packets arrive before they were sent". Empty
/// if there are no more of them than messages that contradict the rest for every possible clock.
QString earlyPacketsText(const Timeline& timeline);

/// Returns a short reason why the data is incomplete or inaccurate: events were lost, or clocks do not agree. Empty if there is none.
QString inaccuracyText(const Timeline& timeline);

/// Returns the clause with a capital letter and a full stop.
QString plainSentence(const QString& clause);

} // namespace helio
