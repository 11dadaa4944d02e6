#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Reason why an address has no name, or a name has no source line.
enum class SymbolProblem : std::uint8_t {
    None,
    NoModule, ///< The address lies outside of all mappings.
    NoFile, ///< The module's file was not found.
    WrongFile, ///< Files were found, but their build differs from the recorded one.
    Unreadable, ///< The file is damaged or not an ELF file.
    Stripped, ///< The file has no symbols.
    NoSymbol, ///< The file has symbols, but no symbol at this address.
    NoKernelSymbols, ///< kallsyms belongs to another kernel, is hidden or is missing.
    Hidden, ///< All addresses in kallsyms are zero, because of kptr_restrict.
};

struct SourceLine {
    std::string file; ///< Path given to the compiler, made absolute with the compilation folder; empty if unknown.
    std::uint32_t line = 0; ///< Line number, from 1; 0 if unknown.
    bool operator==(const SourceLine&) const = default;
};

/// A function at an address: the innermost function, or a function into which it was inlined.
struct SymbolFrame {
    std::string function; ///< Demangled name without parameters; empty if unknown.
    std::string linkageName; ///< Name as it is in the symbol table of the file.
    SourceLine source; ///< Line of the address; if another function was inlined here, line of the call.
    bool isInlined = false; ///< True if the function was inlined into the function of the next frame.
    /// Distinguishes functions of a module that have the same linkage name: a source file "a.c", a declaration "a.c:12" or an address
    /// "+0x1139". Empty if the linkage name is unique.
    std::string unit{};
    SourceLine declaration{}; ///< Position of the function's declaration; `file` is empty if unknown.
    bool isExternal = false; ///< True if other files can call the function, according to the debug information.
    bool operator==(const SymbolFrame&) const = default;
};

/// Function at an address, with the functions that were inlined there, as the file's symbol table and debug information describe it.
struct Symbol {
    /// Functions at the address, innermost first; the last one is not inlined. Empty if no function is known.
    std::vector<SymbolFrame> frames;
    /// First address of the function, as Module::kind defines addresses. May also be known if the function has no name, from the
    /// file's unwind tables.
    std::uint64_t begin = 0;
    std::uint64_t size = 0; ///< Size of the function in bytes; 0 if unknown.
    SymbolProblem problem = SymbolProblem::None;
};

/// Range of addresses with code from one source line.
struct LineRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    SourceLine source;
    bool operator==(const LineRange&) const = default;
};

/// Returns an explanation for the user, for example "its file is from another build".
std::string_view explanationOf(SymbolProblem problem);

/// Returns an explanation (for example ModuleSymbols::explanation) as windows show it: without the searched places, build-ids and
/// options of the command line.
std::string withoutPlaces(std::string explanation);

/// Machine instruction. `address` and `target` are addresses as Module::kind defines them.
struct Instruction {
    enum class Kind : std::uint8_t { Other, Jump, ConditionalJump, Call, Return };

    std::uint64_t address = 0;
    std::uint64_t target = 0; ///< Target address of a direct jump or call; 0 for other instructions.
    Kind kind = Kind::Other;
    std::uint8_t size = 0; ///< Size of the instruction in bytes, at most 15.
    std::array<std::uint8_t, 15> bytes{};
    std::string text; ///< Text as objdump and perf annotate print it (AT&T syntax); "(bad)" for invalid bytes.
};

/// Code of a function, as perf annotate shows it.
struct FunctionCode {
    Symbol symbol; ///< Symbol at the function's first address.
    std::uint64_t fileAddress = 0; ///< Address of the function's first byte in the file, as the file's symbols and objdump show it.
    /// Instructions sorted by address; empty if they cannot be read, with the reason in noCodeReason.
    std::vector<Instruction> instructions;
    std::vector<LineRange> lines; ///< Source lines sorted by address; empty if unknown, with the reason in noLinesReason.
    std::string noCodeReason; ///< Reason why there are no instructions, with advice for the user.
    std::string noLinesReason;
    bool isCut = false; ///< True if the function is too long and only its first instructions were read.
};

} // namespace helio
