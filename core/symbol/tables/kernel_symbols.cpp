#include "core/symbol/tables/kernel_symbols.h"

#include "core/symbol/files/module_files.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sys/utsname.h>

namespace helio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t MaxBytes = std::size_t{512} << 20;

/// Parses eight hexadecimal digits at once, as the bytes of a word. Returns false if a character is no digit.
bool readEightDigits(const char* text, std::uint64_t& value)
{
    constexpr std::uint64_t Each = 0x0101010101010101;
    std::uint64_t digits = 0;
    std::memcpy(&digits, text, sizeof(digits));
    const std::uint64_t letters = digits >> 6 & Each;
    const std::uint64_t nibbles = (digits & 0x0f * Each) + letters * 9;
    const std::uint64_t aboveNine = (nibbles + 0x76 * Each) >> 7 & Each;
    const std::uint64_t again = nibbles + '0' * Each + letters * ('a' - '0' - 10);
    if (aboveNine != letters || (nibbles & 0x10 * Each) != 0 || again != (digits | letters * 0x20))
        return false;
    std::uint64_t joined = __builtin_bswap64(nibbles);
    joined = (joined | joined >> 4) & 0x00ff00ff00ff00ff;
    joined = (joined | joined >> 8) & 0x0000ffff0000ffff;
    value = (joined | joined >> 16) & 0xffffffff;
    return true;
}

/// Parses the hexadecimal digits at the front one by one. Returns the number of digits.
std::size_t readDigits(std::string_view text, std::uint64_t& value)
{
    value = 0;
    std::size_t count = 0;
    for (; count < text.size() && count <= 16; ++count) {
        const auto c = static_cast<unsigned char>(text[count]);
        const unsigned letter = (c | 0x20U) - 'a';
        if (c - unsigned{'0'} < 10)
            value = value << 4 | (c - unsigned{'0'});
        else if (letter < 6)
            value = value << 4 | (letter + 10);
        else
            break;
    }
    return count;
}

/// Removes a hexadecimal number and the blanks after it from the front of the line. This function must be fast: kallsyms has 200,000
/// lines with 16 digits each, and reading it takes much of the time that naming a small recording takes.
bool takeHex(std::string_view& line, std::uint64_t& value)
{
    if (line.starts_with("0x"))
        line.remove_prefix(2);
    std::size_t at = 16;
    std::uint64_t low = 0;
    const bool isUsual = std::endian::native == std::endian::little && line.size() > 16 && line[16] == ' '
        && readEightDigits(line.data(), value) && readEightDigits(line.data() + 8, low);
    if (isUsual)
        value = value << 32 | low;
    else
        at = readDigits(line, value);
    if (at == 0 || at > 16 || at == line.size() || line[at] != ' ')
        return false;
    while (at < line.size() && line[at] == ' ')
        ++at;
    line.remove_prefix(at);
    return true;
}

