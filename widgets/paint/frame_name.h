#pragma once

#include <QFont>
#include <QString>

namespace helio {

/// Shortens a function's name to fit the width `room`. Returns the longest form that fits: without leading namespaces ("…C::run"), without
/// template arguments ("a::fold<…>"), or without both. If no form fits, cuts the end of the function's own name. Empty if not even two
/// letters fit. Names of more than 16,384 characters are only cut at the end.
/// Cost:    O(length), and a few measured texts.
QString elidedFrame(const QFont& font, const QString& name, qreal room);

} // namespace helio
