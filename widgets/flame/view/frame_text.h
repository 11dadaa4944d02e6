#pragma once

#include "core/profiling/samples/stack_names.h"

#include <QFont>
#include <QString>

namespace helio {

/// Label of a function: its name, or e.g. "libfoo.so+0x1a2b" if only its address is known.
QString frameLabel(const SampledFunction& function);

/// Shortens a function's name until it fits: first without leading namespaces ("…C::run"), then without template arguments ("vector<…>"),
/// then without its end. Empty if two letters do not fit.
QString elidedFrame(const QFont& font, const QString& name, qreal room);

} // namespace helio
