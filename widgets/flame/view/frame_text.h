#pragma once

#include "core/profiling/samples/stack_names.h"

#include <QFont>
#include <QString>

namespace helio {

/// What a function is called where it is shown: its name; "libfoo.so+0x1a2b" where only its address is known.
QString frameLabel(const SampledFunction& function);

/// As much of a function's name as fits: without the namespaces that do not ("…C::run"), then without template arguments ("vector<…>"),
/// then without its end. Empty where there is no room for two letters.
QString elidedFrame(const QFont& font, const QString& name, qreal room);

} // namespace helio
