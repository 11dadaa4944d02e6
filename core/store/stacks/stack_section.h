#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/stacks.h"

#include <optional>
#include <vector>

namespace helio {

/// Returns a stack table that reads the bytes in place; `owner` keeps the bytes alive. Returns nullopt if the bytes are not a valid tree.
std::optional<StackTable> openStacks(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

/// Encodes all modules except the first, which is the unknown module.
void encodeModules(std::span<const Module> modules, ByteWriter& out);
/// Decodes modules from untrusted bytes and puts the unknown module first. Returns false if the bytes are damaged.
bool decodeModules(std::span<const std::byte> bytes, std::vector<Module>& out);

} // namespace helio
