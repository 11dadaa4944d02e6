#include "core/base/version.h"

namespace helio {

const char* version() { return HELIO_VERSION; }

} // namespace helio
