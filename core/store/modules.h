#pragma once

#include "core/trace/process/module.h"

namespace helio {

/// Takes the modules that an analysis finds in events, where the trace itself does not list them (Trace::modules()). One thread.
class ModuleSink {
public:
    virtual ~ModuleSink() = default;

    /// The same id for an equal module. UnknownModule where there are too many (MaxModules). Names that a recording brings along are not
    /// kept.
    virtual ModuleId add(Module module) = 0;
};

constexpr std::size_t MaxModules = std::size_t(1) << 20;

/// Takes modules and keeps none.
ModuleSink& droppedModules();

} // namespace helio
