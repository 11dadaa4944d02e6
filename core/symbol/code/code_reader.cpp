#include "core/symbol/code/code_reader.h"

#include "core/symbol/code/disassembler.h"
#include "core/symbol/tables/demangler.h"

#include <algorithm>
#include <charconv>

namespace helio {

namespace {

/// Maximum number of bytes of one function that are read; the text of more instructions would not be readable.
constexpr std::uint64_t MaxCodeBytes = std::uint64_t{1} << 20;

std::string hexText(std::uint64_t value)
{
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
    return {digits, end};
}

} // namespace

void readCode(FunctionCode& code, const ElfFile& file, const SymbolTable& table, const SymbolTable::Entry& function,
              const AddressConverter& toTerms)
{
    code.fileAddress = function.begin;
    if (!file.hasCode()) {
        code.noCodeReason = file.path().string()
            + " has debug information only; the file with the code was not found. Add a folder that contains it "
              "with --symbols DIR or File > Symbol paths.";
        return;
    }
    const auto disassembler = Disassembler::make(file.machine());
    if (!disassembler) {
        code.noCodeReason = file.path().string() + " is for an unsupported processor (supported: x86-64 and aarch64).";
        return;
    }
    const std::uint64_t size = function.end - function.begin;
    code.isCut = size > MaxCodeBytes;
    const auto bytes = file.bytesAt(function.begin, std::min(size, MaxCodeBytes));
    if (bytes.empty()) {
        code.noCodeReason = file.path().string() + " has no bytes at the function's address.";
        return;
    }
    code.instructions = disassembler->read(bytes, function.begin, [&table](std::uint64_t at) {
        const SymbolTable::Entry* entry = table.nearest(at);
        if (!entry)
            return std::string();
        const std::string name = demangled(entry->name());
        return at == entry->begin ? name : name + "+0x" + hexText(at - entry->begin);
    });
    for (Instruction& instruction : code.instructions) {
        instruction.address = toTerms(instruction.address);
        if (instruction.target != 0)
            instruction.target = toTerms(instruction.target);
    }
}

void readLines(FunctionCode& code, DebugInfo* info, const SymbolTable::Entry& function, const AddressConverter& toTerms,
               const std::string& whyNone)
{
    if (info)
        code.lines = info->linesOf(function.begin, function.end);
    // Difference between addresses as Module::kind defines them and vaddrs. It is the same for all lines, because a function lies in one
    // segment.
    const std::uint64_t shift = toTerms(function.begin) - function.begin;
    for (LineRange& line : code.lines) {
        line.begin += shift;
        line.end += shift;
    }
    if (code.lines.empty())
        code.noLinesReason = info ? "The debug information has no lines for this function: it was compiled without -g." : whyNone;
}

} // namespace helio
