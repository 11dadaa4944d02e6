#pragma once

#include "core/store/assembly/store_facts.h"
#include "core/store/intervals/block_data.h"

#include <memory>

namespace helio {

/// A store made of blocks: a finished file, or a snapshot of one being written.
/// Fills in the life and number of intervals of each track. Requires: the index knows as many tracks as the facts.
std::shared_ptr<const Store> makeBlockStore(StoreFacts facts, BlockIndex blocks, LinkIndex links, FileBytes bytes);

} // namespace helio
