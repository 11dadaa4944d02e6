#pragma once

#include "core/store/store.h"

#include <memory>

namespace helio::test {

/// Makes a builder for the model store, with which tests compare the block stores. It keeps everything in vectors and answers queries with
/// plain loops: slower, but easy to verify.
std::unique_ptr<StoreBuilder> makeModelStoreBuilder(HostTimestamp begin);

} // namespace helio::test
