#pragma once

namespace helio {

/// Version of the program, for example "0.1.0".
const char* version();

} // namespace helio
