#include "app/cli/commands.h"
#include "app/cli/opening.h"

namespace helio {

int runRender(const CommandOptions&)
{
    return failWith({Error::Kind::Unsupported, "render: this version cannot draw views into files yet"});
}

} // namespace helio
