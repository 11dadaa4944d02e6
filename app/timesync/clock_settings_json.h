#pragma once

#include "core/experiment/clock_settings.h"

#include <QJsonObject>

namespace helio {

/// Converts the user's clock settings to JSON for session files: the reference, and for each host its line and the points through which its
/// times go, or that its times are raw. Numbers are stored as text, since JSON numbers are too small for them.
QJsonObject clockSettingsJson(const ClockSettings& choice);
/// Reads clock settings from JSON; invalid entries are left out.
ClockSettings clockSettingsFrom(const QJsonObject& json);

} // namespace helio
