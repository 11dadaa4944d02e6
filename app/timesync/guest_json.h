#pragma once

#include "core/base/result.h"
#include "core/experiment/clock_choice.h"

#include <QJsonArray>

#include <map>
#include <string>

namespace helio {

/// Whose guests hosts are, as session files and those of --sync have it: [{"guest": "a", "host": "nest", "process": 171, "vcpus":
/// [{"vcpu": 0, "tid": 192}]}]. Without "host", or with an empty one, it is a guest of no host.
QJsonArray guestsJson(const ClockChoice& choice);
/// Errors: Corrupt says what is wrong with which guest.
Result<std::map<std::string, GivenGuest>> guestsFrom(const QJsonArray& json);

} // namespace helio
