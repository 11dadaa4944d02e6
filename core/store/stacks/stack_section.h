#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/stacks.h"

#include <optional>
#include <vector>

namespace helio {

/// Reads a tree of stacks in place: it lasts as long as `owner`. Nothing: the bytes are none.
std::optional<StackTable> openStacks(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

/// All but the unknown module, which is the first.
void encodeModules(std::span<const Module> modules, ByteWriter& out);
/// Reads them of any bytes, with the unknown one before them. False: there are no modules there.
bool decodeModules(std::span<const std::byte> bytes, std::vector<Module>& out);

} // namespace helio
