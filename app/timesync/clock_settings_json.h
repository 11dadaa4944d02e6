#pragma once

#include "core/base/result.h"
#include "core/experiment/clock_settings.h"

#include <QJsonArray>
#include <QJsonObject>

#include <map>
#include <string>

namespace helio {

/// Converts the assignment of guests to hosts to JSON, as session and --sync files contain it: [{"guest": "a", "host": "nest", "process":
/// 171, "vcpus": [{"vcpu": 0, "tid": 192}]}]. If "host" is missing or empty, the guest belongs to no host.
QJsonArray guestsJson(const ClockSettings& choice);
/// Reads the assignment of guests to hosts from JSON, keyed by the guest's name.
/// Errors: Corrupt, with the guest and the reason.
Result<std::map<std::string, GuestOverride>> guestsFrom(const QJsonArray& json);

/// Converts the user's clock settings to JSON for session files: the reference, and for each host the line and the points of its clock,
/// or that its times are raw. Numbers are stored as text, because JSON numbers lose digits.
QJsonObject clockSettingsJson(const ClockSettings& choice);
/// Reads clock settings from JSON; skips invalid entries.
ClockSettings clockSettingsFrom(const QJsonObject& json);

} // namespace helio
