#pragma once

#include "core/query/rows/rows.h"
#include "core/store/stacks.h"

namespace helio {

/// Returns a module for functions that were inlined into `module`. It is shown like `module`, but stores the names of its functions
/// itself (ModuleSink::addPlace), because all functions inlined at one place have the same address.
Module makeInlinedPart(const Module& module);
bool isInlinedPart(const Module& module);

/// True if the innermost function of a stack was inlined into its caller.
/// Threads: any; never blocks.
bool isInlinedFrame(const Timeline& timeline, StoreIndex store, StackId stack);

} // namespace helio
