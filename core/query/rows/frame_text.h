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

/// Name that perf gives to memory without a file or name. Only programs that compile at run time use such memory for code.
constexpr std::string_view JitModule = "[JIT]";

/// Returns the text of an address in a module that is shown as `shown`: "libfoo.so+0x1a2b".
std::string placeIn(const Module& module, const std::string& shown, std::uint64_t address);

/// Returns the function of a stack's innermost frame: its name if known without reading a file, else its address in the process
/// ("0x1a2b"), else its place in a module ("libfoo.so+0x1a2b"). Empty: there is no such stack.
/// Threads: any; never waits.
std::string frameText(const Timeline& timeline, StoreIndex store, StackId stack);

/// Returns the name that the recording itself gives to the innermost function, for example if it was recorded without addresses. Empty:
/// there is no such stack, or it has no such name.
/// Threads: any; never waits.
std::string recordedFunction(const Timeline& timeline, StoreIndex store, StackId stack);

/// Returns the shortName() of the innermost frame's module. Empty: there is no such stack, or the module is not known.
/// Threads: any; never waits.
std::string frameModuleText(const Timeline& timeline, StoreIndex store, StackId stack);

/// True if the innermost frame is in the kernel or in a kernel module.
/// Threads: any; never waits.
bool isKernelFrame(const Timeline& timeline, StoreIndex store, StackId stack);

/// Returns why the innermost function has no name, as a sentence for the user. Empty: it has a name.
/// Threads: any but the UI thread: reads files.
std::string unnamedReason(const Timeline& timeline, StoreIndex store, StackId stack);

/// A module that frames of rows are in.
struct FrameModule {
    std::string name; ///< Result of shortName().
    bool isKernel = false; ///< The kernel or a kernel module.
    bool operator==(const FrameModule&) const = default;
};

/// Returns the modules of the frames of a view's rows, one for each name; modules with the most different stacks come first.
/// Threads: any.
/// Cost: visits all stacks of their stores.
std::vector<FrameModule> frameModules(const Timeline& timeline, std::string_view view, std::stop_token stop = {});

/// Returns all modules of the frames of samples and calls, one for each name, the heaviest first: by samples that end in the module, then
/// by different stacks.
/// Threads: any.
/// Cost: visits all stacks and samples.
std::vector<FrameModule> heaviestModules(const Timeline& timeline, std::stop_token stop = {});

/// A store that has stacks; stores are compared by owner.
using StackOwner = std::weak_ptr<const Store>;
std::vector<StackOwner> stackOwners(const Timeline& timeline); ///< Returns all stores that have stacks. Threads: any.

/// Reads the symbols of the modules of the frames of a view's rows, so that frameText() knows their names.
/// Threads: any but the UI thread.
/// Cost: reads each module's symbols once.
void readFrameNames(const Timeline& timeline, std::string_view view, std::stop_token stop = {});

} // namespace helio
