#include "core/store/modules.h"

namespace helio {
namespace {

class DroppedModules final : public ModuleSink {
public:
    ModuleId add(Module) override { return UnknownModule; }
    std::uint64_t addPlace(ModuleId, const RecordedName&) override { return 0; }
};

} // namespace

ModuleSink& droppedModules()
{
    static DroppedModules sink; // stateless, so any thread may use it
    return sink;
}

} // namespace helio
