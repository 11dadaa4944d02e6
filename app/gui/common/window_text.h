#pragma once

#include "core/experiment/experiment.h"

#include <QString>

namespace helio {

/// How far reading is, 0 to 1; -1 where it is not known.
double progressShare(const Progress& progress);

/// "62 %, 3.1 M events, 240 MB/s, 3 s left".
QString progressText(const Progress& progress);

/// What was recorded by what: "LTTng kernel + user space".
QString recordingText(const Timeline& timeline);

/// How the clocks of several hosts came to be on one time axis, "3 clocks aligned by packets", and how sure that is, "3 hosts, surest to 18
/// µs", or that it is wrong. Empty: there is one host, or not all of them are.
QString clocksText(const Timeline& timeline);
QString surenessText(const Timeline& timeline);

/// "224 packets arrive before they were sent": by clocks that were set by hand, more than must be. Empty: no more.
QString earlyMessagesText(const Timeline& timeline);

/// Why what is shown is not the whole truth, in few words: events were lost, clocks do not agree. Empty: it is.
QString doubtText(const Timeline& timeline);

/// With a capital and a full stop.
QString plainSentence(const QString& clause);

} // namespace helio
