#pragma once

#include "core/profiling/samples/stack_names.h"

#include <QString>

namespace helio {

/// Label of a function: its name, or e.g. "libfoo.so+0x1a2b" if only its address is known.
QString frameLabel(const SampledFunction& function);

} // namespace helio
