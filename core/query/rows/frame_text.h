#pragma once

#include "core/query/rows/rows.h"
#include "core/store/stacks.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// What a module is called where it is shown: "libc.so.6", "[kernel.kallsyms]", "[JIT]", as perf calls memory that programs compile into.
/// Empty for the unknown one.
std::string shortName(const Module& module);

/// What perf calls memory without a file or a name, which only programs that compile use for code.
constexpr std::string_view JitModule = "[JIT]";

/// "libfoo.so+0x1a2b": an address in a module that is shown so.
std::string placeIn(const Module& module, const std::string& shown, std::uint64_t address);

/// The function that a call stack of a store ends with: its name where that is known without reading a file, else the address that it had
/// in its process, "0x1a2b", else its place in a module, "libfoo.so+0x1a2b". Empty: there is no such stack. Threads: any; never waits.
std::string frameText(const Timeline& timeline, StoreIndex store, StackId stack);

/// The name that the recording itself gives such a function, as one that was made without addresses does. Empty: there is no such stack, or
/// it gives none. Threads: any; never waits.
std::string recordedFunction(const Timeline& timeline, StoreIndex store, StackId stack);

/// What the module is called that such a function lies in: shortName(). Empty: there is no such stack, or nobody knows. Threads: any; never
/// waits.
std::string frameModuleText(const Timeline& timeline, StoreIndex store, StackId stack);

/// Whether that module is the kernel, or one of its own. Threads: any; never waits.
bool isKernelFrame(const Timeline& timeline, StoreIndex store, StackId stack);

/// Why such a function has no name, in a sentence for people. Empty: it has one. Threads: any but the UI's: reads files.
std::string whyUnnamed(const Timeline& timeline, StoreIndex store, StackId stack);

/// A module that frames of rows lie in.
struct FrameModule {
    std::string name; ///< shortName()
    bool isKernel = false; ///< As isKernelFrame().
    bool operator==(const FrameModule&) const = default;
};

/// The modules that the frames of a view's rows lie in, one for each name: those with the most different stacks first. Threads: any. Cost:
/// of all stacks of their stores.
std::vector<FrameModule> frameModules(const Timeline& timeline, std::string_view view, std::stop_token stop = {});

/// All modules that frames of samples and calls lie in, one for each name, the heaviest first: those that the most samples end in, then
/// those with the most different stacks. Threads: any. Cost: of all stacks and samples.
std::vector<FrameModule> heaviestModules(const Timeline& timeline, std::stop_token stop = {});

/// A store that has stacks, to be told from others by its owner.
using StackOwner = std::weak_ptr<const Store>;
std::vector<StackOwner> stackOwners(const Timeline& timeline); ///< All of them. Threads: any.

/// Reads the symbols of the modules that the frames of a view's rows lie in, so that frameText() knows their names. Threads: any but the
/// UI's. Cost: of reading each module's symbols once.
void readFrameNames(const Timeline& timeline, std::string_view view, std::stop_token stop = {});

} // namespace helio