template <typename OnLine> void forEachLine(std::string_view text, OnLine onLine)
{
    while (!text.empty()) {
        const void* const found = std::memchr(text.data(), '\n', text.size());
        const std::size_t end = found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) : text.size();
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        onLine(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// True for the symbol types of code and data in kallsyms.
bool isTypeOfInterest(char type)
{
    switch (type | 0x20) {
    case 't':
    case 'w':
    case 'd':
    case 'b': return true;
    default: return false;
    }
}

/// Returns the length of the name at the front: up to the first tab or blank.
std::size_t blankAfter(std::string_view name)
{
    for (const char blank : {'\t', ' '})
        if (const void* const found = name.empty() ? nullptr : std::memchr(name.data(), blank, name.size()))
            name = name.substr(0, static_cast<std::size_t>(static_cast<const char*>(found) - name.data()));
    return name.size();
}

SymbolTable::Binding bindingOf(char type)
{
    if (type == 'W' || type == 'w')
        return SymbolTable::Binding::Weak;
    return type >= 'A' && type <= 'Z' ? SymbolTable::Binding::Global : SymbolTable::Binding::Local;
}

/// Stores the address if the symbol marks a bound of the kernel, such as `_text`.
void keepBound(TextSymbols& symbols, std::string_view name, std::uint64_t address)
{
    if (name == "_text")
        symbols.textAddress = address;
    else if (name == "_stext")
        symbols.stextAddress = address;
    else if (name == "_etext")
        symbols.etextAddress = address;
    else if (name == "_edata")
        symbols.edataAddress = address;
}

const std::string& runningRelease()
{
    static const std::string release = [] {
        utsname names{};
        return uname(&names) == 0 ? std::string(names.release) : std::string();
    }();
    return release;
}

/// Returns the build-id from the notes of the running kernel; empty if they are unreadable.
std::string runningBuildId()
{
    const auto notes = textOf("/sys/kernel/notes");
    if (!notes)
        return {};
    // Header of the build-id note: size of the name (4), size of the build-id (20), type (3, NT_GNU_BUILD_ID), name ("GNU").
    constexpr std::string_view mark{"\4\0\0\0\24\0\0\0\3\0\0\0GNU\0", 16};
    const std::size_t at = notes->find(mark);
    if (at == std::string::npos || at + mark.size() + 20 > notes->size())
        return {};
    const std::string_view id(notes->data() + at + mark.size(), 20);
    return hexOf(std::as_bytes(std::span(id)));
}

bool isProvedToRun(const Module& module)
{
    // Compare only modules of the kind Kernel: the build-id of a kernel module belongs to the module's own file and says nothing about the
    // kernel.
    return module.kind == Module::Kind::Kernel && isSameBuildId(module.buildId, runningBuildId());
}

bool isOfRunningKernel(const Module& module)
{
    if (module.kind == Module::Kind::Kernel && !module.buildId.empty())
        return isProvedToRun(module);
    return hasRunningRelease(module);
}

/// Returns the recorded address of the kernel minus its address in `symbols`; 0 if unknown.
std::uint64_t shiftOf(const Module& module, const TextSymbols& symbols)
{
    if (module.reference == 0)
        return 0;
    const std::uint64_t here = module.referenceName == "_stext"           ? symbols.stextAddress
        : module.referenceName.empty() || module.referenceName == "_text" ? symbols.textAddress
                                                                          : 0;
    return here == 0 ? 0 : module.reference - here;
}

/// Returns the kernel's size as perf records it; 0 if `symbols` do not determine the size.
std::uint64_t textSizeOf(const TextSymbols& symbols)
{
    const std::uint64_t begin = symbols.textAddress != 0 ? symbols.textAddress : symbols.stextAddress;
    return begin != 0 && symbols.etextAddress > begin ? symbols.etextAddress - begin : 0;
}

bool hasTextSize(const TextSymbols& symbols, std::uint64_t size)
{
    for (const std::uint64_t begin : {symbols.textAddress, symbols.stextAddress})
        for (const std::uint64_t end : {symbols.etextAddress, symbols.edataAddress})
            if (begin != 0 && end > begin && end - begin == size)
                return true;
    return false;
}

std::string recordedKernel(const Module& module)
{
    std::string text = "kernel";
    if (!module.release.empty())
        text += " " + module.release;
    if (!module.buildId.empty())
        text += " with build-id " + module.buildId;
    return text;
}

std::string hexText(std::uint64_t number)
{
    std::array<char, 18> text{'0', 'x'};
    return {text.data(), std::to_chars(text.data() + 2, text.data() + text.size(), number, 16).ptr};
}

constexpr const char* Advice = "Save the recorded machine's symbols as root (cat /proc/kallsyms > kallsyms.txt), then use "
                               "--kallsyms FILE or File > Symbol paths.";

} // namespace

TextSymbols kallsymsFrom(std::string text)
{
    TextSymbols result;
    const auto owner = std::make_shared<const std::string>(std::move(text));
    bool hasLines = false, hasAddress = false;
    forEachLine(*owner, [&](std::string_view line) {
        std::uint64_t address = 0;
        if (!takeHex(line, address) || line.size() < 3 || line[1] != ' ')
            return;
        hasLines = true;
        hasAddress = hasAddress || address != 0;
        const char type = line[0];
        if (!isTypeOfInterest(type))
            return;
        const std::string_view rest = line.substr(2);
        const std::size_t blank = blankAfter(rest);
        const std::string_view name = rest.substr(0, blank);
        if (name.starts_with('_') && blank == rest.size())
            keepBound(result, name, address);
        if (!name.empty() && name[0] != '$')
            result.table.add(address, 0, name, bindingOf(type), blank < rest.size());
    });
    result.isHidden = hasLines && !hasAddress;
    if (result.isHidden)
        result.table = {};
    result.table.hold(owner);
    result.table.finish(SymbolTable::Ends::AtNextInSameModule);
    return result;
}

TextSymbols perfMapFrom(std::string text)
{
    TextSymbols result;
    const auto owner = std::make_shared<const std::string>(std::move(text));
    forEachLine(*owner, [&](std::string_view line) {
        std::uint64_t begin = 0, size = 0;
        if (takeHex(line, begin) && takeHex(line, size) && !line.empty())
            result.table.add(begin, size, line, SymbolTable::Binding::Global);
    });
    result.table.hold(owner);
    result.table.finish();
    return result;
}

TextSymbols nmSymbolsFrom(std::string text)
{
    TextSymbols result;
    const auto owner = std::make_shared<const std::string>(std::move(text));
    forEachLine(*owner, [&](std::string_view line) {
        std::uint64_t address = 0, size = 0;
        if (!takeHex(line, address))
            return;
        // A type has one letter, a size has 8 or 16 digits.
        if (line.size() > 1 && line[1] != ' ' && !takeHex(line, size))
            return;
        const bool isIndirect = line.starts_with('i'); // A function that is selected when the program is loaded.
        if (line.size() < 3 || line[1] != ' ' || (!isIndirect && !isTypeOfInterest(line[0])))
            return;
        result.table.add(address, size, line.substr(2), bindingOf(line[0]));
    });
    result.table.hold(owner);
    result.table.finish();
    return result;
}

Result<std::string> textOf(const std::filesystem::path& path)
{
    std::error_code ignored;
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path, ignored))
        return Error{Error::Kind::NotFound, path.string() + ": cannot be read"};
    std::string text;
    std::string part(std::size_t{1} << 16, '\0');
    while (text.size() < MaxBytes && (in.read(part.data(), static_cast<std::streamsize>(part.size())), in.gcount() > 0))
        text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    return text;
}

