// Fuzzer of the readers of ELF files: headers, symbols, unwind tables, debug information (DWARF) and code. No input may cause a crash, a
// hang, or more memory use than the size of the file justifies.

#include "core/symbol/code/code_reader.h"
#include "core/symbol/frames/call_frames.h"
#include "core/symbol/libdw/dwarf_lines.h"
#include "tests/fuzz/fuzz_input.h"

#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto bytes = fuzzBytes(fuzzText(data, size));
    const auto opened = ElfFile::fromBytes({bytes.begin(), bytes.end()}, "fuzzed");
    if (!opened)
        return 0;
    const std::shared_ptr<const ElfFile>& file = *opened;
    (void)file->debugLink();
    (void)file->bytesAt(file->firstVaddr(), 100);
    (void)file->offsetOfVaddr(file->vaddrOfOffset(4096).value_or(0));
    SymbolTable table;
    (void)addElfSymbols(table, file, false);
    (void)addElfSymbols(table, file, true);
    addPltSymbols(table, file);
    table.finish();
    (void)sourcesOfLocalSymbols(*file);
    const auto frames = ehFramesOf(file);
    const auto debugFrames = debugFramesOf(file);
    // libdw runs here as it does in its helper program.
    const int copy = ::memfd_create("fuzzed", MFD_CLOEXEC);
    if (copy < 0 || ::write(copy, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        std::abort();
    DwarfLines info(copy, -1, std::size_t{16} << 20);
    std::size_t left = 20; // Number of functions to read; more of them would repeat the work.
    for (const SymbolTable::Entry& entry : table.entries()) {
        if (left-- == 0)
            break;
        (void)frames->frames.rowAt(entry.begin);
        (void)debugFrames->frames.rowAt(entry.begin);
        FunctionCode code;
        readCode(code, *file, table, entry, [](std::uint64_t vaddr) { return vaddr; });
        (void)info.framesAt(entry.begin);
        (void)info.framesAt(entry.begin + (entry.end - entry.begin) / 2);
        (void)info.linesOf(entry.begin, entry.end);
    }
    ::close(copy);
    return 0;
}
