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

/// Index of a function in StackNames; 0 is the unknown function.
enum class FunctionId : std::uint32_t {};

/// Kind of code of a frame, for colours.
enum class CodeKind : std::uint8_t {
    Unknown,
    /// No code: the frame of a command, process or thread below the outermost function, or of a thread's state above the innermost.
    Thread,
    User, ///< The program itself.
    Library, ///< A shared object.
    Jit, ///< Compiled at run time.
    Vdso,
    Kernel,
    KernelModule,
    Guest,
};

/// A function, as far as it could be named: a symbol of a module, or a subroutine that was inlined everywhere. Inlined copies of a symbol's
/// function count as the symbol. Code without a name is a separate function for each address.
struct SampledFunction {
    std::string name; ///< Demangled, without parameters; empty if not known.
    std::string module; ///< Name under which the module is shown: "libc.so.6", "[kernel.kallsyms]". Empty if not known.
    std::string modulePath; ///< Recorded path.
    std::string problem; ///< Why it has no name: "the file has no symbols". Empty: it has a name, or is not named yet.
    CodeKind code = CodeKind::Unknown;
    bool isInlined = false; ///< True if it was inlined in all its frames: it has no code of its own here.
    // The first frame in which it was met; the source view opens this code.
    StoreIndex store{}; ///< Store whose modules `moduleId` refers to.
    ModuleId moduleId = UnknownModule;
    std::uint64_t address = 0; ///< First address if known, else the sampled address; see Module::kind for what addresses mean.
    /// Position of a function without a name: "libfoo.so+0x1a2b", in bytes of the file (of the kernel: from its begin; of memory without a
    /// file: the address). The function's first byte if the file gives its bounds, else the sampled address. Empty: it has a name, or lies
    /// in no module.
    std::string place;
    std::string color{}; ///< ProfileText::color, if the function is no code.
    std::string linkageName{}; ///< Name in the module's file: "_Z3addi.cold". Empty if only `name` is known.
    std::string unit{}; ///< SymbolFrame::unit: distinguishes functions of one linkage name in the module.
    /// Label if several functions of a module have the same name: with parameters ("add(int)"), or with the unit ("helper (a.c)").
    std::string distinctName{};

    /// Returns the text to show: the distinct name if there is one, else the name, else the place, else "[unknown]".
    const std::string& label() const;
    /// True if `text` is the label, the name with or without parameters, or the linkage name.
    bool isCalled(std::string_view text) const;
    /// Returns the name for folded stacks. If the function comes from folded stacks, the name has its annotation again, e.g.
    /// "schedule_[k]". Without a name, it is the module in the format of FlameGraph's stackcollapse-perf.pl, "[libfoo.so]", else
    /// "[unknown]".
    std::string foldedLabel() const;
};

/// Identity of a function, equal in any two profiles. Has views of strings of the function that it was made from.
struct FunctionIdentity {
    std::string_view symbol; ///< Linkage name, else name, else place.
    std::string_view unit;
    std::string_view module;
    auto operator<=>(const FunctionIdentity&) const = default;
};
FunctionIdentity identityOf(const SampledFunction& function);

/// Returns the index of the same function; nullopt if there is none.
std::optional<FunctionId> findFunction(std::span<const SampledFunction> functions, const SampledFunction& function);

/// Sets `distinctName` of all functions that share their name with another function of their module. Requires: no function has one yet.
void distinguishNames(std::vector<SampledFunction>& functions);

struct NamedFrame {
    FunctionId function{};
    bool isInlined = false; ///< True if its code was inlined into the next frame.
    bool operator==(const NamedFrame&) const = default;
};

/// Names of a profile's nodes. A value.
struct StackNames {
    std::vector<SampledFunction> functions;
    std::vector<NamedFrame> frames; ///< Frames of all nodes; innermost first within a node.
    std::vector<std::uint32_t> firstFrame; ///< Indexed by node: index of its first frame in `frames`; one more element for the end.
    std::vector<std::string> doubts; ///< Sentences about settings that were not used or could not be checked (Symbolizer::doubtOf).
    bool isComplete = false; ///< False if addresses without a name may get one yet (stopped, or nameByAddress()).

    std::span<const NamedFrame> framesOf(std::uint32_t node) const
    {
        return std::span(frames).subspan(firstFrame[node], firstFrame[node + 1] - firstFrame[node]);
    }
};

/// Names nodes by their addresses, to be shown while nameStacks() is at work.
/// Cost: microseconds a thousand nodes.
StackNames nameByAddress(const StackProfile& profile, const Timeline& timeline);

struct NamingOptions {
    bool expandsInlined = true; ///< True if functions inlined at an address become frames of their own.
};

/// Names a profile's nodes through the timeline's symbolizer; without one, like nameByAddress(). If stopped, functions without a name yet
/// have only their address.
///
/// Threads: any but the UI thread: reads files.
/// Errors: in SampledFunction::problem.
/// Cost: each address once; some microseconds if the symbolizer knows its module.
StackNames nameStacks(const StackProfile& profile, const Timeline& timeline, NamingOptions options = {}, QueryProgress* progress = nullptr,
                      std::stop_token stop = {});

} // namespace helio
