#include "core/symbol/libdw/dwarf_lines.h"

#include "core/symbol/libdw/die_scopes.h"

#include <algorithm>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <filesystem>
#include <gelf.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>

namespace helio {

namespace {

constexpr std::size_t BytesOfLine = 64; ///< Approximate number of bytes that libdw needs for a row of the line table.
constexpr std::size_t MaxUnits = 1'000'000;
constexpr std::size_t MaxUnitRanges = 8'000'000;
constexpr std::size_t MaxSplitFiles = 10'000;
constexpr std::size_t MaxLineRanges = 1'000'000;

} // namespace

/// A file in memory, mapped for writing but private: libelf changes section headers in place when sections are decompressed.
struct DwarfLines::View {
    std::span<std::byte> bytes;
    Elf* elf = nullptr;
    Dwarf* dwarf = nullptr;

    explicit View(int descriptor);
    ~View();
    View(const View&) = delete;
    View& operator=(const View&) = delete;
};

namespace {

SourceLine sourceOf(const char* file, int line) { return {file ? file : "", line > 0 ? static_cast<std::uint32_t>(line) : 0U}; }

SymbolFrame frameOf(Dwarf_Die& function, DieScopes& scopes)
{
    SymbolFrame frame;
    frame.function = scopes.nameOf(function);
    const char* linkage = linkageNameOf(function);
    frame.linkageName = linkage ? linkage : frame.function;
    int line = 0;
    if (Dwarf_Die declared = scopes.declarationScope(function); dwarf_decl_line(&declared, &line) == 0)
        frame.declaration = sourceOf(dwarf_decl_file(&declared), line);
    frame.isExternal = dwarf_hasattr_integrate(&function, DW_AT_external) != 0;
    return frame;
}

/// Hides compressed sections that are not needed, because libdw decompresses all compressed sections at once. The locations of
/// variables, for example, are a sixth of the bytes.
void hideUnused(Elf* elf)
{
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || (header.sh_flags & SHF_COMPRESSED) == 0)
            continue;
        const char* const text = elf_strptr(elf, names, header.sh_name);
        const std::string_view name = text ? text : "";
        if (name != ".debug_loc" && name != ".debug_loclists" && name != ".debug_macro" && name != ".debug_frame")
            continue;
        header.sh_type = SHT_NOBITS;
        gelf_update_shdr(section, &header);
    }
}

/// Returns the path of the file with a unit's DIEs if they were split off the program (.dwo); empty if they were not.
std::string splitFileOf(Dwarf_Die& unit)
{
    const auto textOf = [&](int attributeName) {
        Dwarf_Attribute attribute;
        const char* text = dwarf_attr(&unit, static_cast<unsigned>(attributeName), &attribute) ? dwarf_formstring(&attribute) : nullptr;
        return std::string(text ? text : "");
    };
    std::string name = textOf(DW_AT_dwo_name);
    if (name.empty())
        name = textOf(DW_AT_GNU_dwo_name);
    return name.empty() ? name : (std::filesystem::path(textOf(DW_AT_comp_dir)) / name).string();
}

} // namespace

DwarfLines::View::View(int descriptor)
{
    struct stat facts = {};
    if (::fstat(descriptor, &facts) != 0 || facts.st_size == 0)
        return;
    const auto size = static_cast<std::size_t>(facts.st_size);
    void* const data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
    if (data == MAP_FAILED)
        return;
    bytes = {static_cast<std::byte*>(data), size};
    elf_version(EV_CURRENT);
    elf = elf_memory(static_cast<char*>(data), size);
    if (!elf)
        return;
    hideUnused(elf);
    dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
}

DwarfLines::View::~View()
{
    if (dwarf)
        dwarf_end(dwarf);
    if (elf)
        elf_end(elf);
    if (!bytes.empty())
        ::munmap(bytes.data(), bytes.size());
}

DwarfLines::DwarfLines(int file, int sharedFile, std::size_t mostBytes)
    : m_file(file)
    , m_sharedFile(sharedFile)
    , m_mostBytes(mostBytes)
{
    if (open())
        indexUnits();
}

DwarfLines::~DwarfLines() = default;

Dwarf* DwarfLines::dwarf() const { return m_view->dwarf; }

bool DwarfLines::open()
{
    m_view.reset();
    m_sharedView.reset();
    m_view = std::make_unique<View>(m_file);
    if (!dwarf())
        return false;
    if (m_sharedFile >= 0) {
        m_sharedView = std::make_unique<View>(m_sharedFile);
        if (m_sharedView->dwarf)
            dwarf_setalt(dwarf(), m_sharedView->dwarf);
    }
    return true;
}

