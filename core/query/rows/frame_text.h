#pragma once

#include "core/query/rows/rows.h"
#include "core/store/stacks.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Returns the name under which a module is shown, e.g. "libc.so.6", "[kernel.kallsyms]" or "[JIT]". Empty for the unknown module.
std::string shortName(const Module& module);

/// Module name of code in anonymous memory, as in perf. Only programs that compile at run time have code in anonymous memory.
constexpr std::string_view JitModule = "[JIT]";

/// Returns the text of an address in a module: the module's shown name `shown` and the offset, "libfoo.so+0x1a2b".
std::string placeIn(const Module& module, const std::string& shown, std::uint64_t address);

/// Returns the function of a stack's innermost frame: its name if known without reading a file, else its address in the process ("0x1a2b")
/// or its offset in a module ("libfoo.so+0x1a2b"). Empty if the stack does not exist.
/// Threads: any; never blocks.
std::string frameText(const Timeline& timeline, StoreIndex store, StackId stack);

/// Returns the name of the innermost function if the recording itself contains the name, for example in folded stacks. Empty if the stack
/// does not exist or the recording has no name for the function.
/// Threads: any; never blocks.
std::string recordedFunction(const Timeline& timeline, StoreIndex store, StackId stack);

/// Returns the shortName() of the innermost frame's module. Empty if the stack does not exist or the module is unknown.
/// Threads: any; never blocks.
std::string frameModuleText(const Timeline& timeline, StoreIndex store, StackId stack);

/// True if the innermost frame is in the kernel or in a kernel module.
/// Threads: any; never blocks.
bool isKernelFrame(const Timeline& timeline, StoreIndex store, StackId stack);

/// Returns why the innermost function has no name, as a sentence for the user. Empty if the function has a name.
/// Threads: any but the UI thread: reads files.
std::string unnamedReason(const Timeline& timeline, StoreIndex store, StackId stack);

/// A module that contains frames of samples or calls.
struct FrameModule {
    std::string name; ///< Short name of the module; see shortName().
    bool isKernel = false; ///< True for the kernel and for kernel modules.
    bool operator==(const FrameModule&) const = default;
};

/// Returns the modules of all frames in a view's rows, one element for each name. Modules with the most distinct stacks come first.
/// Threads: any.
/// Cost: visits all stacks of the rows' stores.
std::vector<FrameModule> frameModules(const Timeline& timeline, std::string_view view, std::stop_token stop = {});

/// Returns the modules of all frames of samples and calls, one element for each name. Modules with the most samples in their code
/// come first; modules with equally many samples are sorted by the number of distinct stacks.
/// Threads: any.
/// Cost: visits all stacks and samples.
std::vector<FrameModule> heaviestModules(const Timeline& timeline, std::stop_token stop = {});

/// Identity of a store that has call stacks. Compare with owner_before().
using StackOwner = std::weak_ptr<const Store>;
std::vector<StackOwner> stackOwners(const Timeline& timeline); ///< Returns all stores that have call stacks. Threads: any.

/// Reads the symbols of all modules in a view's rows; frameText() then returns function names for these rows.
/// Threads: any but the UI thread.
/// Cost: reads each module's symbols once.
void readFrameNames(const Timeline& timeline, std::string_view view, std::stop_token stop = {});

} // namespace helio
