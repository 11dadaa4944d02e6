#include "core/plugin/plugin.h"

#include "core/io/fingerprint.h"
#include "core/io/mapped_file.h"
#include "core/plugin/plugin_analysis.h"

#include <dlfcn.h>
#include <string>

namespace helio {

namespace fs = std::filesystem;

namespace {

using Entry = decltype(&heliograph_analysis);

constexpr std::uint32_t MostAnalyses = 256;

/// Returns the first 32 bits of the fingerprint.
std::uint32_t hashOf(std::span<const std::byte> bytes)
{
    Fingerprint fingerprint;
    fingerprint.add(bytes);
    return static_cast<std::uint32_t>(std::stoul(fingerprint.text().substr(0, 8), nullptr, 16));
}

} // namespace

Result<std::vector<std::shared_ptr<const AnalysisKind>>> loadPlugin(const fs::path& file, const std::string& note)
{
    const auto fails = [&](Error::Kind kind, const std::string& what) { return Error{kind, file.string() + ": " + what}; };
    const auto bytes = MappedFile::open(file);
    if (!bytes)
        return fails(bytes.error().kind, "the plug-in cannot be read: " + bytes.error().what);
    void* library = dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fails(Error::Kind::Unreadable, std::string("it is no plug-in: ") + dlerror());
    const auto entry = reinterpret_cast<Entry>(dlsym(library, "heliograph_analysis"));
    if (!entry)
        return fails(Error::Kind::Unsupported, "it is no plug-in: it has no function heliograph_analysis()");
    std::vector<std::shared_ptr<const AnalysisKind>> kinds;
    const std::uint32_t hash = hashOf((*bytes)->bytes());
    for (std::uint32_t i = 0; i < MostAnalyses; ++i) {
        const heliograph_analysis_v1* analysis = entry(HELIOGRAPH_PLUGIN_ABI, i);
        if (!analysis)
            break;
        if (const std::string wrong = PluginAnalysisKind::findDefect(*analysis); !wrong.empty())
            return fails(Error::Kind::Unsupported, wrong);
        kinds.push_back(std::make_shared<PluginAnalysisKind>(*analysis, file, hash, note));
    }
    if (kinds.empty())
        return fails(Error::Kind::Unsupported,
                     "it has no analysis for version " + std::to_string(HELIOGRAPH_PLUGIN_ABI) + " of the interface");
    return kinds;
}

} // namespace helio
