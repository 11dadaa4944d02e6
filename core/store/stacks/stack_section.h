#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/stacks.h"

#include <optional>
#include <vector>

namespace helio {

/// Reads a tree of stacks in place; `owner` keeps the bytes alive. Returns nullopt if the bytes are no such tree.
std::optional<StackTable> openStacks(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

/// Writes all modules but the first, which is the unknown one.
void encodeModules(std::span<const Module> modules, ByteWriter& out);
/// Reads modules from untrusted bytes and puts the unknown module first. Returns false if the bytes are no modules.
bool decodeModules(std::span<const std::byte> bytes, std::vector<Module>& out);

} // namespace helio
