#pragma once

#include <QFont>
#include <QString>

namespace helio {

/// Shortens a function's name until it fits: first without leading namespaces ("…C::run"), then without template arguments ("vector<…>"),
/// then without its end. Empty if two letters do not fit.
QString elidedFrame(const QFont& font, const QString& name, qreal room);

} // namespace helio
