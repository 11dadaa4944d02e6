#pragma once

#include <QFont>
#include <QString>

namespace helio {

/// Shortens a function's name until it fits, to the longest of the forms without leading namespaces ("…C::run"), without template
/// arguments ("a::fold<…>"), or without both. If none fits, the function's own name without its end. Empty if two letters do not fit.
QString elidedFrame(const QFont& font, const QString& name, qreal room);

} // namespace helio
