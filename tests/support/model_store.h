#pragma once

#include "core/store/store.h"

#include <memory>

namespace helio::test {

/// Makes a builder for the model store that the block stores are tested against: everything in vectors, queries as plain loops; slower,
/// but easy to verify.
std::unique_ptr<StoreBuilder> makeModelStoreBuilder(HostTimestamp begin);

} // namespace helio::test
