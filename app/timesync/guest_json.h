#pragma once

#include "core/base/result.h"
#include "core/experiment/clock_settings.h"

#include <QJsonArray>

#include <map>
#include <string>

namespace helio {

/// Converts the assignment of guests to hosts to JSON, as session and --sync files contain it: [{"guest": "a", "host": "nest", "process":
/// 171, "vcpus": [{"vcpu": 0, "tid": 192}]}]. Without "host", or with an empty one, the guest belongs to no host.
QJsonArray guestsJson(const ClockSettings& choice);
/// Reads the assignment from JSON. Errors: Corrupt, with the guest and the reason.
Result<std::map<std::string, GuestOverride>> guestsFrom(const QJsonArray& json);

} // namespace helio
