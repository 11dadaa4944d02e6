#include "core/plugin/plugin_host.h"

#include "core/plugin/host_functions.h"

namespace helio {

const heliograph_host_v1& pluginHost()
{
    static const heliograph_host_v1 host = [] {
        heliograph_host_v1 made{};
        made.size = sizeof made;
        setReadingFunctions(made);
        setRowFunctions(made);
        setMeasurementFunctions(made);
        return made;
    }();
    return host;
}

} // namespace helio
