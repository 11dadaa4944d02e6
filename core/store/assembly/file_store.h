#pragma once

#include "core/io/partial_file.h"
#include "core/store/assembly/store_facts.h"
#include "core/store/intervals/block_data.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace helio {

/// Makes a store from the blocks of a finished file, or from a snapshot of a file that is being written. Sets the lifetime and the
/// number of intervals of each track. Requires: `blocks` has as many tracks as `facts`.
std::shared_ptr<const Store> makeBlockStore(StoreFacts facts, BlockIndex blocks, LinkIndex links, FileBytes bytes);

/// Opens a store that cannot be built again, because the trace is missing. Its file is never removed, even if it is damaged. `rest`:
/// fetches the bytes of the file that are on another machine; nullptr if all are here. Errors: those of openStore(); Unreadable if bytes
/// cannot be fetched.
Result<std::shared_ptr<const Store>> openForeignStore(const std::filesystem::path& path, std::string_view identity,
                                                      std::shared_ptr<PartialFile> rest = nullptr);

/// A range of bytes of a file.
struct ByteRange {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// Returns the ranges of a store's file that opening it reads: all but the blocks. Empty if the file is no store of this version.
std::vector<ByteRange> rangesReadAtOpening(std::span<const std::byte> file);

/// Returns the number of files from openStore() in which this process found damage after they were opened, and which it therefore removed
/// when their last owner released them: the next opening of the trace builds them again.
/// Threads: any.
std::uint64_t damagedStoreCount();

} // namespace helio
