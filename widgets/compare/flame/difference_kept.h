#pragma once

#include "widgets/compare/difference/difference_style.h"

#include <QJsonObject>

namespace helio {

/// Choices of the user in a comparison of samples, as session files keep them.
struct KeptDifference {
    DifferenceChoices choices;
    DifferenceLook look;
};

QJsonObject toJson(const KeptDifference& kept);
/// Values that are absent or invalid get their defaults.
KeptDifference keptDifferenceFrom(const QJsonObject& json);

} // namespace helio
