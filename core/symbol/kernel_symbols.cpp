#include "core/symbol/kernel_symbols.h"

#include <fstream>
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

/// The build-id among the notes of the running kernel.
std::string runningBuildId()
{
    const auto notes = textOf("/sys/kernel/notes");
    if (!notes)
        return {};
    constexpr std::string_view mark{"\4\0\0\0\24\0\0\0\3\0\0\0GNU\0", 16}; // Sizes of name and id, type, name.
    const std::size_t at = notes->find(mark);
    if (at == std::string::npos || at + mark.size() + 20 > notes->size())
        return {};
    const std::string_view id(notes->data() + at + mark.size(), 20);
    return hexOf(std::as_bytes(std::span(id)));
}

bool isRunningKernel(const Module& module)
{
    if (module.kind == Module::Kind::Kernel && !module.buildId.empty()) // A kernel module's is its own.
        return isSameBuildId(module.buildId, runningBuildId());
    return !module.release.empty() && module.release == runningRelease();
}

std::uint64_t shiftOf(const Module& module, const TextSymbols& symbols)
{
    if (module.kind != Module::Kind::Kernel || module.reference == 0)
        return 0;
    const std::uint64_t here = module.referenceName == "_stext"           ? symbols.stextAddress
        : module.referenceName.empty() || module.referenceName == "_text" ? symbols.textAddress
                                                                          : 0;
    return here == 0 ? 0 : module.reference - here;
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

constexpr const char* Advice =
    "Save the recording machine's symbols as root (cat /proc/kallsyms > kallsyms.txt) and name that file: --kallsyms FILE, or Symbols in the File menu.";

} // namespace

FoundKernel KernelSymbols::find(const Module& module, const SymbolOptions& options)
{
    const bool isGiven = !options.kallsyms.empty();
    const fs::path path = isGiven ? options.kallsyms : fs::path("/proc/kallsyms");
    if (!isGiven && !isRunningKernel(module))
        return {nullptr,
                {},
                0,
                SymbolProblem::NoKernelSymbols,
                "The recorded " + recordedKernel(module) + " is not known to be the one that runs here (" + runningRelease() + "). "
                    + Advice};
    const std::lock_guard lock(m_mutex);
    if (!m_isRead) {
        m_isRead = true;
        auto text = textOf(path);
        if (text)
            m_symbols = std::make_shared<const TextSymbols>(kallsymsFrom(std::move(*text)));
        else
            m_failure = text.error().what;
    }
    if (!m_symbols)
        return {nullptr, path, 0, SymbolProblem::NoKernelSymbols, m_failure + ". " + Advice};
    if (m_symbols->isHidden)
        return {nullptr, path, 0, SymbolProblem::Hidden,
                path.string() + " has only zeros for addresses: kernel.kptr_restrict hid them from whoever read it. " + Advice};
    if (m_symbols->table.isEmpty())
        return {nullptr, path, 0, SymbolProblem::NoKernelSymbols, path.string() + " has no symbols. " + Advice};
    return {m_symbols, path, shiftOf(module, *m_symbols), SymbolProblem::None, {}};
}

FoundFile vmlinuxOf(const Module& module, ModuleFiles& files)
{
    std::vector<std::string> paths{"vmlinux"};
    if (!module.release.empty() && module.release.find('/') == std::string::npos) {
        paths.insert(paths.end(),
                     {"/usr/lib/debug/boot/vmlinux-" + module.release, "/usr/lib/debug/lib/modules/" + module.release + "/vmlinux",
                      "/lib/modules/" + module.release + "/build/vmlinux", "/boot/vmlinux-" + module.release});
    }
    if (module.buildId.empty()) // Nothing would tell one vmlinux from another.
        return {nullptr, SymbolProblem::NoFile,
                "The recording has no build-id of its kernel, so no vmlinux can be known to be the right one."};
    FoundFile found;
    for (const std::string& path : paths) {
        Module file = module;
        file.kind = Module::Kind::File;
        file.path = path;
        FoundFile next = files.fileOf(file);
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
