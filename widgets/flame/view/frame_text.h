#pragma once

#include "core/profiling/samples/stack_names.h"

#include <QString>

namespace helio {

/// Returns the label of a function: its name, or e.g. "libfoo.so+0x1a2b" if it only has an address.
QString frameLabel(const SampledFunction& function);

} // namespace helio