bool hasRunningRelease(const Module& module) { return !module.release.empty() && module.release == runningRelease(); }

KernelSearchResult KernelSymbols::read(Text& text, const fs::path& path, const Module& module)
{
    if (!text.isRead) {
        text.isRead = true;
        auto lines = textOf(path);
        if (lines)
            text.symbols = std::make_shared<const TextSymbols>(kallsymsFrom(std::move(*lines)));
        else
            text.failure = lines.error().what + ".";
    }
    KernelSearchResult found{nullptr, path, 0, SymbolProblem::NoKernelSymbols, text.failure, {}, false};
    if (!text.symbols)
        return found;
    if (text.symbols->isHidden) {
        found.problem = SymbolProblem::Hidden;
        found.explanation = path.string() + " contains only zero addresses: kernel.kptr_restrict hid them from the user who read it.";
    } else if (text.symbols->table.isEmpty()) {
        found.explanation = path.string() + " has no symbols.";
    } else {
        found.symbols = text.symbols;
        found.problem = SymbolProblem::None;
        found.shift = module.kind == Module::Kind::Kernel ? shiftOf(module, *text.symbols) : 0;
    }
    return found;
}

/// Reads the file that the user set. Does not use the file if the size of its kernel's text differs from the recorded size: it then
/// belongs to another kernel, because kernels of different builds practically always differ in this size.
KernelSearchResult KernelSymbols::given(Text& text, const fs::path& path, const Module& module)
{
    KernelSearchResult found = read(text, path, module);
    if (!found.symbols)
        return found;
    const std::uint64_t size = textSizeOf(*found.symbols);
    if (module.textSize != 0 && size != 0 && !hasTextSize(*found.symbols, module.textSize))
        found.explanation = path.string() + " is from another kernel: its text is " + hexText(size) + " bytes long, the recorded kernel's "
            + hexText(module.textSize) + ". It is not used.";
    else if (module.kind != Module::Kind::Kernel && shiftOf(module, *found.symbols) != 0)
        found.explanation = path.string() + " was saved after another boot, so its addresses of kernel modules do not match.";
    else if (module.textSize == 0 || size == 0)
        found.doubt = "It is unknown whether " + path.string()
            + " is from the recorded kernel: " + (size == 0 ? "it has no _text and _etext." : "the length of its text was not recorded.");
    if (!found.explanation.empty()) {
        found.symbols = nullptr;
        found.problem = SymbolProblem::NoKernelSymbols;
    }
    return found;
}

