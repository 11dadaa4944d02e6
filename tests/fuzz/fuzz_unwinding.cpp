// Fuzzer of unwinding: makes an ELF file with unwind tables of random instructions, and unwinds stacks of random words with it. No input
// may cause a crash, a hang, or more memory use than the size of file and stack justifies.

#include "core/symbol/frames/call_frames.h"
#include "core/symbol/unwinding/unwinder.h"
#include "tests/fuzz/fuzz_input.h"

#include <array>
#include <vector>

using namespace helio;

namespace {

constexpr std::uint64_t TextAt = 0x1000; ///< Offset and vaddr of the code, which has one page.
constexpr std::uint64_t TablesAt = 0x2000; ///< Offset and vaddr of .eh_frame.
constexpr std::uint64_t LoadedAt = 0x400000;

/// Appends an entry of .eh_frame with its size, padded by instructions without effect.
void addEntry(FuzzBytes& tables, const FuzzBytes& body)
{
    const std::size_t padding = (4 - body.all.size() % 4) % 4;
    tables.u32(body.all.size() + padding).raw(body.all).zeros(padding);
}

std::string makeTables(FuzzInput& input)
{
    FuzzBytes tables;
    const std::size_t functions = input.below(6);
    std::uint64_t description = 0;
    for (std::size_t i = 0; i < functions; ++i) {
        if (i % 3 == 0) { // The entry that describes the next functions.
            description = tables.all.size();
            FuzzBytes body;
            body.u32(0).u8(1).raw(std::string_view("zR\0", 3)).u8(1).u8(0x78).u8(16).u8(1);
            body.u8(input.byte() % 16 == 0 ? input.byte() : 0x1b).raw(std::string_view("\x0c\x07\x08\x90\x01", 5)).raw(input.text());
            addEntry(tables, body);
        }
        FuzzBytes body;
        const std::uint64_t here = tables.all.size() + 4;
        body.u32(here - description).u32(TextAt + 256 * i - (TablesAt + here + 4)).u32(input.byte() % 8 == 0 ? input.number() : 256).u8(0);
        addEntry(tables, body.raw(input.text()));
    }
    return tables.u32(0).all;
}

std::string makeFile(std::string_view tables, std::string_view code, bool isArm)
{
    const std::string_view names("\0.text\0.eh_frame\0.shstrtab\0", 27);
    const std::uint64_t namesAt = TablesAt + tables.size();
    const std::uint64_t sectionsAt = (namesAt + names.size() + 7) / 8 * 8;
    FuzzBytes file;
    file.raw(std::string_view("\x7f"
                              "ELF\2\1\1\0\0\0\0\0\0\0\0\0",
                              16))
        .u16(3)
        .u16(isArm ? 183 : 62)
        .u32(1)
        .u64(TextAt)
        .u64(64);
    file.u64(sectionsAt).u32(0).u16(64).u16(56).u16(1).u16(64).u16(4).u16(3);
    file.u32(1).u32(5).u64(0).u64(0).u64(0).u64(namesAt).u64(namesAt).u64(4096); // The only segment.
    file.zeros(TextAt - file.all.size()).raw(code.substr(0, TablesAt - TextAt)).zeros(TablesAt - file.all.size());
    file.raw(tables).raw(names).align(8).zeros(64);
    const auto section = [&](std::uint64_t name, unsigned type, unsigned flags, std::uint64_t at, std::uint64_t size) {
        file.u32(name).u32(type).u64(flags).u64(at).u64(at).u64(size).u32(0).u32(0).u64(8).u64(0);
    };
    section(1, 1, 6, TextAt, TablesAt - TextAt);
    section(7, 1, 2, TablesAt, tables.size());
    section(17, 3, 0, namesAt, names.size());
    return file.all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const FuzzFolder folder;
    FuzzInput input(data, size);
    const bool isArm = input.byte() % 4 == 0;
    const std::string tables = input.byte() % 8 == 0 ? std::string(input.text()) : makeTables(input);
    const std::string code(input.text());
    std::array<Module, 2> modules;
    modules[1].kind = Module::Kind::File;
    modules[1].path = folder.write("program", makeFile(tables, code, isArm)).string();
    const std::array mappings{Mapping{LoadedAt, 0x4000, 0, ModuleId{1}, true}};

    // Words of registers and stack are mostly addresses of the code or of the stack.
    constexpr std::uint64_t StackAt = 0x7fff0000;
    const auto word = [&] {
        const std::uint8_t kind = input.byte();
        return kind < 100 ? LoadedAt + TextAt + input.take<std::uint16_t>() % 0x1000
            : kind < 200  ? StackAt + input.take<std::uint16_t>() % 0x1000
                          : input.number();
    };
    std::vector<std::uint64_t> registers(isArm ? 33 : 20);
    const std::uint64_t mask = isArm ? 0x1ffffffff : 0xff0fff;
    for (std::uint64_t& value : registers)
        value = input.isEmpty() ? 0 : word();
    registers[isArm ? 31 : 7] = StackAt;
    registers[isArm ? 32 : 8] = LoadedAt + TextAt + input.take<std::uint16_t>() % 0x600;
    std::vector<std::uint64_t> stack;
    while (!input.isEmpty())
        stack.push_back(word());

    const auto symbolizer = Symbolizer::make();
    if (const auto unwinder = Unwinder::make(isArm ? ElfMachine::AArch64 : ElfMachine::X86_64, symbolizer)) {
        unwinder->setMappings(mappings, modules);
        (void)unwinder->unwind({UserRegisters::Abi::Bits64, mask, registers}, std::as_bytes(std::span(stack)));
    }
    (void)symbolizer->resolve(modules[1], TextAt, false);
    return 0;
}