void DwarfLines::addRanges(Dwarf_Die& die, std::uint32_t unit)
{
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; m_ranges.size() < MaxUnitRanges && (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
        if (begin < end && begin != 0) // Skip ranges at address zero, which are code that the linker dropped.
            m_ranges.push_back({begin, end, unit});
}

void DwarfLines::indexUnits()
{
    Dwarf_CU* cu = nullptr;
    Dwarf_Die die{};
    std::uint8_t type = 0;
    while (m_units.size() < MaxUnits && dwarf_get_units(dwarf(), cu, &cu, nullptr, &type, &die, nullptr) == 0) {
        if (type != DW_UT_compile && type != DW_UT_skeleton)
            continue;
        Unit unit;
        unit.offset = dwarf_dieoffset(&die);
        const auto index = static_cast<std::uint32_t>(m_units.size());
        m_units.push_back(std::move(unit));
        addRanges(die, index);
        if (type == DW_UT_skeleton && m_splitFiles.size() < MaxSplitFiles)
            if (std::string path = splitFileOf(die); !path.empty())
                m_splitFiles.push_back(std::move(path));
    }
    std::ranges::stable_sort(m_ranges, {}, &UnitRange::begin);
}

DwarfLines::Unit* DwarfLines::unitAt(std::uint64_t vaddr)
{
    if (m_readBytes + m_scopes.byteCount() > m_mostBytes)
        forgetUnits();
    auto range = std::ranges::upper_bound(m_ranges, vaddr, {}, &UnitRange::begin);
    for (int steps = 0; range != m_ranges.begin() && steps < 16; ++steps) {
        --range;
        if (vaddr >= range->end)
            continue;
        Unit& unit = m_units[range->unit];
        if (!unit.isLoaded)
            load(unit);
        return unit.lines || !unit.scopes.isEmpty() ? &unit : nullptr;
    }
    return nullptr;
}

void DwarfLines::forgetUnits()
{
    for (Unit& unit : m_units) {
        const Dwarf_Off offset = unit.offset;
        unit = {};
        unit.offset = offset;
    }
    m_readBytes = 0;
    m_scopes = {};
    if (!open())
        m_units.clear(), m_ranges.clear();
}

void DwarfLines::load(Unit& unit)
{
    unit.isLoaded = true;
    Dwarf_Die die{}, split{};
    std::uint8_t type = 0;
    if (!dwarf_offdie(dwarf(), unit.offset, &unit.die)
        || dwarf_cu_info(unit.die.cu, nullptr, &type, &die, &split, nullptr, nullptr, nullptr) != 0)
        return;
    if (dwarf_getsrclines(&unit.die, &unit.lines, &unit.lineCount) != 0)
        unit.lines = nullptr, unit.lineCount = 0;
    if (type == DW_UT_skeleton && split.cu)
        unit.die = split;
    if (dwarf_getsrcfiles(&unit.die, &unit.files, &unit.fileCount) != 0)
        unit.files = nullptr, unit.fileCount = 0;
    unit.scopes.read(unit.die);
    m_readBytes += unit.lineCount * BytesOfLine + unit.scopes.byteCount();
}

SourceLine DwarfLines::lineAt(Unit& unit, std::uint64_t vaddr)
{
    // Binary search for the last row of the line table at or before the address. If this row ends a sequence, the address has no
    // line.
    std::size_t low = 0, high = unit.lineCount;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        Dwarf_Addr at = 0;
        dwarf_lineaddr(dwarf_onesrcline(unit.lines, middle), &at);
        at <= vaddr ? low = middle + 1 : high = middle;
    }
    if (low == 0)
        return {};
    Dwarf_Line* row = dwarf_onesrcline(unit.lines, low - 1);
    bool ends = true;
    int line = 0;
    if (dwarf_lineendsequence(row, &ends) != 0 || ends || dwarf_lineno(row, &line) != 0)
        return {};
    return sourceOf(dwarf_linesrc(row, nullptr, nullptr), line);
}

SourceLine DwarfLines::callOf(Unit& unit, Dwarf_Die& inlined)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    if (dwarf_attr(&inlined, DW_AT_call_line, &attribute))
        dwarf_formudata(&attribute, &line);
    const char* name = nullptr;
    if (dwarf_attr(&inlined, DW_AT_call_file, &attribute) && dwarf_formudata(&attribute, &file) == 0 && file < unit.fileCount)
        name = dwarf_filesrc(unit.files, file, nullptr, nullptr);
    return sourceOf(name, line <= 0x7FFFFFFF ? static_cast<int>(line) : 0);
}

std::vector<SymbolFrame> DwarfLines::framesAt(std::uint64_t vaddr)
{
    Unit* unit = unitAt(vaddr);
    if (!unit)
        return {};
    // DIEs of the function at the address and of the functions inlined there, outermost first.
    std::vector<Dwarf_Die> chain = unit->scopes.at(vaddr);
    std::vector<SymbolFrame> frames;
    SourceLine source = lineAt(*unit, vaddr);
    for (std::size_t i = chain.size(); i-- > 0;) {
        SymbolFrame& frame = frames.emplace_back(frameOf(chain[i], m_scopes));
        frame.source = std::move(source);
        frame.isInlined = i > 0;
        source = frame.isInlined ? callOf(*unit, chain[i]) : SourceLine{};
    }
    if (frames.empty() && !source.file.empty())
        frames.push_back({{}, {}, std::move(source), false});
    return frames;
}

std::vector<LineRange> DwarfLines::linesOf(std::uint64_t begin, std::uint64_t end)
{
    std::vector<LineRange> ranges;
    Unit* unit = unitAt(begin);
    if (!unit)
        return ranges;
    Dwarf_Addr at = 0, next = 0;
    for (std::size_t i = 0; i + 1 < unit->lineCount && ranges.size() < MaxLineRanges; ++i) {
        Dwarf_Line* row = dwarf_onesrcline(unit->lines, i);
        bool ends = true;
        int line = 0;
        if (dwarf_lineaddr(row, &at) != 0 || at >= end || dwarf_lineaddr(dwarf_onesrcline(unit->lines, i + 1), &next) != 0)
            break;
        if (next <= begin || next <= at || dwarf_lineendsequence(row, &ends) != 0 || ends || dwarf_lineno(row, &line) != 0)
            continue;
        SourceLine source = sourceOf(dwarf_linesrc(row, nullptr, nullptr), line);
        const std::uint64_t from = std::max<std::uint64_t>(at, begin), to = std::min<std::uint64_t>(next, end);
        if (!ranges.empty() && ranges.back().end == from && ranges.back().source == source)
            ranges.back().end = to;
        else
            ranges.push_back({from, to, std::move(source)});
    }
    return ranges;
}

} // namespace helio
