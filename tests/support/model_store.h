#pragma once

#include "core/store/store.h"

#include <memory>

namespace helio::test {

/// Makes a builder for the simplest exact store: everything in vectors, and queries as plain loops. The model that stores of blocks are
/// tested against: slower, but easy to verify.
std::unique_ptr<StoreBuilder> makeModelStoreBuilder(HostTimestamp begin);

} // namespace helio::test
