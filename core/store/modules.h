#pragma once

#include "core/trace/process/module.h"
#include "core/trace/process/recorded_names.h"

namespace helio {

/// Takes the modules that an analysis finds in events, where the trace itself does not list them (Trace::modules()). One thread.
class ModuleSink {
public:
    virtual ~ModuleSink() = default;

    /// The same id for an equal module; its names are left out. UnknownModule where there are too many (MaxModules).
    virtual ModuleId add(Module module) = 0;

    /// A place in a module of which the recording names the code itself: what its addresses are from then on. The caller gives each name
    /// once. Requires: a module of this sink, all of whose addresses come from here. 0, which has no name, where
    /// there are too many (MaxPlaces), and in the unknown module, whose addresses are none of these.
    virtual std::uint64_t addPlace(ModuleId module, const RecordedName& name) = 0;
};

constexpr std::size_t MaxModules = std::size_t(1) << 20;
constexpr std::size_t MaxPlaces = std::size_t(1) << 24; ///< Of all modules together.

/// Takes modules and keeps none.
ModuleSink& droppedModules();

} // namespace helio
