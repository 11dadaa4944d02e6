#pragma once

#include "core/experiment/host_styles.h"

#include <QJsonObject>

namespace helio {

/// Converts the user's settings of the hosts to JSON for session files: name and colour of each host, and the order of the hosts.
QJsonObject looksJson(const HostStyles& looks);
/// Reads host settings from JSON; invalid entries are left out.
HostStyles looksFrom(const QJsonObject& json);

} // namespace helio
