#pragma once

#include "core/experiment/host_looks.h"

#include <QJsonObject>

namespace helio {

/// Converts the user's settings of the hosts to JSON for session files: name and colour of each host, and the order of the hosts.
QJsonObject looksJson(const HostLooks& looks);
/// Reads host settings from JSON; invalid entries are left out.
HostLooks looksFrom(const QJsonObject& json);

} // namespace helio
