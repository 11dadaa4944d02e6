#pragma once

#include "core/experiment/clock_choice.h"

#include <QJsonObject>

namespace helio {

/// What was decided about clocks, all of it, as session files keep it: the reference, and of each host its line and the points that its
/// times go through, or that its times are raw. Numbers are texts, since JSON's are too small for them.
QJsonObject choiceJson(const ClockChoice& choice);
/// What does not make sense is left out.
ClockChoice choiceFrom(const QJsonObject& json);

} // namespace helio
