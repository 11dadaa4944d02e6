#pragma once

#include "core/base/result.h"
#include "core/experiment/clock_settings.h"

#include <QJsonArray>
#include <QJsonObject>

#include <map>
#include <string>

namespace helio {

/// Converts the assignment of guests to hosts to JSON, as session and --sync files contain it: [{"guest": "a", "host": "nest", "process":
/// 171, "vcpus": [{"vcpu": 0, "tid": 192}]}]. Without "host", or with an empty one, the guest belongs to no host.
QJsonArray guestsJson(const ClockSettings& choice);
/// Reads the assignment of guests to hosts from JSON, by the guest's name.
/// Errors: Corrupt, with the guest and the reason.
Result<std::map<std::string, GuestOverride>> guestsFrom(const QJsonArray& json);

/// Converts the user's clock settings to JSON for session files: the reference, and for each host its line and the points through which its
/// times go, or that its times are raw. Numbers are stored as text, since JSON numbers are too small for them.
QJsonObject clockSettingsJson(const ClockSettings& choice);
/// Reads clock settings from JSON; invalid entries are left out.
ClockSettings clockSettingsFrom(const QJsonObject& json);

} // namespace helio
