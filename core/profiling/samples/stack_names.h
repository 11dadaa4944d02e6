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

/// Index of a function in StackNames; 0 is the unknown one.
enum class FunctionId : std::uint32_t {};

/// What kind of code a frame is, for colours.
enum class CodeKind : std::uint8_t {
    Unknown,
    Thread, ///< No code: the frame of a command, process or thread, below the outermost function; of a thread's state, above the innermost.
    User, ///< The program itself.
    Library, ///< A shared object.
    Jit, ///< Compiled at run time.
    Vdso,
    Kernel,
    KernelModule,
    Guest,
};

/// A function, as far as it could be named: a symbol of a module, or a subroutine that was inlined everywhere. Inlined copies of a symbol's
/// function are the symbol's. Code without a name is one function for each place.
struct SampledFunction {
    std::string name; ///< Demangled, without parameters. Empty: not known.
    std::string module; ///< As shown: "libc.so.6", "[kernel.kallsyms]". Empty: not known.
    std::string modulePath; ///< As recorded.
    std::string problem; ///< Why it has no name: "the file has no symbols". Empty: it has one, or is still to be named.
    CodeKind code = CodeKind::Unknown;
    bool isInlined = false; ///< Everywhere it was met: it has no code of its own here.
    // Where it was first met: what the source view opens.
    StoreIndex store{}; ///< Whose modules are meant.
    ModuleId moduleId = UnknownModule;
    std::uint64_t address = 0; ///< Its first, where that is known; else the one that was sampled. In the terms of Module::kind.
    /// Where it lies, without a name: "libfoo.so+0x1a2b", in bytes of the file (of the kernel: from its begin; of memory without a file:
    /// the address). Its first byte where its file gives its bounds, else what was sampled. Empty: it has a name, or lies in no module.
    std::string place;
    std::string color{}; ///< Of what is no code: ProfileText::color.
    std::string linkageName{}; ///< Name in the module's file: "_Z3addi.cold". Empty if only `name` is known.
    std::string unit{}; ///< SymbolFrame::unit: distinguishes functions of one linkage name in the module.
    /// The label where several functions of a module have the name: with parameters ("add(int)"), or with the unit ("helper (a.c)").
    std::string distinctName{};

    /// Its name, where that repeats its distinct name, else its place, else "[unknown]".
    const std::string& label() const;
    /// True if `text` is the label, the name with or without parameters, or the linkage name.
    bool isCalled(std::string_view text) const;
    /// In folded stacks: its name, with the ending that it had in folded stacks, as "schedule_[k]"; else its module as FlameGraph's
    /// stackcollapse-perf.pl has it, "[libfoo.so]", else "[unknown]".
    std::string foldedLabel() const;
};

/// Identity of a function, equal in any two profiles. Holds views of the function that it was made from.
struct FunctionIdentity {
    std::string_view symbol; ///< Linkage name, else name, else place.
    std::string_view unit;
    std::string_view module;
    auto operator<=>(const FunctionIdentity&) const = default;
};
FunctionIdentity identityOf(const SampledFunction& function);

/// The place of the same function. None: it is not there.
std::optional<FunctionId> findFunction(std::span<const SampledFunction> functions, const SampledFunction& function);

/// Gives functions whose name another function of their module has a distinct one. Requires: none has one yet.
void distinguishNames(std::vector<SampledFunction>& functions);

struct NamedFrame {
    FunctionId function{};
    bool isInlined = false; ///< Its code was copied into the next one.
    bool operator==(const NamedFrame&) const = default;
};

/// The names of a profile's nodes. A value.
struct StackNames {
    std::vector<SampledFunction> functions;
    std::vector<NamedFrame> frames; ///< Of all nodes, innermost first.
    std::vector<std::uint32_t> firstFrame; ///< By node, and one more for the end.
    std::vector<std::string> doubts; ///< Sentences: what was set and not used, or could not be checked (Symbolizer::doubtOf).
    bool isComplete = false; ///< False: addresses without a name may get one yet (stopped, or namedByAddress()).

    std::span<const NamedFrame> framesOf(std::uint32_t node) const
    {
        return std::span(frames).subspan(firstFrame[node], firstFrame[node + 1] - firstFrame[node]);
    }
};

/// Addresses as names: what can be shown at once, while nameStacks() is at work. Cost: microseconds a thousand nodes.
StackNames namedByAddress(const StackProfile& profile, const Timeline& timeline);

struct NamingOptions {
    bool expandsInlined = true; ///< Functions inlined at an address become frames of their own.
};

/// Names a profile through the timeline's symbolizer; without one, as namedByAddress().
///
/// Threads: any but the UI's: reads files. Errors: in SampledFunction::problem. Stopped: what has no name yet stays an address.
/// Cost: each address once; some microseconds where its module is known to the symbolizer.
StackNames nameStacks(const StackProfile& profile, const Timeline& timeline, NamingOptions options = {}, QueryProgress* progress = nullptr,
                      std::stop_token stop = {});

} // namespace helio
