#include "core/symbol/tables/kernel_symbols.h"

#include <array>
#include <charconv>
#include <sys/utsname.h>

namespace helio {

namespace fs = std::filesystem;

namespace {

const std::string& runningRelease()
{
    static const std::string release = [] {
        utsname names{};
        return uname(&names) == 0 ? std::string(names.release) : std::string();
    }();
    return release;
}

/// Returns the build-id among the notes of the running kernel; empty if unreadable.
std::string runningBuildId()
{
    const auto notes = textOf("/sys/kernel/notes");
    if (!notes)
        return {};
    constexpr std::string_view mark{"\4\0\0\0\24\0\0\0\3\0\0\0GNU\0", 16}; // Size of the name, size of the id, type, name.
    const std::size_t at = notes->find(mark);
    if (at == std::string::npos || at + mark.size() + 20 > notes->size())
        return {};
    const std::string_view id(notes->data() + at + mark.size(), 20);
    return hexOf(std::as_bytes(std::span(id)));
}

bool isProvedToRun(const Module& module)
{
    // The build-id of a kernel module is its own, not the kernel's.
    return module.kind == Module::Kind::Kernel && isSameBuildId(module.buildId, runningBuildId());
}

bool isOfRunningKernel(const Module& module)
{
    if (module.kind == Module::Kind::Kernel && !module.buildId.empty())
        return isProvedToRun(module);
    return hasRunningRelease(module);
}

/// Returns the recorded address of the kernel minus its address in these symbols; 0 if unknown.
std::uint64_t shiftOf(const Module& module, const TextSymbols& symbols)
{
    if (module.reference == 0)
        return 0;
    const std::uint64_t here = module.referenceName == "_stext"           ? symbols.stextAddress
        : module.referenceName.empty() || module.referenceName == "_text" ? symbols.textAddress
                                                                          : 0;
    return here == 0 ? 0 : module.reference - here;
}

/// Returns the kernel's size as perf records it; 0 if these symbols do not determine it.
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

constexpr const char* Advice = "Save the recording machine's symbols as root (cat /proc/kallsyms > kallsyms.txt) and name that file: "
                               "--kallsyms FILE, or Symbols in the File menu.";

} // namespace

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
        found.explanation = path.string() + " has only zeros for addresses: kernel.kptr_restrict hid them from whoever read it.";
    } else if (text.symbols->table.isEmpty()) {
        found.explanation = path.string() + " has no symbols.";
    } else {
        found.symbols = text.symbols;
        found.problem = SymbolProblem::None;
        found.shift = module.kind == Module::Kind::Kernel ? shiftOf(module, *text.symbols) : 0;
    }
    return found;
}

/// Reads the file that the user set, unless it belongs to another kernel. Kernels of different builds practically always differ in the
/// size of their text.
KernelSearchResult KernelSymbols::given(const fs::path& path, const Module& module)
{
    KernelSearchResult found = read(m_given, path, module);
    if (!found.symbols)
        return found;
    const std::uint64_t size = textSizeOf(*found.symbols);
    if (module.textSize != 0 && size != 0 && !hasTextSize(*found.symbols, module.textSize))
        found.explanation = path.string() + " is of another kernel: its text is " + hexText(size) + " bytes long, the recorded kernel's "
            + hexText(module.textSize) + ". It is not used.";
    else if (module.kind != Module::Kind::Kernel && shiftOf(module, *found.symbols) != 0)
        found.explanation = path.string() + " was saved after another start of the kernel, so it does not say where its modules lay.";
    else if (module.textSize == 0 || size == 0)
        found.doubt = "It is not known whether " + path.string()
            + " is of the recorded kernel: " + (size == 0 ? "it has no _text and _etext." : "the length of its text was not recorded.");
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
    none.explanation = "The recorded " + recordedKernel(module) + " is not known to be the one that runs here (" + runningRelease() + ").";
    return none;
}

KernelSearchResult KernelSymbols::find(const Module& module, const SymbolOptions& options)
{
    const std::lock_guard lock(m_mutex);
    const bool isSet = !options.kallsyms.empty();
    KernelSearchResult set;
    if (isSet)
        set = given(options.kallsyms, module);
    const bool isProvenMatch = isProvedToRun(module);
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

FileSearchResult vmlinuxOf(const Module& module, ModuleFiles& files)
{
    std::vector<std::string> paths{"vmlinux"};
    if (!module.release.empty() && module.release.find('/') == std::string::npos) {
        paths.insert(paths.end(),
                     {"/usr/lib/debug/boot/vmlinux-" + module.release, "/usr/lib/debug/lib/modules/" + module.release + "/vmlinux",
                      "/lib/modules/" + module.release + "/build/vmlinux", "/boot/vmlinux-" + module.release});
    }
    if (module.buildId.empty()) // Without a build-id, one vmlinux cannot be told from another.
        return {nullptr, SymbolProblem::NoFile,
                "The recording has no build-id of its kernel, so no vmlinux can be known to be the right one."};
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
    found.explanation = "No vmlinux of the recorded " + recordedKernel(module)
        + " was found, so its lines and instructions are not known. Install the kernel's debug package, or name a folder that holds its "
          "vmlinux: --symbols DIR, or Symbols in the File menu.";
    return found;
}

} // namespace helio
