#pragma once

#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/frame_text.h"
#include "core/trace/process/module.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

struct Timeline;

/// Index of a function in StackNames::functions; 0 is the unknown function.
enum class FunctionId : std::uint32_t {};

/// Kind of code of a frame; determines the frame's colour.
enum class CodeKind : std::uint8_t {
    Unknown,
    /// Not code: a command, process or thread below the outermost function, or a thread's state above the innermost function.
    Thread,
    User, ///< The code belongs to the program itself.
    Library, ///< The code belongs to a shared library.
    Jit, ///< The code was compiled at run time.
    Vdso,
    Kernel,
    KernelModule,
    Guest,
};

/// A function, as far as it could be named: a symbol of a module, or a subroutine that was inlined everywhere. Inlined copies of a symbol's
/// function are the same function as the symbol. Code without a name is a separate function for each address.
struct SampledFunction {
    std::string name; ///< Demangled name of the function without parameters; empty if unknown.
    std::string module; ///< Module name to display, for example "libc.so.6" or "[kernel.kallsyms]"; empty if unknown.
    std::string modulePath; ///< Path of the module as it was recorded.
    /// Reason why the function has no name, for example "its file has no symbols"; empty if it has a name or is not named yet.
    std::string problem;
    CodeKind code = CodeKind::Unknown;
    bool isInlined = false; ///< True if the function was inlined in all its frames, so that it has no code of its own in the profile.
    // Position of the first frame with this function; the source view opens the code at this position.
    StoreIndex store{}; ///< Store with the list of modules to which `moduleId` refers.
    ModuleId moduleId = UnknownModule;
    /// Address of the function's first byte if known, else the sampled address. Module::kind determines the origin of the address, for
    /// example the start of the file.
    std::uint64_t address = 0;
    /// Position of a function without a name, for example "libfoo.so+0x1a2b". It is the function's first byte if the file gives the
    /// function's bounds, else the sampled address. The number counts bytes from the start of the file or kernel; for memory without a
    /// file, it is a memory address. Empty if the function has a name or lies in no module.
    std::string place;
    std::string color{}; ///< ProfileText::color if this element is the text of a state or value; empty if it is a function.
    std::string linkageName{}; ///< Name in the module's symbol table, for example "_Z3addi.cold"; empty if only `name` is known.
    std::string unit{}; ///< SymbolFrame::unit, which distinguishes functions with the same linkage name in the module.
    /// Label if several functions of a module have the same name: the name with parameters ("add(int)"), or with the unit ("helper
    /// (a.c)"). Else empty.
    std::string distinctName{};

    /// Returns the text to display: `distinctName`, else `name`, else `place`, else "[unknown]".
    const std::string& label() const;
    /// True if `text` is the label, the name with or without parameters, or the linkage name.
    bool isCalled(std::string_view text) const;
    /// Returns the function's name in folded stacks. A function that was read from folded stacks gets its annotation again, for example
    /// "schedule_[k]". Without a name, it is the module as FlameGraph's stackcollapse-perf.pl writes it, "[libfoo.so]", else "[unknown]".
    std::string foldedLabel() const;
};

/// Identity of a function. The same function has equal identities in all profiles, even if its FunctionId differs.
/// Ownership: contains views of strings of the function from which it was made.
struct FunctionIdentity {
    std::string_view symbol; ///< Linkage name, else name, else SampledFunction::place.
    std::string_view unit;
    std::string_view module;
    auto operator<=>(const FunctionIdentity&) const = default;
};
FunctionIdentity identityOf(const SampledFunction& function);

/// Returns the index of the function in `functions` with the same identity; nullopt if there is none.
std::optional<FunctionId> findFunction(std::span<const SampledFunction> functions, const SampledFunction& function);

/// Sets `distinctName` of all functions that share their name with another function of their module. Requires: all `distinctName` are
/// empty.
void distinguishNames(std::vector<SampledFunction>& functions);

struct NamedFrame {
    FunctionId function{};
    bool isInlined = false; ///< True if the function's code was inlined into the function of the next frame.
    bool operator==(const NamedFrame&) const = default;
};

/// Names of the functions of a profile's nodes. A value type: copies are independent of each other and of the profile.
struct StackNames {
    std::vector<SampledFunction> functions;
    std::vector<NamedFrame> frames; ///< Frames of all nodes; innermost first within a node.
    /// Index into `frames` of each node's first frame, indexed by node; one more element marks the end.
    std::vector<std::uint32_t> firstFrame;
    std::vector<std::string> doubts; ///< Sentences about settings that were not used or could not be checked (Symbolizer::doubtOf).
    bool isComplete = false; ///< False if addresses without a name may get one later: after a stop request, or from nameByAddress().

    std::span<const NamedFrame> framesOf(std::uint32_t node) const
    {
        return std::span(frames).subspan(firstFrame[node], firstFrame[node + 1] - firstFrame[node]);
    }
};

/// Names nodes by their addresses, for display while nameStacks() is running.
/// Cost: microseconds for a thousand nodes.
StackNames nameByAddress(const StackProfile& profile, const Timeline& timeline);

struct NamingOptions {
    bool expandsInlined = true; ///< True if functions inlined at an address become separate frames.
};

/// Names a profile's nodes through the timeline's symbolizer; without a symbolizer, by their addresses like nameByAddress(). After a stop
/// request, functions that are not named yet have only their address.
///
/// Threads: any but the UI thread, because files are read.
/// Errors: reported in SampledFunction::problem.
/// Cost: each address is named once, in a few microseconds if the symbolizer has already read its module.
StackNames nameStacks(const StackProfile& profile, const Timeline& timeline, NamingOptions options = {}, QueryProgress* progress = nullptr,
                      std::stop_token stop = {});

} // namespace helio
