#pragma once

#include "core/store/assembly/store_facts.h"
#include "core/store/intervals/block_data.h"

#include <cstdint>
#include <memory>

namespace helio {

/// Makes a store from the blocks of a finished file, or from a snapshot of a file that is being written. Sets the lifetime and the
/// number of intervals of each track. Requires: `blocks` has as many tracks as `facts`.
std::shared_ptr<const Store> makeBlockStore(StoreFacts facts, BlockIndex blocks, LinkIndex links, FileBytes bytes);

/// Opens a store that cannot be built again, because the trace is missing. Its file is never removed, even if it is damaged.
/// Errors: those of openStore().
Result<std::shared_ptr<const Store>> openForeignStore(const std::filesystem::path& path, std::string_view identity);

/// Returns the number of files from openStore() in which this process found damage after they were opened, and which it therefore removed
/// when their last owner released them: the next opening of the trace builds them again.
/// Threads: any.
std::uint64_t damagedStoreCount();

} // namespace helio
