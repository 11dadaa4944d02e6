#pragma once

#include "core/experiment/host_styles.h"

#include <QJsonObject>

namespace helio {

/// Converts the user's settings of the hosts to JSON for session files: name and colour of each host, and the order of the hosts.
QJsonObject hostStylesJson(const HostStyles& looks);
/// Reads host settings from JSON; invalid entries are left out.
HostStyles hostStylesFrom(const QJsonObject& json);

} // namespace helio
