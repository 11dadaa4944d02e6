#pragma once

namespace helio {

/// The program's version: "0.1.0".
const char* version();

} // namespace helio
