#include "core/recording/machine.h"
#include "core/symbol/files/elf_file.h"

#include <array>
#include <cstring>

namespace helio {
namespace {

constexpr std::size_t FewestFunctions = 8; ///< Fewer functions say too little about the options of the compiler.
constexpr std::size_t MostFunctions = 4096; ///< Maximum number of functions to look at, spread over the program.
constexpr std::array<std::uint8_t, 4> Prologue{0x55, 0x48, 0x89, 0xe5}; ///< push %rbp; mov %rsp,%rbp.
constexpr std::array<std::uint8_t, 4> BranchTarget{0xf3, 0x0f, 0x1e, 0xfa}; ///< endbr64, which -fcf-protection puts first.

template <std::size_t Size> bool beginsWith(std::span<const std::byte> code, const std::array<std::uint8_t, Size>& bytes)
{
    return code.size() >= Size && std::memcmp(code.data(), bytes.data(), Size) == 0;
}

bool keepsFramePointer(std::span<const std::byte> code)
{
    return beginsWith(beginsWith(code, BranchTarget) ? code.subspan(BranchTarget.size()) : code, Prologue);
}

template <typename Number> Number numberAt(std::span<const std::byte> bytes, std::size_t offset)
{
    Number number{};
    std::memcpy(&number, bytes.data() + offset, sizeof number);
    return number;
}

} // namespace

std::optional<bool> keepsFramePointers(const std::filesystem::path& program)
{
    // Layout of .eh_frame_hdr: Linux Standard Base, "DWARF Extensions". Linkers write it with these encodings only.
    constexpr std::array<std::uint8_t, 4> Head{1, 0x1b, 0x03, 0x3b};
    constexpr std::size_t TableOffset = 12;
    const auto file = ElfFile::open(program);
    if (!file || (*file)->machine() != ElfMachine::X86_64)
        return {};
    const ElfSection* const section = (*file)->section(".eh_frame_hdr");
    const auto bytes = section ? (*file)->bytesOf(*section) : std::span<const std::byte>();
    if (bytes.size() < TableOffset || !beginsWith(bytes, Head))
        return {};
    const std::size_t functions = std::min<std::size_t>(numberAt<std::uint32_t>(bytes, 8), (bytes.size() - TableOffset) / 8);
    if (functions < FewestFunctions)
        return {};
    const std::size_t step = (functions + MostFunctions - 1) / MostFunctions;
    std::size_t seen = 0;
    std::size_t keeping = 0;
    for (std::size_t i = 0; i < functions; i += step) {
        const std::int64_t offset = numberAt<std::int32_t>(bytes, TableOffset + 8 * i);
        ++seen;
        keeping += keepsFramePointer((*file)->bytesAt(section->address + static_cast<std::uint64_t>(offset), 8));
    }
    return 2 * keeping >= seen;
}

} // namespace helio