KernelSearchResult KernelSymbols::running(const Module& module)
{
    if (isOfRunningKernel(module))
        return read(m_running, "/proc/kallsyms", module);
    KernelSearchResult none;
    none.problem = SymbolProblem::NoKernelSymbols;
    none.explanation = "The recorded " + recordedKernel(module) + " may not be the one that runs here (" + runningRelease() + ").";
    return none;
}

/// Reads the symbols that were saved with a recording; a result without symbols if there are none. Their file name has the build-id.
KernelSearchResult KernelSymbols::saved(const Module& module, const SymbolOptions& options)
{
    KernelSearchResult none;
    none.problem = SymbolProblem::NoKernelSymbols;
    if (module.buildId.empty())
        return none;
    for (const fs::path& folder : foldersBeside(options.recordings)) {
        const fs::path path = folder / ("kallsyms-" + module.buildId);
        std::error_code ignored;
        if (!fs::is_regular_file(path, ignored))
            continue;
        KernelSearchResult found = read(m_saved[path], path, module);
        found.isProvenMatch = bool(found.symbols);
        if (found.symbols)
            return found;
    }
    return none;
}

KernelSearchResult KernelSymbols::find(const Module& module, const SymbolOptions& options)
{
    const std::lock_guard lock(m_mutex);
    const bool isSet = !options.kallsyms.empty();
    KernelSearchResult set;
    if (isSet)
        set = given(m_given, options.kallsyms, module);
    const bool isProvenMatch = isProvedToRun(module);
    if (!isProvenMatch)
        if (KernelSearchResult found = saved(module, options); found.symbols)
            return found;
    if (set.symbols && !isProvenMatch)
        return set;
    KernelSearchResult found = running(module);
    found.isProvenMatch = isProvenMatch && found.symbols;
    if (set.symbols && !found.symbols)
        return set;
    if (!found.symbols && isSet)
        found = set;
    found.doubt = set.explanation;
    if (!found.symbols)
        (found.explanation += " ") += Advice;
    return found;
}

KernelSearchResult KernelSymbols::findOfGuest(Module module, const SymbolOptions& options)
{
    KernelSearchResult none;
    none.problem = SymbolProblem::NoKernelSymbols;
    if (options.guestKallsyms.empty()) {
        none.explanation =
            "The code ran in a guest. Save the guest's symbols there as root (cat /proc/kallsyms > guest-kallsyms.txt), then "
            "use --guest-kallsyms FILE or File > Symbol paths.";
        return none;
    }
    std::error_code ignored;
    const bool isFolder = fs::is_directory(options.guestKallsyms, ignored);
    const fs::path path = isFolder ? options.guestKallsyms / std::to_string(module.pid) / "proc" / "kallsyms" : options.guestKallsyms;
    module.kind = module.kind == Module::Kind::GuestKernel ? Module::Kind::Kernel : Module::Kind::KernelModule;
    const std::lock_guard lock(m_mutex);
    KernelSearchResult found = given(m_ofGuests[path], path, module);
    if (!isFolder && found.symbols && module.pid != AnyGuest && found.doubt.empty() && module.textSize == 0)
        found.doubt = "It is unknown whether " + path.string() + " is from the guest of process " + std::to_string(module.pid) + ".";
    return found;
}

FileSearchResult vmlinuxOf(const Module& module, ModuleFiles& files)
{
    std::vector<std::string> paths{"vmlinux"};
    if (!module.release.empty() && module.release.find('/') == std::string::npos) {
        paths.insert(paths.end(),
                     {"/usr/lib/debug/boot/vmlinux-" + module.release, "/usr/lib/debug/lib/modules/" + module.release + "/vmlinux",
                      "/lib/modules/" + module.release + "/build/vmlinux", "/boot/vmlinux-" + module.release});
    }
    if (module.buildId.empty()) // Do not search without a recorded build-id, because the right vmlinux could not be recognized.
        return {nullptr, SymbolProblem::NoFile, "The recording has no build-id for its kernel, so no vmlinux can be matched to it."};
    FileSearchResult found;
    for (const std::string& path : paths) {
        Module file = module;
        file.kind = Module::Kind::File;
        file.path = path;
        FileSearchResult next = files.fileOf(file);
        if (next.file)
            return next;
        found = std::move(next);
    }
    found.explanation = "No vmlinux for the recorded " + recordedKernel(module)
        + " was found, so its source lines and instructions are unknown. Install the kernel's debug package, "
          "or add a folder that contains its vmlinux with --symbols DIR or File > Symbol paths.";
    return found;
}

} // namespace helio
