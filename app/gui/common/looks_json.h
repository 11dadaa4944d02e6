#pragma once

#include "core/experiment/host_looks.h"

#include <QJsonObject>

namespace helio {

/// What a person made of the hosts, as session files keep it: of each its name and colour, and the order.
QJsonObject looksJson(const HostLooks& looks);
/// What does not make sense is left out.
HostLooks looksFrom(const QJsonObject& json);

} // namespace helio
