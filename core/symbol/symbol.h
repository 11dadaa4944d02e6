#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Reason why an address has no name, or a name no line.
enum class SymbolProblem : std::uint8_t {
    None,
    NoModule, ///< The address lies outside of all mappings.
    NoFile, ///< The module's file was not found.
    WrongFile, ///< Files were found, but of another build.
    Unreadable, ///< The file is not an ELF file, or damaged.
    Stripped, ///< The file has no symbols.
    NoSymbol, ///< The file has symbols, but none at this address.
    NoKernelSymbols, ///< kallsyms belongs to another kernel, is hidden or is missing.
    Hidden, ///< All addresses in kallsyms are zero, because of kptr_restrict.
};

struct SourceLine {
    std::string file; ///< Path given to the compiler, made absolute with the compilation folder; empty if unknown.
    std::uint32_t line = 0; ///< Line, from 1; 0 if unknown.
    bool operator==(const SourceLine&) const = default;
};

/// A function at an address: the innermost function, or a function into which it was inlined.
struct SymbolFrame {
    std::string function; ///< Name, demangled, without parameters; empty if unknown.
    std::string linkageName; ///< Name as in the file.
    SourceLine source; ///< Line of the address; if a function was inlined here, line of the call.
    bool isInlined = false; ///< True if the code was inlined into the function of the frame after this one.
    /// Distinguishes functions with the same linkage name in a module: a source file "a.c", a declaration "a.c:12" or an address "+0x1139".
    /// Empty if the linkage name is unique.
    std::string unit{};
    SourceLine declaration{}; ///< Position of the function's declaration; `file` is empty if unknown.
    bool isExternal = false; ///< True if, according to the debug information, other files can call the function.
    bool operator==(const SymbolFrame&) const = default;
};

/// Result of the lookup of an address.
struct Symbol {
    std::vector<SymbolFrame> frames; ///< Frames, innermost first; the last one is not inlined. Empty if nothing is known.
    /// First address of the function, in the module's terms. May be known for functions without a name, from the file's unwind tables.
    std::uint64_t begin = 0;
    std::uint64_t size = 0; ///< Size in bytes; 0 if unknown.
    SymbolProblem problem = SymbolProblem::None;
};

/// Range of code from one source line.
struct LineRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    SourceLine source;
    bool operator==(const LineRange&) const = default;
};

/// Returns the explanation of a problem, for example "its file is of another build".
std::string_view explanationOf(SymbolProblem problem);

/// One machine instruction. Addresses are in the module's terms.
struct Instruction {
    enum class Kind : std::uint8_t { Other, Jump, ConditionalJump, Call, Return };

    std::uint64_t address = 0;
    std::uint64_t target = 0; ///< Target of a direct jump or call; 0 if there is none.
    Kind kind = Kind::Other;
    std::uint8_t size = 0; ///< Size in bytes.
    std::array<std::uint8_t, 15> bytes{};
    std::string text; ///< Text as objdump and perf annotate print it (AT&T syntax); "(bad)" for invalid bytes.
};

/// Code of a function, as perf annotate shows it.
struct FunctionCode {
    Symbol symbol; ///< Symbol at the function's first address.
    std::uint64_t fileAddress = 0; ///< Address of the function's first byte, as the file's own symbols (and objdump) have it.
    std::vector<Instruction> instructions; ///< Instructions by address; if empty, see noCodeReason.
    std::vector<LineRange> lines; ///< Source lines by address; if empty, see noLinesReason.
    std::string noCodeReason; ///< Sentence about what was tried and what the user can do.
    std::string noLinesReason;
    bool isCut = false; ///< True if the function is longer than the instructions read.
};

} // namespace helio
