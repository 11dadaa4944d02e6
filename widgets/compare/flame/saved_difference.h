#pragma once

#include "widgets/compare/difference/difference_style.h"

#include <QJsonObject>

namespace helio {

/// Choices of the user in a comparison of samples, as session files keep them.
struct SavedDifference {
    DifferenceSettings choices;
    DifferenceGraphOptions look;
};

QJsonObject toJson(const SavedDifference& kept);
/// Values that are absent or invalid get their defaults.
SavedDifference savedDifferenceFrom(const QJsonObject& json);

} // namespace helio
