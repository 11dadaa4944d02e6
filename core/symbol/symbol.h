#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Why an address has no name, or a name no line.
enum class SymbolProblem : std::uint8_t {
    None,
    NoModule, ///< The address lies in nothing that was mapped.
    NoFile, ///< The module's file was not found.
    WrongFile, ///< Files were found, but of another build.
    Unreadable, ///< The file is no ELF file, or damaged.
    Stripped, ///< The file has no symbols.
    NoSymbol, ///< The file has symbols, but none here.
    NoKernelSymbols, ///< kallsyms is of another kernel, hidden or missing.
    Hidden, ///< kptr_restrict made all addresses zero.
};

struct SourceLine {
    std::string file; ///< As it was given to the compiler, made absolute by its folder. Empty: not known.
    std::uint32_t line = 0; ///< From 1. 0: not known.
    bool operator==(const SourceLine&) const = default;
};

/// A function at an address: the innermost, or one that it was inlined into.
struct SymbolFrame {
    std::string function; ///< Demangled, without parameters. Empty: not known.
    std::string linkageName; ///< As in the file.
    SourceLine source; ///< Of the address, or of the call where something was inlined.
    bool isInlined = false; ///< Its code was copied into the next one.
    /// Distinguishes functions of one linkage name in a module: a source file "a.c", a declaration "a.c:12" or an address "+0x1139".
    /// Empty: the linkage name is enough.
    std::string unit{};
    SourceLine declaration{}; ///< Position of the function's declaration. Without a file: not known.
    bool isExternal = false; ///< The debug information says that other files can call the function.
    bool operator==(const SymbolFrame&) const = default;
};

/// What is known of one address.
struct Symbol {
    std::vector<SymbolFrame> frames; ///< Innermost first; the last one is not inlined. Empty: nothing is known.
    /// Of the function, in the terms of the module's addresses. Known also without a name where the file has its bounds.
    std::uint64_t begin = 0;
    std::uint64_t size = 0; ///< Bytes. 0: not known.
    SymbolProblem problem = SymbolProblem::None;
};

/// A stretch of code that comes from one source line.
struct LineRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    SourceLine source;
    bool operator==(const LineRange&) const = default;
};

/// The sentence for a problem: "its file is of another build".
std::string_view explanationOf(SymbolProblem problem);

} // namespace helio
