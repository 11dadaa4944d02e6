#pragma once

#include "core/trace/process/module.h"
#include "core/trace/process/recorded_names.h"

namespace helio {

/// Records the modules that an analysis finds in events, for traces that do not list their modules themselves (Trace::modules()).
/// Threads: to be used by one thread.
class ModuleSink {
public:
    virtual ~ModuleSink() = default;

    /// Adds a module without its names. Returns the same id for an equal module; UnknownModule if there are more than MaxModules.
    virtual ModuleId add(Module module) = 0;

    /// Adds a code location of a module for which the recording itself gives a name, and returns the address that stands for it. Returns 0,
    /// which has no name, if there are more than MaxPlaces or the module is the unknown one. The caller adds each name once. Requires: a
    /// module of this sink in which all addresses come from addPlace().
    virtual std::uint64_t addPlace(ModuleId module, const RecordedName& name) = 0;
};

constexpr std::size_t MaxModules = std::size_t(1) << 20;
constexpr std::size_t MaxPlaces = std::size_t(1) << 24; ///< Limit for all modules together.

/// A sink that drops all modules.
ModuleSink& droppedModules();

} // namespace helio
