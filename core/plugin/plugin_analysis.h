#pragma once

#include "core/analysis/analysis.h"
#include "core/base/result.h"
#include "core/plugin/heliograph_plugin.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// An analysis kind that is implemented by a plug-in.
class PluginAnalysisKind final : public AnalysisKind {
public:
    /// Returns the reason why an analysis of a plug-in is unusable; empty if it is usable.
    static std::string findDefect(const heliograph_analysis_v1& analysis);

    /// Requires: findDefect(analysis) is empty, and `analysis` is never unloaded. `fileHash` becomes part of the version. `note` is passed
    /// to PluginCrashGuard.
    PluginAnalysisKind(const heliograph_analysis_v1& analysis, std::filesystem::path file, std::uint32_t fileHash, std::string note = {});

    std::string_view id() const override { return m_id; }
    int version() const override { return m_version; }
    const std::string& title() const { return m_title; } ///< Title for menus.
    const std::filesystem::path& file() const { return m_file; } ///< File that the analysis was loaded from.
    std::span<const TrackView> views() const override { return m_views; }
    bool appliesTo(const Trace& trace) const override;
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override;

private:
    const heliograph_analysis_v1& m_analysis;
    const std::string m_id;
    const std::string m_title;
    const std::filesystem::path m_file;
    const int m_version;
    const std::string m_note; ///< Path of the file that is made if the program crashes in the analysis; empty for none.
    std::vector<TrackView> m_views;
};

/// Loads the analyses of a plug-in (see heliograph_plugin.h): native code, which may do whatever the program may do. The library is never
/// unloaded. `note` is passed to PluginCrashGuard. Requires: the user named or allowed that file.
/// Errors: all name the file. NotFound; Unreadable if it is no shared library, or if a library that it needs is missing; Unsupported if it
/// is no plug-in, or only one for another version of the interface.
Result<std::vector<std::shared_ptr<const AnalysisKind>>> loadPlugin(const std::filesystem::path& file, const std::string& note = {});

} // namespace helio
